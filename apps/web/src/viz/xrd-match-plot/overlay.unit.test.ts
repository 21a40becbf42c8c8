import { describe, expect, it } from 'vitest';
import { bestScale, overlayOf, resample, thinned } from './overlay.ts';

describe('resample', () => {
  const curve = { x: [10, 20, 40], y: [0, 10, 30] };

  it('is linear between points and zero outside them', () => {
    expect(resample(curve, [5, 10, 15, 20, 30, 40, 41])).toEqual([0, 0, 5, 10, 20, 30, 0]);
  });

  it('of an empty curve is zero everywhere', () => {
    expect(resample({ x: [], y: [] }, [1, 2])).toEqual([0, 0]);
  });
});

describe('bestScale', () => {
  it('finds the factor of a scaled copy, and none between strangers', () => {
    expect(bestScale([2, 4, 6], [1, 2, 3])).toBeCloseTo(2);
    expect(bestScale([1, 0, 0], [0, 0, 1])).toBe(0);
    expect(bestScale([1, 2], [0, 0])).toBe(0);
  });
});

describe('overlayOf', () => {
  it('leaves nothing of a measurement that is the reference on another scale', () => {
    const x = Array.from({ length: 50 }, (_, i) => i);
    const peak = x.map((angle) => Math.exp(-((angle - 25) ** 2) / 8));
    const { scale, difference } = overlayOf({ x, y: peak.map((value) => 340 * value) }, { x, y: peak });
    expect(scale).toBeCloseTo(340);
    expect(Math.max(...difference.map(Math.abs))).toBeLessThan(1e-9);
  });

  it('stands on the background that is still there', () => {
    const x = [1, 2, 3];
    const { calculated, difference } = overlayOf({ x, y: [7, 27, 7] }, { x, y: [0, 100, 0] }, [7, 7, 7]);
    expect(calculated).toEqual([7, 27, 7]);
    expect(difference).toEqual([0, 0, 0]);
  });
});

describe('thinned', () => {
  const x = Array.from({ length: 40_000 }, (_, i) => i / 400);
  const y = x.map((_, i) => (i === 12_345 ? 900 : i % 7));

  it('keeps the range, the order and every peak', () => {
    const { x: angles, y: values } = thinned({ x, y });
    expect(angles.length).toBeLessThanOrEqual(6000);
    expect(Math.max(...values)).toBe(900);
    expect(angles).toEqual(angles.toSorted((a, b) => a - b));
  });

  it('leaves short curves alone', () => {
    const curve = { x: [1, 2], y: [3, 4] };
    expect(thinned(curve)).toBe(curve);
  });
});
