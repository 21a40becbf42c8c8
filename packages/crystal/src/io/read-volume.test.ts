import { BOHR_RADIUS_ANGSTROM } from '@unitcell/elements';
import { determinant3, type Mat3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { CrystalError } from '../error.ts';
import { orderedSite } from '../structure.ts';
import { readVolume, type Volume } from './read-volume.ts';
import { writeCube } from './write-structure.ts';

const CELL: Mat3 = [
  [3, 0, 0],
  [1, 4, 0],
  [0, 0.5, 5],
];
const VOLUME = determinant3(CELL);
const SIZES = [4, 5, 6] as const;

/** A function without symmetry under exchange or reversal of the axes. */
const wave = (x: number, y: number, z: number): number =>
  Math.cos(2 * Math.PI * x) +
  2 * Math.cos(2 * Math.PI * y) +
  3 * Math.cos(2 * Math.PI * z) +
  0.5 * Math.sin(2 * Math.PI * (x + 2 * y));

/** Values at the points of a grid; `closing` planes repeat the first plane. */
function grid(fastest: 'a' | 'c', closing = 0): number[] {
  const [na, nb, nc] = SIZES;
  const values: number[] = [];
  const put = (i: number, j: number, k: number) => values.push(wave(i / na, j / nb, k / nc));
  if (fastest === 'a')
    for (let k = 0; k < nc + closing; k++)
      for (let j = 0; j < nb + closing; j++) for (let i = 0; i < na + closing; i++) put(i, j, k);
  else for (let i = 0; i < na; i++) for (let j = 0; j < nb; j++) for (let k = 0; k < nc; k++) put(i, j, k);
  return values;
}

const rows = (values: readonly number[], perLine = 5): string =>
  Array.from({ length: Math.ceil(values.length / perLine) }, (_, line) =>
    values
      .slice(line * perLine, (line + 1) * perLine)
      .map((value) => ` ${value.toExponential(10)}`)
      .join(''),
  ).join('\n');
const lines = (matrix: Mat3): string => matrix.map((row) => row.join(' ')).join('\n');

const vasp = (...blocks: readonly string[]): string =>
  `wave\n1.0\n${lines(CELL)}\nNa Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.5\n\n${blocks
    .map((block) => ` ${SIZES.join(' ')}\n${block}\n`)
    .join('augmentation occupancies   1  3\n 0.1 0.2 0.3\n 1.0 2.0\n')}`;

function cube(unit: 'bohr' | 'angstrom', comment = 'wave', orbitals = 0): string {
  const scale = unit === 'bohr' ? 1 / BOHR_RADIUS_ANGSTROM : 1;
  const sign = unit === 'bohr' ? 1 : -1;
  const write = (vector: readonly number[]): string => vector.map((value) => value * scale).join(' ');
  const steps = CELL.map(
    (row, axis) => `${sign * SIZES[axis]} ${write(row.map((value) => value / SIZES[axis]))}`,
  );
  const centre = ([0, 1, 2] as const).map(
    (axis) => (CELL[0][axis] + CELL[1][axis] + CELL[2][axis]) / 2 + 0.25,
  );
  const values = grid('c').flatMap((value) => [value, ...Array<number>(Math.max(0, orbitals - 1)).fill(9)]);
  return [
    comment,
    'second comment',
    `${orbitals > 0 ? -2 : 2} ${write([0.25, 0.25, 0.25])}`,
    ...steps,
    `11 0 ${write([0.25, 0.25, 0.25])}`,
    `17 0.0 ${write(centre)}`,
    ...(orbitals > 0 ? [`${orbitals} ${Array.from({ length: orbitals }, (_, at) => at + 1).join(' ')}`] : []),
    rows(values, 6),
  ].join('\n');
}

const middle = ([0, 1, 2] as const).map((axis) => (CELL[0][axis] + CELL[1][axis] + CELL[2][axis]) / 2);
const xsf = (gridCell: Mat3 = CELL): string =>
  `# a comment\nCRYSTAL\nPRIMVEC\n${lines(CELL)}\nPRIMCOORD\n2 1\n11 0 0 0\nCl ${middle.join(' ')}\n` +
  `BEGIN_BLOCK_DATAGRID_3D\nname\nBEGIN_DATAGRID_3D_wave\n${SIZES.map((size) => size + 1).join(' ')}\n0 0 0\n${lines(gridCell)}\n` +
  `${rows(grid('a', 1))}\nEND_DATAGRID_3D\nEND_BLOCK_DATAGRID_3D\n`;

const difference = (found: Float32Array, expected: readonly number[]): number =>
  Math.max(
    Math.abs(found.length - expected.length),
    ...expected.map((value, at) => Math.abs(value - found[at])),
  );
const mean = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The error that a text causes. */
function refusal(text: string, fileName = 'CHGCAR'): CrystalError {
  try {
    readVolume(text, fileName);
  } catch (error) {
    if (error instanceof CrystalError) return error;
    throw error;
  }
  throw new Error('the text was read');
}

describe('readVolume', () => {
  const expected = grid('a');

  it.each([
    ['a potential of VASP', vasp(rows(expected)), 'LOCPOT', 'potential'],
    ['a CHGCAR', vasp(rows(expected.map((value) => value * VOLUME))), 'CHGCAR', 'charge-density'],
    [
      'a CHGCAR of a self-consistent run',
      vasp(rows(expected.map((value) => value * VOLUME))),
      'CHGCAR-self',
      'charge-density',
    ],
    [
      'a CHG of ten columns',
      vasp(
        rows(
          expected.map((value) => value * VOLUME),
          10,
        ),
      ),
      'CHG.1',
      'charge-density',
    ],
    [
      'an ELFCAR with line ends of Windows',
      vasp(rows(expected)).replaceAll('\n', '\r\n'),
      'run/ELFCAR',
      'elf',
    ],
    ['a VASP grid under another name', vasp(rows(expected)), 'grid.vasp', 'unknown'],
    ['a cube in bohr', cube('bohr'), 'wave.cube', 'unknown'],
    ['a cube in Å', cube('angstrom'), 'wave.cube', 'unknown'],
    ['a cube of three orbitals, of which the first is read', cube('bohr', 'wave', 3), 'mo.cube', 'unknown'],
    ['an XSF', xsf(), 'wave.xsf', 'unknown'],
  ])('puts every value of %s at its grid point', (_, text, fileName, quantity) => {
    const volume = readVolume(text, fileName);
    expect(volume.quantity).toBe(quantity);
    expect(volume.gridSizes).toEqual(SIZES);
    expect(difference(volume.values, expected)).toBeLessThan(1e-5);
    volume.structure.latticeVectors.forEach((row, i) =>
      row.forEach((value, j) => expect(value).toBeCloseTo(CELL[i][j], 9)),
    );
    const [sodium, chlorine] = volume.structure.sites;
    expect([sodium, chlorine].map(({ species }) => species[0].element)).toEqual(['Na', 'Cl']);
    sodium.fractionalCoords.forEach((value) => expect(value).toBeCloseTo(0, 9));
    chlorine.fractionalCoords.forEach((value) => expect(value).toBeCloseTo(0.5, 9));
  });

  it('gives a CHGCAR density whose integral is the number of electrons written', () => {
    const electrons = 8;
    const count = SIZES[0] * SIZES[1] * SIZES[2];
    const { values } = readVolume(vasp(rows(Array<number>(count).fill(electrons))), 'CHGCAR');
    expect(mean(values) * VOLUME).toBeCloseTo(electrons, 5);
  });

  it('converts a cube file labelled "electron density" from e/bohr³ to e/Å³', () => {
    const volume = readVolume(cube('bohr', 'Electron density from Total SCF Density'), 'a.cube');
    expect(volume.quantity).toBe('charge-density');
    const factor = BOHR_RADIUS_ANGSTROM ** -3;
    expect(
      difference(
        volume.values,
        expected.map((value) => value * factor),
      ),
    ).toBeLessThan(1e-4);
  });

  it('reads the second spin block of a CHGCAR, unless the calculation is noncollinear', () => {
    const total = rows(expected.map((value) => value * VOLUME));
    const zero = rows(expected.map(() => 0));
    const two = readVolume(vasp(total, rows(expected.map((value) => -2 * value * VOLUME))), 'CHGCAR');
    expect(
      difference(
        two.secondSpin!,
        expected.map((value) => -2 * value),
      ),
    ).toBeLessThan(1e-5);
    expect(readVolume(vasp(total, zero, zero, zero), 'CHGCAR').secondSpin).toBeUndefined();
    expect(refusal(vasp(total, zero, zero, zero, zero)).reason).toBe('volume-too-many-blocks');
  });

  it('fills a grid that spans two primitive cells with the atoms of both cells', () => {
    const doubled: Mat3 = [CELL[0].map((value) => 2 * value) as unknown as Vec3, CELL[1], CELL[2]];
    const { structure } = readVolume(xsf(doubled), 'a.xsf');
    const found = structure.sites.map(({ species, fractionalCoords }) =>
      [
        species[0].element,
        ...fractionalCoords.map((value) => value.toFixed(3).replace('-0.000', '0.000')),
      ].join(' '),
    );
    expect(found.sort()).toEqual([
      'Cl 0.250 0.500 0.500',
      'Cl 0.750 0.500 0.500',
      'Na 0.000 0.000 0.000',
      'Na 0.500 0.000 0.000',
    ]);
  });

  it('reads Fortran number formats', () => {
    const text = vasp(rows(expected)).replace(/ \S+\n$/, ' 0.125-101\n');
    expect(readVolume(text, 'LOCPOT').values.at(-1)).toBe(0);
    expect(readVolume(vasp(rows(expected)).replaceAll('e', 'D'), 'LOCPOT').values).toHaveLength(
      expected.length,
    );
  });

  it.each([
    ['an empty file', '', { code: 'format', reason: 'volume-unknown-format' }],
    ['prose', 'a letter\nto nobody\n', { code: 'format', reason: 'volume-unknown-format' }],
    ['a POSCAR', vasp().trimEnd(), { code: 'volume', reason: 'file-ends', line: 10 }],
    ['a file cut short', vasp(rows(expected.slice(0, 50))), { reason: 'volume-values-missing', line: 23 }],
    [
      'stars among the values',
      vasp(rows(expected).replace(/(\n \S+) \S+/, '$1 *****')),
      { reason: 'volume-no-number', line: 14 },
    ],
    ['a grid of no points', vasp('1').replace('4 5 6', '4 0 6'), { reason: 'volume-bad-grid', line: 12 }],
    ['a grid beyond the bound', vasp('1').replace('4 5 6', '999 999 999'), { code: 'too-large', line: 12 }],
    [
      'a grid longer than its file',
      vasp('1').replace('4 5 6', '200 200 200'),
      { reason: 'volume-values-missing' },
    ],
    ['a flat cube', cube('bohr').replace(/^(6 ).*$/m, '$1 0 0 0'), { reason: 'flat-cell' }],
    ['an unknown atom', cube('bohr').replace('\n17 ', '\n170 '), { reason: 'volume-unknown-element' }],
    ['an XSF without a grid', xsf().slice(0, 120), { code: 'volume' }],
  ])('refuses %s with its line', (_, text, fault) => {
    expect(refusal(text)).toMatchObject(fault);
  });

  it('gives a volume or a CrystalError for a thousand damaged files', () => {
    const seeds = [vasp(rows(expected), rows(expected)), cube('bohr'), cube('angstrom', 'x', 2), xsf()];
    const splinters = [
      '-1',
      '0',
      '1e999',
      'NaN',
      '\n',
      ' ',
      '\0',
      '\n\n',
      '*',
      'x',
      '9'.repeat(30),
      '1e9',
      '-5 ',
      '4 5 6\n',
      'PRIMVEC\n',
    ];
    const random = seededRandom(20261125);
    const below = (limit: number): number => Math.floor(random() * limit);
    for (let run = 0; run < 1000; run++) {
      let text = seeds[run % seeds.length];
      for (let count = 1 + below(5); count > 0; count--) {
        // Two thirds of the damage is in the header, where it matters most.
        const at = below(random() < 0.67 ? 300 : text.length);
        const cut = below(random() < 0.1 ? 300 : 6);
        text =
          text.slice(0, at) +
          (random() < 0.7 ? splinters[below(splinters.length)] : '') +
          text.slice(at + cut);
      }
      let fault: string | undefined;
      try {
        const { values, gridSizes, structure } = readVolume(text, 'CHGCAR');
        const isSound =
          values.length === gridSizes[0] * gridSizes[1] * gridSizes[2] &&
          values.every(Number.isFinite) &&
          structure.sites.every(({ fractionalCoords }) => fractionalCoords.every(Number.isFinite));
        if (!isSound) fault = 'unsound';
      } catch (error) {
        if (!(error instanceof CrystalError) || error.reason === 'other') fault = String(error);
      }
      expect(fault === undefined ? '' : `${fault}: ${JSON.stringify(text)}`).toBe('');
    }
  });
});

describe('writeCube', () => {
  it('writes a density that readVolume reads back, in a skewed cell', () => {
    const random = seededRandom(11);
    const gridSizes = [3, 4, 7] as const;
    const volume: Volume = {
      quantity: 'charge-density',
      structure: {
        latticeVectors: [
          [3, 0.4, 0],
          [0.2, 4, 0.1],
          [-1, 0.3, 5],
        ],
        sites: [orderedSite('Ni', [0, 0, 0]), orderedSite('O', [0.5, 0.25, 0.75])],
      },
      gridSizes,
      values: Float32Array.from({ length: 84 }, () => 3 * random()),
    };
    const read = readVolume(writeCube(volume, 'NiO\nwith a line break'), 'density.cube');
    expect(read).toMatchObject({ quantity: 'charge-density', gridSizes });
    expect(read.structure.sites.map(({ species }) => species[0].element)).toEqual(['Ni', 'O']);
    read.structure.latticeVectors.flat().forEach((value, at) => {
      expect(value).toBeCloseTo(volume.structure.latticeVectors.flat()[at], 4);
    });
    read.values.forEach((value, at) => expect(value).toBeCloseTo(volume.values[at], 4));
  });
});
