import type { Mat3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { phononFrequencies } from '../phonons.ts';
import { cubicOperationsOf } from '../testing/cubic-operations.ts';
import { smallBands, smallDocument, smallMesh, springDdb, springFc } from '../testing/small-phonon-files.ts';
import { TRANSVERSE } from '../testing/spring-crystal.ts';
import { readAbinitDdb } from './abinit-ddb.ts';
import { isPymatgenPhonons, readPymatgenPhonons } from './materials-project.ts';
import { readPhonopyBands, readPhonopyMesh } from './phonopy-results.ts';
import { readQuantumEspresso } from './quantum-espresso.ts';
import { neutral } from '../dipole-interaction.ts';

const tools = { operationsOf: cubicOperationsOf };

/** The DDB with halved wave vectors; the fourth number of each line, which divides the others, is 0.5. */
const halved = (): string =>
  springDdb().replaceAll(
    /qpt {2}(\S+) {2}(\S+) {2}(\S+) {3}1\.0/g,
    (_, x, y, z) => `qpt  ${x / 2}  ${y / 2}  ${z / 2}   0.5`,
  );

describe.each([
  ['the DDB of ABINIT', () => readAbinitDdb(springDdb(), tools)],
  ['a DDB with a norm of its wave vectors', () => readAbinitDdb(halved(), tools)],
  ['the force constants of Quantum ESPRESSO', () => readQuantumEspresso(springFc())],
])('%s of a crystal of springs', (_, read) => {
  it('gives its frequencies at Γ and at half a reciprocal vector', () => {
    const at = phononFrequencies(read());
    const gamma = [...at([0, 0, 0])];
    for (const acoustic of gamma.slice(0, 3)) expect(acoustic).toBeCloseTo(0, 4);
    for (const optical of gamma.slice(3)) expect(optical).toBeCloseTo(TRANSVERSE, 4);
    // Results of phonopy 4.10.0 for the same spring constants.
    [5.1184021, 5.1184021, 5.1184021, 6.3558412, 6.3558412, 6.3558412].forEach((known, mode) =>
      expect(at([0.5, 0, 0])[mode]).toBeCloseTo(known, 4),
    );
  });
});

it('finished bands keep frequencies, wave vectors and names', () => {
  const { bands, structure } = readPhonopyBands(smallBands());
  expect(structure.sites).toHaveLength(1);
  expect(bands).toEqual([
    { q: [0, 0, 0], label: '\\Gamma', frequencies: [0, 0, 0] },
    { q: [0.25, 0, 0], frequencies: [0.25, 0.5, 0.75] },
    { q: [0.5, 0, 0], label: 'X', frequencies: [0.5, 1, 1.5] },
  ]);
});

it('a wave vector of a mesh is counted as many times as its weight', () => {
  const { mesh } = readPhonopyMesh(smallMesh());
  expect(mesh?.points).toBe(4);
  expect([...(mesh?.frequencies ?? [])]).toEqual([1, 2, 3, 3, 6, 9, 3, 6, 9, 3, 6, 9]);
});

it('a document of the Materials Project gives bands, density and thermal properties of the cell', () => {
  const document = smallDocument();
  expect(isPymatgenPhonons(document)).toBe(true);
  const { bands, density, thermal } = readPymatgenPhonons(document);
  expect(bands.map(({ label }) => label)).toEqual(['GAMMA', undefined, 'X']);
  expect(bands[2].frequencies).toEqual([2, 2, 4]);
  expect(density?.total).toEqual([0, 1, 1, 1]);
  // 24.9 J/(mol K) is 3 k for each atom.
  expect((thermal?.[1].heatCapacity ?? 0) / 8.617333e-5).toBeCloseTo(2.995, 2);
});

it('if the Born charges of three atoms do not add up to zero, each loses a third of the sum', () => {
  const diagonal = (z: number): Mat3 => [
    [z, 0, 0],
    [0, z, 0],
    [0, 0, z + 0.6],
  ];
  const [first, second, third] = neutral([diagonal(4), diagonal(-2), diagonal(-1.7)]);
  expect([first[0][0], second[0][0], third[0][0]]).toEqual(
    [3.9, -2.1, -1.8].map((z) => expect.closeTo(z, 12)),
  );
  expect([first[2][2], second[2][2], third[2][2]]).toEqual(
    [3.9, -2.1, -1.8].map((z) => expect.closeTo(z, 12)),
  );
});

describe('an error names what a file of another program lacks', () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      'a DDB without derivatives',
      () => readAbinitDdb(springDdb().split('**** Database')[0], tools),
      /holds no second derivatives/,
    ],
    [
      'a DDB of too few wave vectors',
      () => readAbinitDdb(springDdb().replace(/\n 2nd derivatives[^]*?qpt  5\.0[^]*?(?=\n 2nd)/, ''), tools),
      /of the 8 wave vectors of a 2 × 2 × 2 grid follow from it/,
    ],
    [
      'a DDB without all directions',
      () => readAbinitDdb(springDdb().replaceAll('elements :      36', 'elements :      30'), tools),
      /expected|incomplete/,
    ],
    [
      'a lattice that the file does not list',
      () => readQuantumEspresso(springFc().replace('  2    2   0', '  2    2   9')),
      /ibrav = 9 is not read/,
    ],
    [
      'a cut file',
      () => readQuantumEspresso(springFc().slice(0, 2000)),
      /expected 4 numbers|the end of the file/,
    ],
    ['bands without a list', () => readPhonopyBands('natom: 1\n'), /no list `phonon`/],
    [
      'bands of another cell',
      () =>
        readPhonopyBands(
          smallBands().replace(
            '- symbol: Po # 1\n  coordinates: [ 0.0, 0.0, 0.0 ]',
            '- symbol: Po\n  coordinates: [ 0.0, 0.0, 0.0 ]\n- symbol: Po\n  coordinates: [ 0.5, 0.5, 0.5 ]',
          ),
        ),
      /3 bands, expected 6/,
    ],
    [
      'a document without a structure',
      () => readPymatgenPhonons({ '@class': 'PhononDos', frequencies: [1], densities: [1] }),
      /no structure/,
    ],
  ])('%s', (_, read, reason) => {
    expect(read).toThrow(reason);
  });
});
