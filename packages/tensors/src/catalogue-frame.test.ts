/** Rotates tensors into the frame of the catalogue's cells, with the rotation from @unitcell/symmetry. */
import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import { IDENTITY3, type Mat3, multiply3, seededRandom, transpose3 } from '@unitcell/numerics';
import { catalogueCells, pointRotations } from '@unitcell/symmetry';
import { describe, expect, it } from 'vitest';
import { elasticModuli } from './elastic-moduli.ts';
import {
  rotateDielectric,
  rotatePiezoelectric,
  rotateStiffness,
  symmetriseTensor,
  symmetryDeviation,
  TENSOR_SYMMETRY_TOLERANCE,
} from './rotate-tensors.ts';

type Matrix = readonly (readonly number[])[];

const zincOxide: Structure = {
  latticeVectors: latticeVectorsFromParameters({
    a: 3.25,
    b: 3.25,
    c: 5.2,
    alpha: 90,
    beta: 90,
    gamma: 120,
  }),
  sites: [
    orderedSite('Zn', [1 / 3, 2 / 3, 0]),
    orderedSite('Zn', [2 / 3, 1 / 3, 0.5]),
    orderedSite('O', [1 / 3, 2 / 3, 0.3821]),
    orderedSite('O', [2 / 3, 1 / 3, 0.8821]),
  ],
};

/** α-quartz: L. Levien et al., Am. Mineral. 65 (1980) 920; P3_221. */
const quartz: Structure = {
  latticeVectors: latticeVectorsFromParameters({
    a: 4.916,
    b: 4.916,
    c: 5.4054,
    alpha: 90,
    beta: 90,
    gamma: 120,
  }),
  sites: [
    ...[
      [0.4697, 0, 0],
      [0, 0.4697, 2 / 3],
      [-0.4697, -0.4697, 1 / 3],
    ].map(([x, y, z]) => orderedSite('Si', [x, y, z])),
    ...[
      [0.4135, 0.2669, 0.1191],
      [-0.2669, 0.1466, 0.7857667],
      [-0.1466, -0.4135, 0.4524333],
      [0.1466, -0.2669, -0.1191],
      [0.2669, 0.4135, 0.5475667],
      [-0.4135, -0.1466, 0.2142333],
    ].map(([x, y, z]) => orderedSite('O', [x, y, z])),
  ],
};

/** A fictitious monoclinic crystal, P2/m. */
const monoclinic: Structure = {
  latticeVectors: latticeVectorsFromParameters({
    a: 5.1,
    b: 4.3,
    c: 6.2,
    alpha: 90,
    beta: 103,
    gamma: 90,
  }),
  sites: [
    orderedSite('Ti', [0, 0, 0]),
    orderedSite('O', [0.21, 0, 0.37]),
    orderedSite('O', [-0.21, 0, -0.37]),
    orderedSite('Sr', [0.5, 0.5, 0.5]),
  ],
};

const wurtziteStiffness: Matrix = [
  [210, 120, 105, 0, 0, 0],
  [120, 210, 105, 0, 0, 0],
  [105, 105, 400, 0, 0, 0],
  [0, 0, 0, 42, 0, 0],
  [0, 0, 0, 0, 42, 0],
  [0, 0, 0, 0, 0, 45],
];
const wurtzitePiezo: Matrix = [
  [0, 0, 0, 0, -0.4, 0],
  [0, 0, 0, -0.4, 0, 0],
  [-0.5, -0.5, 1.2, 0, 0, 0],
];

/** Cyclic permutation of the axes: x becomes y, y becomes z, z becomes x. */
const PERMUTED: Mat3 = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
];

const turned = (structure: Structure, rotation: Mat3): Structure => ({
  latticeVectors: multiply3(structure.latticeVectors, transpose3(rotation)),
  sites: structure.sites,
});

/** A rotation about three axes by random angles. */
function randomRotation(random: () => number): Mat3 {
  const about = (axis: 0 | 1): Mat3 => {
    const [c, s] = [Math.cos(7 * random()), Math.sin(7 * random())];
    const size = Math.hypot(c, s);
    const [u, v] = [c / size, s / size];
    return axis === 0
      ? [
          [1, 0, 0],
          [0, u, -v],
          [0, v, u],
        ]
      : [
          [u, -v, 0],
          [v, u, 0],
          [0, 0, 1],
        ];
  };
  return multiply3(multiply3(about(1), about(0)), about(1));
}

const largestMiss = (found: Matrix, expected: Matrix): number =>
  Math.max(...found.flatMap((row, i) => row.map((value, j) => Math.abs(value - expected[i][j]))));

/** Returns +1 if oxygen is 0.38 c above its zinc, −1 if it is below. */
function polarity({ sites }: Structure): number {
  const height = (element: string): number =>
    sites.find(
      ({ species, fractionalCoords: [x] }) =>
        species[0].element === element && Math.abs(x - Math.floor(x) - 1 / 3) < 0.1,
    )!.fractionalCoords[2];
  const above = height('O') - height('Zn');
  return Math.abs(above - Math.floor(above) - 0.3821) < 0.01 ? 1 : -1;
}

describe('wurtzite ZnO, once with c along z and once with its axes permuted', () => {
  const frames = [
    ['c along z', zincOxide, IDENTITY3],
    ['c along x', turned(zincOxide, PERMUTED), PERMUTED],
    [
      'c along −y, oblique',
      turned(zincOxide, randomRotation(seededRandom(2))),
      randomRotation(seededRandom(2)),
    ],
  ] as const;

  it.each(frames)('%s: the stored stiffness is the same, C33 = 400', (_name, structure, frame) => {
    const { rotation, conventional } = catalogueCells(structure);
    const given = rotateStiffness(wurtziteStiffness, frame);
    const stored = rotateStiffness(given, rotation);
    expect(conventional.structure.latticeVectors[2][2]).toBeCloseTo(5.2, 9);
    expect(stored[2][2]).toBeCloseTo(400, 8);
    expect(largestMiss(stored, wurtziteStiffness)).toBeLessThan(1e-6);
  });

  it.each(frames)(
    '%s: the stored piezoelectric tensor has the sign that the polarity of the cell requires',
    (_name, structure, frame) => {
      const { rotation, conventional } = catalogueCells(structure);
      const stored = rotatePiezoelectric(rotatePiezoelectric(wurtzitePiezo, frame), rotation);
      const sign = polarity(conventional.structure);
      expect(
        largestMiss(
          stored,
          wurtzitePiezo.map((row) => row.map((value) => sign * value)),
        ),
      ).toBeLessThan(1e-6);
    },
  );

  it('symmetryDeviation detects a tensor that refers to the permuted axes', () => {
    const cells = catalogueCells(frames[1][1]);
    const [group, { rotation }] = [pointRotations(cells), cells];
    const given = rotateStiffness(wurtziteStiffness, PERMUTED);
    expect(symmetryDeviation(given, group)).toBeGreaterThan(TENSOR_SYMMETRY_TOLERANCE);
    expect(symmetryDeviation(rotateStiffness(given, rotation), group)).toBeLessThan(1e-8);
  });
});

describe('the tensors of a crystal in any orientation', () => {
  const positive = (random: () => number): number[][] => {
    const half = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => random()));
    return half.map((row, i) =>
      half.map((other, j) => 50 * (i === j ? 2 : 0) + 10 * row.reduce((s, v, k) => s + v * other[k], 0)),
    );
  };

  it.each([
    ['quartz', quartz],
    ['wurtzite', zincOxide],
    ['a monoclinic crystal', monoclinic],
  ])('%s: in the frame of its cells it obeys the point group and keeps its invariants', (_name, crystal) => {
    const random = seededRandom(31);
    const plain = catalogueCells(crystal);
    const inCrystal = (tensor: Matrix): number[][] => symmetriseTensor(tensor, pointRotations(plain));
    const stiffness = inCrystal(positive(random));
    const piezo = inCrystal(Array.from({ length: 3 }, () => Array.from({ length: 6 }, random)));
    const dielectric = inCrystal(
      positive(random)
        .slice(0, 3)
        .map((row) => row.slice(0, 3)),
    );
    // The tensors in the frame of the original crystal, compared with those in the frame of a rotated copy.
    const typed = transpose3(plain.rotation);
    for (let run = 0; run < 5; run++) {
      const turn = multiply3(randomRotation(random), typed);
      const cells = catalogueCells(turned(crystal, multiply3(turn, transpose3(typed))));
      const [group, { rotation }] = [pointRotations(cells), cells];
      const stored = rotateStiffness(rotateStiffness(stiffness, turn), rotation);
      expect(symmetryDeviation(stored, group)).toBeLessThan(1e-6);
      expect(elasticModuli(stored).bulk.hill).toBeCloseTo(elasticModuli(stiffness).bulk.hill, 8);
      const storedPiezo = rotatePiezoelectric(rotatePiezoelectric(piezo, turn), rotation);
      expect(symmetryDeviation(storedPiezo, group)).toBeLessThan(1e-6);
      const storedDielectric = rotateDielectric(rotateDielectric(dielectric, turn), rotation);
      expect(symmetryDeviation(storedDielectric, group)).toBeLessThan(1e-6);
    }
  });
});
