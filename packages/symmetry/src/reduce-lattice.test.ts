import { cellVolume, obtuseSuperbase, reduceLll, reduceMinkowski } from '@unitcell/crystal';
import {
  add3,
  determinant3,
  dot3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  seededRandom,
  type Vec3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { randomUnimodular } from './testing/transform-structure.ts';

/** Random lattices, half of them in a skewed basis, some needle- and some plate-shaped. */
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
    return index % 2 === 0 ? rows : multiply3(randomUnimodular(random), rows);
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
  it('gives the successive minima whatever the original basis, right-handed', () => {
    const random = seededRandom(6);
    for (const rows of randomLattices(30, 7)) {
      const plain = reduceMinkowski(rows);
      const other = reduceMinkowski(multiply3(randomUnimodular(random), rows));
      lengths(plain).forEach((length, axis) => expect(norm3(other[axis])).toBeCloseTo(length, 8));
      expect(determinant3(plain)).toBeGreaterThan(0);
    }
  });

  it('no combination with small factors is shorter than the axis it could replace', () => {
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
