import {
  add3,
  determinant3,
  dot3,
  IDENTITY3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  type RandomSource,
  seededRandom,
  type Vec3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { cellVolume, latticeVectorsFromParameters } from './lattice.ts';
import { obtuseSuperbase, reduceCell, reduceLll, reduceMinkowski } from './reduce-lattice.ts';
import { randomUnimodular } from './testing/random-unimodular.ts';

/**
 * Random lattices: half of them in a skewed basis, some with needle-shaped and some with plate-shaped cells.
 */
function randomLattices(count: number, seed: number): Mat3[] {
  const random = seededRandom(seed);
  const entry = (): number => 2 * random() - 1;
  return Array.from({ length: count }, (_unused, index): Mat3 => {
    const stretch = 1 + 9 * random();
    const rows: Mat3 = [
      [3 + random(), entry(), entry()],
      [entry(), 3 + random(), entry()],
      [entry(), entry(), (3 + random()) * (index % 3 === 0 ? stretch : 1)],
    ];
    return index % 2 === 0 ? rows : multiply3(randomUnimodular(random, 3), rows);
  });
}

const integerRelation = (rows: Mat3, others: Mat3): number[] => multiply3(rows, inverse3(others)).flat();

const lengths = (rows: readonly Vec3[]): number[] => rows.map(norm3);

describe.each([
  ['LLL', (rows: Mat3): Mat3 => reduceLll(rows)],
  ['Minkowski', reduceMinkowski],
  [
    'Selling',
    (rows: Mat3): Mat3 => [obtuseSuperbase(rows)[0], obtuseSuperbase(rows)[1], obtuseSuperbase(rows)[2]],
  ],
] as const)('%s reduction', (_name, reduce) => {
  it('the reduced basis spans the same lattice', () => {
    for (const rows of randomLattices(40, 5)) {
      const reduced = reduce(rows);
      expect(cellVolume(reduced)).toBeCloseTo(cellVolume(rows), 8);
      for (const entry of integerRelation(reduced, rows)) expect(entry).toBeCloseTo(Math.round(entry), 8);
    }
  });
});

describe('reduceMinkowski', () => {
  it('gives the successive minima and a right-handed basis for any original basis', () => {
    const random = seededRandom(6);
    for (const rows of randomLattices(30, 7)) {
      const plain = reduceMinkowski(rows);
      const other = reduceMinkowski(multiply3(randomUnimodular(random, 3), rows));
      lengths(plain).forEach((length, axis) => expect(norm3(other[axis])).toBeCloseTo(length, 8));
      expect(determinant3(plain)).toBeGreaterThan(0);
    }
  });

  it('adding small multiples of the other axes to an axis never makes it shorter', () => {
    for (const rows of randomLattices(20, 8)) {
      const [a, b, c] = reduceMinkowski(rows);
      for (const i of [-2, -1, 0, 1, 2])
        for (const j of [-2, -1, 0, 1, 2]) {
          const along = (u: Vec3, v: Vec3, w: Vec3): number =>
            norm3(add3(add3(u, [i * v[0], i * v[1], i * v[2]]), [j * w[0], j * w[1], j * w[2]]));
          expect(along(c, a, b)).toBeGreaterThan(norm3(c) - 1e-9);
        }
      for (const i of [-2, -1, 1, 2])
        expect(norm3(add3(b, [i * a[0], i * a[1], i * a[2]]))).toBeGreaterThan(norm3(b) - 1e-9);
    }
  });
});

describe('obtuseSuperbase', () => {
  it('gives four vectors that add up to zero, with no acute angle among them', () => {
    for (const rows of randomLattices(40, 9)) {
      const base = obtuseSuperbase(rows);
      const sum = base.reduce((total, vector) => add3(total, vector));
      expect(norm3(sum)).toBeLessThan(1e-8);
      const products = base.flatMap((u, i) => base.slice(i + 1).map((v) => dot3(u, v)));
      expect(Math.max(...products)).toBeLessThan(1e-6);
    }
  });
});

const randomCell = (random: RandomSource): Mat3 =>
  latticeVectorsFromParameters({
    a: 2 + 8 * random(),
    b: 2 + 8 * random(),
    c: 2 + 8 * random(),
    alpha: 70 + 40 * random(),
    beta: 70 + 40 * random(),
    gamma: 70 + 40 * random(),
  });

describe('reduceCell', () => {
  it('reduces a basis sheared by 900 to the cube of 4 Å', () => {
    const { latticeVectors } = reduceCell([
      [4, 0, 0],
      [3600, 4, 0],
      [0, 3600, 4],
    ]);
    expect(latticeVectors.map(norm3)).toEqual([4, 4, 4]);
  });

  it('returns a reduced basis unchanged', () => {
    const cube = latticeVectorsFromParameters({ a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 });
    expect(reduceCell(cube)).toEqual({ latticeVectors: cube, toReduced: IDENTITY3, toGiven: IDENTITY3 });
  });

  it('gives exact integer transforms that are inverse to each other, and vectors as short as LLL guarantees', () => {
    const random = seededRandom(31);
    for (let run = 0; run < 500; run++) {
      const given = multiply3(randomUnimodular(random, 12), randomCell(random));
      const { latticeVectors, toReduced, toGiven } = reduceCell(given);
      expect(toReduced.flat().every(Number.isSafeInteger)).toBe(true);
      expect(multiply3(toReduced, toGiven).map((row) => row.map((value) => value + 0))).toEqual(IDENTITY3);
      expect(Math.abs(determinant3(toReduced))).toBe(1);
      // LLL with δ = ¾ in three dimensions: the product of the lengths is at most 2^(3/2) times the volume.
      const product = latticeVectors.map(norm3).reduce((a, b) => a * b);
      expect(product).toBeLessThanOrEqual(2 ** 1.5 * cellVolume(latticeVectors) * (1 + 1e-9));
    }
  });

  it.each([
    [
      [1, 0, 0],
      [2, 0, 0],
      [0, 0, 1],
    ],
    [
      [Number.NaN, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    [
      [1, 0, 0],
      [1e12, 1, 0],
      [0, 1e12, 1],
    ],
    [
      [Number.POSITIVE_INFINITY, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  ] as const)('refuses %j %j %j', (a, b, c) => {
    expect(() => reduceCell([a, b, c])).toThrow(/in a plane/);
  });
});
