import {
  applySymmetryOperation,
  cellVolume,
  latticeParameters,
  reduceMinkowski,
  type Structure,
} from '@unitcell/crystal';
import {
  determinant3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  seededRandom,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry, SUPERCELL_SITES } from './analyze-symmetry.ts';
import { matchStructures } from './matching/match-structures.ts';
import { standardCells } from './standard-cells.ts';
import {
  anatase,
  caesiumChloride,
  diamond,
  lithiumIronPhosphate,
  quartz,
  rockSalt,
  rutile,
  wurtzite,
  zincBlende,
} from './testing/fixtures.ts';
import {
  changeBasis,
  permuteSites,
  randomRotation,
  randomUnimodular,
  rotate,
  shiftOrigin,
} from './testing/transform-structure.ts';

interface Facts {
  readonly number: number;
  readonly symbol: string;
  readonly pointGroup: string;
  readonly crystalSystem: string;
  /** Letters of the sites with their counts. There are alternatives if an origin shift exchanges letters. */
  readonly wyckoffs: readonly Record<string, number>[];
}

const crystals: readonly (readonly [string, Structure, Facts])[] = [
  [
    'rock salt',
    rockSalt,
    {
      number: 225,
      symbol: 'Fm-3m',
      pointGroup: 'm-3m',
      crystalSystem: 'cubic',
      wyckoffs: [{ a: 4, b: 4 }],
    },
  ],
  [
    'caesium chloride',
    caesiumChloride,
    {
      number: 221,
      symbol: 'Pm-3m',
      pointGroup: 'm-3m',
      crystalSystem: 'cubic',
      wyckoffs: [{ a: 1, b: 1 }],
    },
  ],
  [
    'diamond',
    diamond,
    {
      number: 227,
      symbol: 'Fd-3m',
      pointGroup: 'm-3m',
      crystalSystem: 'cubic',
      wyckoffs: [{ a: 8 }, { b: 8 }],
    },
  ],
  [
    'zinc blende',
    zincBlende,
    {
      number: 216,
      symbol: 'F-43m',
      pointGroup: '-43m',
      crystalSystem: 'cubic',
      wyckoffs: [{ a: 4, c: 4 }],
    },
  ],
  [
    'wurtzite',
    wurtzite,
    {
      number: 186,
      symbol: 'P6_3mc',
      pointGroup: '6mm',
      crystalSystem: 'hexagonal',
      wyckoffs: [{ b: 4 }],
    },
  ],
  [
    'rutile',
    rutile,
    {
      number: 136,
      symbol: 'P4_2/mnm',
      pointGroup: '4/mmm',
      crystalSystem: 'tetragonal',
      wyckoffs: [{ a: 2, f: 4 }],
    },
  ],
  [
    'anatase',
    anatase,
    {
      number: 141,
      symbol: 'I4_1/amd',
      pointGroup: '4/mmm',
      crystalSystem: 'tetragonal',
      wyckoffs: [
        { a: 4, e: 8 },
        { b: 4, e: 8 },
      ],
    },
  ],
  [
    'quartz',
    quartz,
    {
      number: 154,
      symbol: 'P3_221',
      pointGroup: '32',
      crystalSystem: 'trigonal',
      wyckoffs: [
        { a: 3, c: 6 },
        { b: 3, c: 6 },
      ],
    },
  ],
  [
    'LiFePO4',
    lithiumIronPhosphate,
    {
      number: 62,
      symbol: 'Pnma',
      pointGroup: 'mmm',
      crystalSystem: 'orthorhombic',
      wyckoffs: [{ a: 4, c: 16, d: 8 }],
    },
  ],
];

function distanceToSite({ latticeVectors, sites }: Structure, position: Vec3, element: string): number {
  const distances = sites.flatMap(({ species, fractionalCoords }) => {
    if (species[0].element !== element) return [];
    const [x, y, z] = subtract3(position, fractionalCoords).map((value) => value - Math.round(value));
    return [norm3(rowTimesMatrix3([x, y, z], latticeVectors))];
  });
  return Math.min(...distances);
}

describe('analyzeSymmetry', () => {
  it.each(crystals)('%s has its published space group and Wyckoff positions', (_name, crystal, facts) => {
    const found = analyzeSymmetry(crystal);
    expect(found.spaceGroup.number).toBe(facts.number);
    expect(found.spaceGroup.symbol).toBe(facts.symbol);
    expect(found.pointGroup).toBe(facts.pointGroup);
    expect(found.crystalSystem).toBe(facts.crystalSystem);
    const letters: Record<string, number> = {};
    for (const letter of found.wyckoffs) letters[letter] = (letters[letter] ?? 0) + 1;
    expect(facts.wyckoffs).toContainEqual(letters);
  });

  it.each(crystals)(
    '%s: operations permute the atoms, are unique and have determinant ±1',
    (_name, crystal) => {
      const { operations, symprec } = analyzeSymmetry(crystal);
      const texts = operations.map(({ rotation, translation }) =>
        [...rotation.flat(), ...translation.map((t) => Math.round((t - Math.floor(t + 1e-6)) * 1e4))].join(),
      );
      expect(new Set(texts).size).toBe(operations.length);
      for (const operation of operations) {
        expect(Math.abs(determinant3(operation.rotation))).toBe(1);
        for (const { species, fractionalCoords } of crystal.sites)
          expect(
            distanceToSite(crystal, applySymmetryOperation(operation, fractionalCoords), species[0].element),
          ).toBeLessThan(symprec);
      }
    },
  );

  it.each(crystals)('%s: standardising the standard cell again does not change it', (_name, crystal) => {
    const first = analyzeSymmetry(crystal);
    const again = analyzeSymmetry(first.standardizedCell);
    expect(again.spaceGroup).toEqual(first.spaceGroup);
    expect(again.standardizedCell.latticeVectors.flat()).toEqual(
      first.standardizedCell.latticeVectors.flat().map((value) => expect.closeTo(value, 6) as number),
    );
    // The origin may be any of the equivalent choices, so the atoms are compared up to a shift.
    expect(
      matchStructures(again.standardizedCell, first.standardizedCell, { scale: false })?.rms,
    ).toBeLessThan(1e-6);
    const primitive = analyzeSymmetry(first.primitiveCell);
    expect(primitive.spaceGroup).toEqual(first.spaceGroup);
    expect(primitive.standardizedCell.sites).toHaveLength(first.standardizedCell.sites.length);
  });

  it.each(crystals)('%s: the result is the same for any cell and origin', (_name, crystal) => {
    const random = seededRandom(23);
    const plain = analyzeSymmetry(crystal);
    for (let run = 0; run < 4; run++) {
      const other = permuteSites(
        rotate(
          shiftOrigin(changeBasis(crystal, randomUnimodular(random)), [random(), random(), random()]),
          randomRotation(random),
        ),
        random,
      );
      const found = analyzeSymmetry(other);
      expect(found.spaceGroup).toEqual(plain.spaceGroup);
      expect(found.operations).toHaveLength(plain.operations.length);
      expect(found.wyckoffs.length).toBe(plain.wyckoffs.length);
      expect(cellVolume(standardCells(found).primitive.latticeVectors)).toBeCloseTo(
        cellVolume(standardCells(plain).primitive.latticeVectors),
        6,
      );
    }
  });

  it('conventional vectors keep the orientation of the input and span the standard cell', () => {
    const random = seededRandom(37);
    for (const crystal of [rutile, quartz, diamond, lithiumIronPhosphate]) {
      const turned = rotate(changeBasis(crystal, randomUnimodular(random)), randomRotation(random));
      const { conventionalVectors, standardizedCell } = analyzeSymmetry(turned);
      const [found, ideal] = [conventionalVectors, standardizedCell.latticeVectors].map(latticeParameters);
      for (const key of ['a', 'b', 'c', 'alpha', 'beta', 'gamma'] as const)
        expect(found[key]).toBeCloseTo(ideal[key], 4);
      const inverse = inverse3(turned.latticeVectors);
      for (const value of multiply3(conventionalVectors, inverse).flat())
        expect(value).toBeCloseTo(Math.round(value), 6);
    }
  });

  it.each(crystals)(
    '%s: a large supercell has the symmetry of the crystal and all its translations',
    (_name, crystal) => {
      const plain = analyzeSymmetry(crystal);
      const cells = Math.ceil(SUPERCELL_SITES / crystal.sites.length);
      const large = permuteSites(
        changeBasis(crystal, [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, cells],
        ]),
        seededRandom(41),
      );
      const found = analyzeSymmetry(large);
      expect(large.sites.length).toBeGreaterThanOrEqual(SUPERCELL_SITES);
      expect(found.spaceGroup.number).toBe(plain.spaceGroup.number);
      const direct = analyzeSymmetry(
        changeBasis(crystal, [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 2],
        ]),
      );
      expect(found.operations.length / cells).toBe(direct.operations.length / 2);
      for (const operation of found.operations.filter((_operation, index) => index % 7 === 0))
        for (const { species, fractionalCoords } of large.sites)
          expect(
            distanceToSite(large, applySymmetryOperation(operation, fractionalCoords), species[0].element),
          ).toBeLessThan(0.01);
    },
  );

  it('a supercell of 256 cells along one direction has each lattice translation listed once', () => {
    const cells = 256;
    const atom: Structure = {
      latticeVectors: [
        [3.35, 0, 0],
        [0, 3.41, 0],
        [0, 0, 3.52],
      ],
      sites: [{ species: [{ element: 'Po', occupancy: 1 }], fractionalCoords: [0, 0, 0] }],
    };
    const rows: Mat3 = [
      [cells, 0, 0],
      [182, 1, 0],
      [122, 0, 1],
    ];
    // Describes the lattice by its shortest vectors, because long, thin cells are not analysed.
    const compact = multiply3(
      reduceMinkowski(multiply3(rows, atom.latticeVectors)),
      inverse3(atom.latticeVectors),
    );
    const { operations } = analyzeSymmetry(
      changeBasis(atom, compact.map((row) => row.map(Math.round)) as unknown as Mat3),
    );
    const translations = operations
      .filter(({ rotation }) => rotation.join() === '1,0,0,0,1,0,0,0,1')
      .map(({ translation }) => translation.map((value) => value * cells));
    expect(translations.flat().every((value) => Math.abs(value - Math.round(value)) < 1e-6)).toBe(true);
    expect(translations).toHaveLength(cells);
    expect(new Set(translations.map((steps) => steps.map(Math.round).join())).size).toBe(cells);
  });

  it('a mixed site counts as one species: ordering it lowers the symmetry', () => {
    const [caesium, chlorine] = caesiumChloride.sites;
    const mixed: Structure = {
      ...caesiumChloride,
      sites: [
        {
          ...caesium,
          species: [
            { element: 'Cs', occupancy: 0.5 },
            { element: 'Rb', occupancy: 0.5 },
          ],
        },
        chlorine,
      ],
    };
    expect(analyzeSymmetry(mixed).spaceGroup.number).toBe(221);
    expect(analyzeSymmetry(mixed).standardizedCell.sites[0].species).toHaveLength(2);
    const doubled = changeBasis(caesiumChloride, [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 2],
    ]);
    const first = doubled.sites.findIndex(({ species }) => species[0].element === 'Cs');
    const ordered = {
      ...doubled,
      sites: doubled.sites.map((site, index) =>
        index === first ? { ...site, species: [{ element: 'Rb', occupancy: 1 }] } : site,
      ),
    };
    expect(analyzeSymmetry(ordered).spaceGroup.number).toBe(123);
  });

  it('a larger symprec ignores a small distortion, and the dataset contains the value used', () => {
    const distorted: Structure = {
      ...rutile,
      sites: rutile.sites.map((site, index) =>
        index === 2 ? { ...site, fractionalCoords: [0.3111, 0.3051, 0.002] as Vec3 } : site,
      ),
    };
    expect(analyzeSymmetry(distorted).spaceGroup.number).not.toBe(136);
    expect(analyzeSymmetry(distorted, { symprec: 0.1 }).spaceGroup.number).toBe(136);
    expect(analyzeSymmetry(distorted, { symprec: 0.1 }).symprec).toBe(0.1);
  });
});
