import type { Structure } from '@unitcell/crystal';
import { norm3, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { phononFrequencies } from '../phonons.ts';
import { magneticOperations, type Moment } from '../site-symmetry.ts';
import { cubicOperationsOf } from '../testing/cubic-operations.ts';
import { springDdb } from '../testing/small-phonon-files.ts';
import { readAbinitDdb } from './abinit-ddb.ts';
import { readPhonopy } from './phonopy.ts';

/** The face-centred cubic cell: layers along c with alternate moments. */
const CELL: readonly (readonly [Vec3, number])[] = [
  [[0, 0, 0], 1],
  [[0.5, 0.5, 0], 1],
  [[0.5, 0, 0.5], -1],
  [[0, 0.5, 0.5], -1],
];
const EDGE = 3.6;
const REPEATS = 2;
/** eV/Å², between neighbours with equal and with opposite moments. */
const SPRINGS = { equal: 3, opposite: 1 } as const;
const STEP = 0.01;

const range = Array.from({ length: REPEATS }, (_, k) => k);
const ATOMS = CELL.flatMap(([[x, y, z], moment]) =>
  range.flatMap((c) =>
    range.flatMap((b) => range.map((a) => ({ place: [x + a, y + b, z + c] as Vec3, moment }))),
  ),
);

/** Second derivatives of the energy for two atoms, with springs along the bonds between neighbours. */
function block(i: number, j: number): Vec3[] {
  const found: [number[], number[], number[]] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  ATOMS.forEach((other, k) => {
    const wrapped = other.place.map((x, axis) => {
      const step = x - ATOMS[i].place[axis];
      return step - REPEATS * Math.round(step / REPEATS);
    }) as unknown as Vec3;
    const length = norm3(wrapped);
    if (Math.abs(length - Math.SQRT1_2) > 1e-6 || (j !== i && j !== k)) return;
    const spring = SPRINGS[other.moment === ATOMS[i].moment ? 'equal' : 'opposite'];
    for (const a of [0, 1, 2])
      for (const b of [0, 1, 2])
        found[a][b] += ((j === i ? 1 : -1) * spring * wrapped[a] * wrapped[b]) / length ** 2;
  });
  return found as unknown as Vec3[];
}

const list = (values: readonly unknown[]): string => `[ ${values.join(', ')} ]`;
const DIAGONAL = (size: number): string =>
  [0, 1, 2].map((i) => `- ${list([0, 1, 2].map((j) => (i === j ? size : 0)))}`).join('\n  ');

/** @param primitive lines of `primitive_matrix` */
const yamlOf = (primitive: string, momentOf: (sign: number) => string): string => `unit_cell:
  lattice:
  ${DIAGONAL(EDGE)}
  points:
${CELL.map(([place, sign]) => `  - symbol: Fe\n    coordinates: ${list(place)}\n    magnetic_moment: ${momentOf(sign)}`).join('\n')}
${primitive}
supercell_matrix:
  ${DIAGONAL(REPEATS)}
`;

const tools = { primitiveOf: (structure: Structure) => structure, operationsOf: cubicOperationsOf };
const WHOLE = `primitive_matrix:\n  ${DIAGONAL(1)}`;
const FACE_CENTRED = 'primitive_matrix:\n- [ 0, 0.5, 0.5 ]\n- [ 0.5, 0, 0.5 ]\n- [ 0.5, 0.5, 0 ]';

describe('forces of an antiferromagnetic crystal', () => {
  const forceSets = [
    ATOMS.length,
    2,
    ...[0, 2].flatMap((axis) => [
      1,
      [0, 1, 2].map((k) => (k === axis ? STEP : 0)).join(' '),
      ...ATOMS.map((_, j) =>
        block(0, j)
          .map((row) => -STEP * row[axis])
          .join(' '),
      ),
    ]),
  ].join('\n');
  const forceConstants = [
    ATOMS.length,
    ...ATOMS.flatMap((_, i) =>
      ATOMS.flatMap((_other, j) => [`${i + 1} ${j + 1}`, ...block(i, j).map((row) => row.join(' '))]),
    ),
  ].join('\n');

  it.each([
    ['signed moments', WHOLE, String],
    ['vectors', WHOLE, (sign: number) => list([0, 0, sign])],
    ['a primitive cell that would merge opposite moments', FACE_CENTRED, String],
  ])('with %s give the frequencies of its force constants', (_, primitive, momentOf) => {
    const yaml = yamlOf(primitive, momentOf);
    const [ofForces, known] = [{ forceSets }, { forceConstants }].map((files) =>
      phononFrequencies(readPhonopy({ yaml, ...files }, tools)),
    );
    for (const q of [
      [0, 0, 0.5],
      [0.5, 0, 0],
      [0.1, 0.2, 0.3],
    ] as const) {
      expect(known(q)).toHaveLength(12);
      known(q).forEach((frequency, mode) => expect(ofForces(q)[mode]).toBeCloseTo(frequency, 5));
    }
  });
});

it.each<[string, readonly Moment[], number]>([
  ['no moments', [0, 0, 0, 0], 192],
  ['a ferromagnet whose axis does not matter', [2, 2, 2, 2], 192],
  ['a ferromagnet along c', Array.from({ length: 4 }, () => [0, 0, 2] as const), 64],
  ['layers of alternate moments', [2, 2, -2, -2], 64],
  ['layers of alternate moments along a', [1, 1, -1, -1].map((sign) => [2 * sign, 0, 0] as const), 32],
  ['moments of two sizes', [2, 1, 1, 1], 48],
])('%s keep the right operations of the 192 of a face-centred cubic cell', (_, moments, count) => {
  const structure: Structure = {
    latticeVectors: [
      [EDGE, 0, 0],
      [0, EDGE, 0],
      [0, 0, EDGE],
    ],
    sites: CELL.map(([fractionalCoords]) => ({
      species: [{ element: 'Fe', occupancy: 1 }],
      fractionalCoords,
    })),
  };
  expect(magneticOperations(structure, cubicOperationsOf(structure), moments)).toHaveLength(count);
});

it('a DDB with moments along an axis is not completed by rotations of that axis', () => {
  const magnetic = springDdb().replace('    typat', '    nspden  4\n    spinat  0 0 1 0 0 1\n    typat');
  expect(() => readAbinitDdb(magnetic, tools)).toThrow(/of the 8 wave vectors/);
});
