import { seededRandom } from '@unitcell/numerics';
import { expect, it } from 'vitest';
import { nearestPoint } from './scatter.tsx';
import { placeOf, shownNumber } from './scales.ts';

it('finds the point a plain sort by distance finds, and none out of reach', () => {
  const random = seededRandom(7);
  const extents = { x: { from: -2, to: 6 }, y: { from: 0, to: 1 } };
  const size = { width: 800, height: 350 };
  for (let round = 0; round < 200; round++) {
    const x = Array.from({ length: 60 }, () => 8 * random() - 2);
    const y = Array.from({ length: 60 }, random);
    const at = [random(), random()] as const;
    const distances = x.map((value, index) =>
      Math.hypot(
        (placeOf(extents.x, value) - at[0]) * size.width,
        (1 - placeOf(extents.y, y[index]!) - at[1]) * size.height,
      ),
    );
    const least = Math.min(...distances);
    expect(nearestPoint({ x, y }, extents, at, size)).toBe(least <= 10 ? distances.indexOf(least) : null);
  }
});

it('writes numbers with four digits and a true minus sign', () => {
  expect([-1, 0.037283, 1234567, 0.1 + 0.2].map(shownNumber)).toEqual([
    '\u22121',
    '0.03728',
    '1235000',
    '0.3',
  ]);
});
