import { describe, expect, it } from 'vitest';
import { seededRandom } from '@unitcell/numerics';
import {
  extentOf,
  histogramPath,
  placeOf,
  rangeBetween,
  shownNumber,
  ticksFromZero,
  ticksOf,
} from './scales.ts';
import { drawPoints, nearestPoint } from './scatter.tsx';

describe('ticksOf', () => {
  it('are round and inside the range', () => {
    expect(ticksOf({ from: -0.1, to: 1.05 })).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });
});

describe('a logarithmic axis', () => {
  it('has its powers of ten at equal distances and shows only positive numbers', () => {
    const extent = extentOf([0.01, 0, -5, 1, 1000], true);
    const [, , tenth = 0, one = 0, ten = 0] = [0.001, 0.01, 0.1, 1, 10].map((value) =>
      placeOf(extent, value),
    );
    expect(one - tenth).toBeCloseTo(ten - one, 12);
    expect([placeOf(extent, 0), placeOf(extent, -5)]).toEqual([Number.NaN, Number.NaN]);
  });
  it.each([
    [0.02, 3, [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]],
    [0.5, 30_000, [1, 10, 100, 1000, 10_000]],
    [1e-12, 1, [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 0.01, 1]],
  ])('from %d to %d has the ticks %j', (from, to, ticks) => {
    expect(ticksOf({ from, to, isLog: true })).toEqual(ticks);
  });
  it('converts two positions to the range between them, and back', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 100; round++) {
      const from = 10 ** (8 * random() - 4);
      const extent = { from, to: from * 10 ** (0.5 + 5 * random()), isLog: true };
      const [a, b] = [random(), random()];
      const range = rangeBetween(extent, a, b);
      expect(placeOf(extent, range.from)).toBeCloseTo(Math.min(a, b), 2);
      expect(placeOf(extent, range.to)).toBeCloseTo(Math.max(a, b), 2);
    }
  });
  it('of numbers that are all zero still has a valid range', () => {
    expect(extentOf([0, 0], true)).toEqual({ from: 1, to: 10, isLog: true });
  });
});

it('a histogram counts each number once, and draws its highest bar over the whole height', () => {
  const values = [0, 0.001, 0.5, 1];
  const tops = [...histogramPath({ from: 0, to: 1 }, values).matchAll(/V([\d.]+)H/g)].map(
    ([, top]) => 1 - Number(top),
  );
  expect(tops.reduce((sum, top) => sum + 2 * top, 0)).toBe(values.length);
  expect([tops[0], tops[24], tops[47]]).toEqual([1, 0.5, 0.5]);
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

it('a point without a value on the colour scale does not have the colour of the lowest value', () => {
  let drawn = new Uint8ClampedArray();
  const context = {
    canvas: { width: 20, height: 20 },
    createImageData: (width: number, height: number) => ({ data: new Uint8ClampedArray(4 * width * height) }),
    putImageData: ({ data }: ImageData) => {
      drawn = data;
    },
  } as unknown as CanvasRenderingContext2D;
  const unit = { from: 0, to: 1 };
  const look = {
    x: unit,
    y: unit,
    color: unit,
    low: '#000080',
    high: '#ffff00',
    unknown: '#cccccc',
    size: 1,
  };
  const colorAt = (color: readonly (number | null)[] | null): string => {
    drawPoints(context, { x: [0.5], y: [0.5], color }, look);
    const at = drawn.findIndex((value, place) => place % 4 === 3 && value > 0) - 3;
    return drawn.slice(at, at + 3).join();
  };
  expect([colorAt([0]), colorAt([1]), colorAt([null]), colorAt(null)]).toEqual([
    '0,0,128',
    '255,255,0',
    '204,204,204',
    '0,0,128',
  ]);
});
