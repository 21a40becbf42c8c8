import { describe, expect, it } from 'vitest';
import { seededRandom } from '@unitcell/numerics';
import { placeOf, shownNumber, ticksFromZero, ticksOf } from './scales.ts';
import { nearestPoint } from './scatter.tsx';

describe('ticksOf', () => {
  it('are round and inside the range', () => {
    expect(ticksOf({ from: -0.1, to: 1.05 })).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });
});

describe('ticksFromZero', () => {
  it.each([
    [
      [-3.51, -3.32],
      [-4, -2, 0],
    ],
    [
      [0, 0.4],
      [0, 0.2, 0.4],
    ],
    [
      [92, 101, 48, 57],
      [0, 50, 100, 150],
    ],
    [
      [-0.6, 0.6],
      [-1, -0.5, 0, 0.5, 1],
    ],
    [
      [0, 0],
      [0, 0.5, 1],
    ],
  ])('of %j are %j: zero and all of them lie between the ends', (values, ticks) => {
    expect(ticksFromZero(values)).toEqual(ticks);
  });
});

it('the nearest-point search finds the same point as a plain sort by distance, and none out of reach', () => {
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

it('numbers are formatted with four digits and a true minus sign', () => {
  expect([-1, 0.037283, 1234567, 0.1 + 0.2].map(shownNumber)).toEqual([
    '\u22121',
    '0.03728',
    '1235000',
    '0.3',
  ]);
});
