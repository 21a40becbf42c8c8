import {
  latticeParameters,
  latticeVectorsFromParameters,
  orderedSite,
  type Structure,
} from '@unitcell/crystal';
import {
  determinant3,
  inverse3,
  type Mat3,
  multiply3,
  rowTimesMatrix3,
  seededRandom,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { idealiseMetric, METRIC_SYMMETRY_TOLERANCE } from './idealise-metric.ts';
import { powderPattern } from './powder-pattern.ts';

/**
 * Conventional cell of palladium, derived from the primitive cell of the Materials Project, which has five digits
 * (mp-2).
 */
const palladium: Structure = {
  latticeVectors: multiply3(
    [
      [-1, 1, 1],
      [1, -1, 1],
      [1, 1, -1],
    ],
    latticeVectorsFromParameters({
      a: 2.76995,
      b: 2.76995,
      c: 2.76995,
      alpha: 60,
      beta: 59.99998,
      gamma: 60,
    }),
  ),
  sites: (
    [
      [0, 0, 0],
      [0, 0.5, 0.5],
      [0.5, 0, 0.5],
      [0.5, 0.5, 0],
    ] as const
  ).map((position) => orderedSite('Pd', position)),
};

const cube = (a: number): Mat3 => [
  [a, 0, 0],
  [0, a, 0],
  [0, 0, a],
];

const hexagonal = latticeVectorsFromParameters({
  a: 3.2495,
  b: 3.2495,
  c: 5.2069,
  alpha: 90,
  beta: 90,
  gamma: 120,
});

const zincOxide: Structure = {
  latticeVectors: hexagonal,
  sites: [
    orderedSite('Zn', [1 / 3, 2 / 3, 0]),
    orderedSite('Zn', [2 / 3, 1 / 3, 0.5]),
    orderedSite('O', [1 / 3, 2 / 3, 0.3821]),
    orderedSite('O', [2 / 3, 1 / 3, 0.8821]),
  ],
};

const perovskite = (latticeVectors: Mat3): Structure => ({
  latticeVectors,
  sites: [
    orderedSite('Tl', [0, 0, 0]),
    orderedSite('Ag', [0.5, 0.5, 0.5]),
    orderedSite('F', [0.5, 0.5, 0]),
    orderedSite('F', [0.5, 0, 0.5]),
    orderedSite('F', [0, 0.5, 0.5]),
  ],
});

/** The lattice with every component changed by up to `size` Å. */
function shaken(latticeVectors: Mat3, size: number, random: () => number): Mat3 {
  const moved = (value: number): number => value + size * (2 * random() - 1);
  const [a, b, c] = latticeVectors;
  return [
    [moved(a[0]), moved(a[1]), moved(a[2])],
    [moved(b[0]), moved(b[1]), moved(b[2])],
    [moved(c[0]), moved(c[1]), moved(c[2])],
  ];
}

const cubicRotations: Mat3[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
].flatMap((order) =>
  Array.from({ length: 8 }, (_, signs): Mat3 => {
    const row = (axis: 0 | 1 | 2): [number, number, number] => {
      const entry = (column: number): number => (order[axis] === column ? ((signs >> axis) & 1 ? -1 : 1) : 0);
      return [entry(0), entry(1), entry(2)];
    };
    return [row(0), row(1), row(2)];
  }),
);

describe('powderPattern of a cell that is symmetric to the precision of a file', () => {
  it('palladium: {200} is one line of 6 reflections with intensity 48.4 of 100, {311} one line of 24', () => {
    const { peaks } = powderPattern(palladium);
    const [first, second, , fourth] = peaks;
    expect(first.hkls).toEqual([{ hkl: [1, 1, 1], multiplicity: 8 }]);
    expect(second.hkls).toEqual([{ hkl: [2, 0, 0], multiplicity: 6 }]);
    expect(second.intensity).toBeCloseTo(48.4, 1);
    expect(second.twoThetaDeg).toBeCloseTo(46.36, 2);
    expect(fourth.hkls).toEqual([{ hkl: [3, 1, 1], multiplicity: 24 }]);
    expect(fourth.intensity).toBeCloseTo(36.1, 1);
  });

  it.each([
    ['a cubic perovskite', perovskite(cube(4.43))],
    ['wurtzite', zincOxide],
    ['palladium', { ...palladium, latticeVectors: cube(3.917) }],
  ])('%s rounded in the fifth digit has the forms of the exact cell', (_name, exact) => {
    const random = seededRandom(11);
    const expected = powderPattern(exact).peaks;
    for (let run = 0; run < 10; run++) {
      const latticeVectors = shaken(exact.latticeVectors, 1e-5, random);
      const { peaks } = powderPattern({ ...exact, latticeVectors });
      expect(peaks.map(({ hkls }) => hkls)).toEqual(expected.map(({ hkls }) => hkls));
      peaks.forEach((peak, index) => {
        expect(Math.abs(peak.twoThetaDeg - expected[index].twoThetaDeg)).toBeLessThan(0.002);
        expect(Math.abs(peak.intensity - expected[index].intensity)).toBeLessThan(0.02);
      });
    }
  });

  it('a real tetragonal distortion of 0.1 % keeps separate lines', () => {
    const [a, b] = cube(4.43);
    const { peaks } = powderPattern(perovskite([a, b, [0, 0, 4.4344]]));
    const forms = peaks.slice(0, 2).map(({ hkls }) => hkls);
    expect(forms).toEqual([[{ hkl: [0, 0, 1], multiplicity: 2 }], [{ hkl: [1, 0, 0], multiplicity: 4 }]]);
  });

  it('operations of the space group define the forms at any distortion: TlAgF3 with angles half a degree off', () => {
    const distorted = perovskite(
      latticeVectorsFromParameters({
        a: 4.42771,
        b: 4.42771,
        c: 4.42941,
        alpha: 89.5328,
        beta: 89.5328,
        gamma: 89.5883,
      }),
    );
    const split = powderPattern(distorted).peaks;
    const { peaks } = powderPattern(distorted, { symmetryRotations: cubicRotations });
    const ideal = powderPattern(perovskite(cube(4.42828))).peaks;
    expect(split.length).toBeGreaterThan(2 * ideal.length);
    expect(peaks.map(({ hkls }) => hkls)).toEqual(ideal.map(({ hkls }) => hkls));
    peaks.forEach((peak, index) => {
      expect(Math.abs(peak.twoThetaDeg - ideal[index].twoThetaDeg)).toBeLessThan(0.01);
      expect(Math.abs(peak.intensity - ideal[index].intensity)).toBeLessThan(0.05);
    });
  });
});

describe('idealiseMetric', () => {
  it('returns an exact or a triclinic cell unchanged', () => {
    const triclinic = latticeVectorsFromParameters({ a: 5, b: 6, c: 7, alpha: 80, beta: 95, gamma: 103 });
    expect(idealiseMetric(triclinic)).toBe(triclinic);
    expect(idealiseMetric(cube(4))).toEqual(cube(4));
  });

  it('finds the symmetry in any basis of the lattice and keeps its volume', () => {
    const random = seededRandom(19);
    for (let run = 0; run < 40; run++) {
      const basis: Mat3 = [
        [1, Math.floor(5 * random()) - 2, 0],
        [0, 1, Math.floor(5 * random()) - 2],
        [0, 0, 1],
      ];
      const noisy = multiply3(basis, shaken(cube(4.1), 2e-5, random));
      const ideal = idealiseMetric(noisy);
      expect(Math.abs(determinant3(ideal) / determinant3(noisy) - 1)).toBeLessThan(1e-4);
      const { a, b, c, alpha, beta, gamma } = latticeParameters(multiply3(inverse3(basis), ideal));
      expect(Math.abs(b / a - 1) + Math.abs(c / a - 1)).toBeLessThan(1e-12);
      for (const angle of [alpha, beta, gamma]) expect(angle).toBeCloseTo(90, 9);
    }
  });

  it('changes lengths by no more than the tolerance', () => {
    const random = seededRandom(29);
    for (let run = 0; run < 40; run++) {
      const noisy = shaken(hexagonal, 1e-4, random);
      const ideal = idealiseMetric(noisy);
      for (const index of [
        [1, 0, 0],
        [0, 1, 2],
        [1, -1, 1],
      ] as const) {
        const [before, after] = [noisy, ideal].map((rows) => Math.hypot(...rowTimesMatrix3(index, rows)));
        expect(Math.abs(after / before - 1)).toBeLessThan(4 * METRIC_SYMMETRY_TOLERANCE);
      }
    }
  });
});
