import {
  type Mat3,
  multiply3,
  seededRandom,
  symmetricEigen,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { elasticModuli } from './elastic-moduli.ts';
import { piezoelectricProperties } from './electric-tensors.ts';
import {
  rotateDielectric,
  rotatePiezoelectric,
  rotateStiffness,
  symmetriseTensor,
  symmetryDeviation,
  TENSOR_SYMMETRY_TOLERANCE,
} from './rotate-tensors.ts';
import { VOIGT_PAIRS } from './voigt.ts';

type Matrix = readonly (readonly number[])[];

/** A rotation by a random unit quaternion (Shoemake). */
function randomRotation(random: () => number): Mat3 {
  const [p, q, r] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
  const [w, x] = [Math.sqrt(1 - p) * Math.sin(q), Math.sqrt(1 - p) * Math.cos(q)];
  const [y, z] = [Math.sqrt(p) * Math.sin(r), Math.sqrt(p) * Math.cos(r)];
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
}

const randomMatrix = (rows: number, columns: number, random: () => number): number[][] =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => 2 * random() - 1));

const symmetricPart = (matrix: Matrix): number[][] =>
  matrix.map((row, i) => row.map((value, j) => (value + matrix[j][i]) / 2));

const inverted: Mat3 = [
  [-1, 0, 0],
  [0, -1, 0],
  [0, 0, -1],
];

const largestMiss = (found: Matrix, expected: Matrix): number =>
  Math.max(...found.flatMap((row, i) => row.map((value, j) => Math.abs(value - expected[i][j]))));

const times = (matrix: Matrix, column: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, value, k) => sum + value * column[k], 0));

/** The six engineering strains of a symmetric 3×3 strain. */
const voigtStrain = (strain: Matrix): number[] =>
  VOIGT_PAIRS.map(([i, j]) => (i === j ? strain[i][j] : 2 * strain[i][j]));

const voigtOf = (i: number, j: number): number =>
  VOIGT_PAIRS.findIndex(([k, l]) => (k === i && l === j) || (k === j && l === i));

const AXES = [0, 1, 2] as const;

const ranks = [
  ['dielectric', 3, 3, rotateDielectric],
  ['piezoelectric', 3, 6, rotatePiezoelectric],
  ['stiffness', 6, 6, rotateStiffness],
] as const;

const tensorOf = (rows: number, columns: number, random: () => number): number[][] => {
  const tensor = randomMatrix(rows, columns, random);
  return rows === columns ? symmetricPart(tensor) : tensor;
};

describe.each(ranks)('rotating the %s tensor', (name, rows, columns, rotate) => {
  it('by two rotations equals rotating it by their product, and the inverse rotation restores it', () => {
    const random = seededRandom(7);
    for (let run = 0; run < 20; run++) {
      const [first, second] = [randomRotation(random), randomRotation(random)];
      const tensor = tensorOf(rows, columns, random);
      expect(
        largestMiss(rotate(rotate(tensor, first), second), rotate(tensor, multiply3(second, first))),
      ).toBeLessThan(1e-10);
      expect(largestMiss(rotate(rotate(tensor, first), transpose3(first)), tensor)).toBeLessThan(1e-10);
    }
  });

  it(`inversion ${name === 'piezoelectric' ? 'changes the sign' : 'changes nothing'}`, () => {
    const tensor = tensorOf(rows, columns, seededRandom(8));
    const sign = name === 'piezoelectric' ? -1 : 1;
    expect(
      largestMiss(
        rotate(tensor, inverted),
        tensor.map((row) => row.map((value) => sign * value)),
      ),
    ).toBeLessThan(1e-10);
  });

  it('the mean over a group has the symmetry of the group, and averaging it again does not change it', () => {
    const quarter: Mat3 = [
      [0, -1, 0],
      [1, 0, 0],
      [0, 0, 1],
    ];
    const half = multiply3(quarter, quarter);
    const frame = randomRotation(seededRandom(9));
    const group = [multiply3(half, half), quarter, half, multiply3(half, quarter)].map((operation) =>
      multiply3(multiply3(frame, operation), transpose3(frame)),
    );
    const tensor = tensorOf(rows, columns, seededRandom(10));
    const mean = symmetriseTensor(tensor, group);
    expect(symmetryDeviation(tensor, group)).toBeGreaterThan(TENSOR_SYMMETRY_TOLERANCE);
    expect(symmetryDeviation(mean, group)).toBeLessThan(1e-12);
    expect(largestMiss(symmetriseTensor(mean, group), mean)).toBeLessThan(1e-10);
  });

  it('refuses another shape, numbers that are not finite, and a matrix that is not a rotation', () => {
    const tensor = tensorOf(rows, columns, seededRandom(11));
    const rotation = randomRotation(seededRandom(12));
    expect(() => rotate(tensor.slice(1), rotation)).toThrow(/expected \d rows of \d/);
    expect(() => rotate(tensor.with(0, tensor[0].with(0, Number.NaN)), rotation)).toThrow(/not a finite/);
    expect(() => rotate(tensor, [rotation[0], rotation[1], rotation[1]])).toThrow(/orthogonal/);
    expect(() => rotate(tensor, [[2, 0, 0], rotation[1], rotation[2]])).toThrow(/orthogonal/);
  });
});

describe('invariants under a rotation of the axes', () => {
  const random = seededRandom(13);
  const rotations = Array.from({ length: 20 }, () => randomRotation(random));

  it('include the eigenvalues of the dielectric tensor', () => {
    const tensor = tensorOf(3, 3, random);
    for (const rotation of rotations)
      symmetricEigen(rotateDielectric(tensor, rotation)).values.forEach((value, index) =>
        expect(value).toBeCloseTo(symmetricEigen(tensor).values[index], 10),
      );
  });

  it('include the bulk and shear moduli, anisotropy and Young’s modulus', () => {
    // α-quartz, GPa: R. Bechmann, Phys. Rev. 110 (1958) 1060.
    const quartz = [
      [86.74, 6.99, 11.91, -17.91, 0, 0],
      [6.99, 86.74, 11.91, 17.91, 0, 0],
      [11.91, 11.91, 107.2, 0, 0, 0],
      [-17.91, 17.91, 0, 57.94, 0, 0],
      [0, 0, 0, 0, 57.94, -17.91],
      [0, 0, 0, 0, -17.91, 39.875],
    ];
    const straight = elasticModuli(quartz);
    for (const rotation of rotations) {
      const found = elasticModuli(rotateStiffness(quartz, rotation));
      expect(found.bulk.hill).toBeCloseTo(straight.bulk.hill, 8);
      expect(found.shear.reuss).toBeCloseTo(straight.shear.reuss, 8);
      expect(found.universalAnisotropy).toBeCloseTo(straight.universalAnisotropy, 8);
      expect(found.youngModulus).toBeCloseTo(straight.youngModulus, 8);
    }
  });

  it('include the energy of a strain, ½ γᵀ C γ', () => {
    const stiffness = tensorOf(6, 6, random);
    const strain = tensorOf(3, 3, random);
    const energy = (c: Matrix, e: Matrix): number =>
      times(c, voigtStrain(e)).reduce((sum, stress, k) => sum + (stress * voigtStrain(e)[k]) / 2, 0);
    for (const rotation of rotations)
      expect(energy(rotateStiffness(stiffness, rotation), rotateDielectric(strain, rotation))).toBeCloseTo(
        energy(stiffness, strain),
        10,
      );
  });

  it('include the polarisation P = e γ of a strain, which rotates as a vector', () => {
    const piezo = tensorOf(3, 6, random);
    const strain = tensorOf(3, 3, random);
    const straight = times(piezo, voigtStrain(strain));
    for (const rotation of rotations) {
      const rotated = times(
        rotatePiezoelectric(piezo, rotation),
        voigtStrain(rotateDielectric(strain, rotation)),
      );
      rotated.forEach((value, index) => expect(value).toBeCloseTo(times(rotation, straight)[index], 10));
    }
  });

  it('include the norm of the tensors, where Σ e²ᵢⱼₖ counts shear components twice', () => {
    const square = (e: Matrix): number =>
      e.flat().reduce((sum, value, at) => sum + value * value * (at % 6 < 3 ? 1 : 2), 0);
    const piezo = tensorOf(3, 6, random);
    for (const rotation of rotations)
      expect(square(rotatePiezoelectric(piezo, rotation))).toBeCloseTo(square(piezo), 10);
  });
});

describe('Voigt matrices against the full tensors', () => {
  it('full tensors are summed term by term: e′ᵢⱼₖ = Rᵢₗ Rⱼₘ Rₖₙ eₗₘₙ and C′ᵢⱼₖₗ = Rᵢₘ Rⱼₙ Rₖₒ Rₗₚ Cₘₙₒₚ', () => {
    const random = seededRandom(17);
    const rotation = randomRotation(random);
    const piezo = tensorOf(3, 6, random);
    const stiffness = tensorOf(6, 6, random);
    const fullPiezo = (i: number, j: number, k: number): number => {
      let sum = 0;
      for (const l of AXES)
        for (const m of AXES)
          for (const n of AXES)
            sum += rotation[i][l] * rotation[j][m] * rotation[k][n] * piezo[l][voigtOf(m, n)];
      return sum;
    };
    const fullStiffness = (i: number, j: number, k: number, l: number): number => {
      let sum = 0;
      for (const m of AXES)
        for (const n of AXES)
          for (const o of AXES)
            for (const p of AXES)
              sum +=
                rotation[i][m] *
                rotation[j][n] *
                rotation[k][o] *
                rotation[l][p] *
                stiffness[voigtOf(m, n)][voigtOf(o, p)];
      return sum;
    };
    expect(
      largestMiss(
        rotatePiezoelectric(piezo, rotation),
        AXES.map((i) => VOIGT_PAIRS.map(([j, k]) => fullPiezo(i, j, k))),
      ),
    ).toBeLessThan(1e-10);
    expect(
      largestMiss(
        rotateStiffness(stiffness, rotation),
        VOIGT_PAIRS.map(([i, j]) => VOIGT_PAIRS.map(([k, l]) => fullStiffness(i, j, k, l))),
      ),
    ).toBeLessThan(1e-10);
  });
});

describe('symmetryDeviation', () => {
  const mirrors: readonly Mat3[] = [
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    inverted,
  ];

  it('is 2 for a piezoelectric tensor and a centrosymmetric group, because inversion reverses every sign', () => {
    const piezo = tensorOf(3, 6, seededRandom(23));
    expect(symmetryDeviation(piezo, mirrors)).toBeCloseTo(2, 12);
    expect(piezoelectricProperties(symmetriseTensor(piezo, mirrors)).maxResponse).toBe(0);
  });

  it('is zero for a zero tensor, which has the symmetry of every group', () => {
    expect(
      symmetryDeviation(
        [0, 1, 2].map((): Vec3 => [0, 0, 0]),
        mirrors,
      ),
    ).toBe(0);
  });
});
