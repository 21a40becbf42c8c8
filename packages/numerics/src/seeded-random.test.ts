import { describe, expect, it } from 'vitest';
import { seededRandom } from './seeded-random.ts';

describe('seededRandom', () => {
  it('repeats its sequence for the same seed, and differs between seeds', () => {
    const take = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 5 }, random);
    };
    expect(take(7)).toEqual(take(7));
    expect(take(7)).not.toEqual(take(8));
  });

  it('is uniform on [0, 1): mean, variance and lag-one correlation of 20,000 numbers', () => {
    const random = seededRandom(1);
    const sample = Array.from({ length: 20_000 }, random);
    const mean = sample.reduce((sum, x) => sum + x, 0) / sample.length;
    const moment = (f: (x: number, i: number) => number) =>
      sample.reduce((sum, x, i) => sum + f(x, i), 0) / sample.length;
    expect(sample.every((x) => x >= 0 && x < 1)).toBe(true);
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.01);
    expect(Math.abs(moment((x) => (x - mean) ** 2) - 1 / 12)).toBeLessThan(0.003);
    expect(Math.abs(moment((x, i) => (x - mean) * ((sample[i + 1] ?? mean) - mean)))).toBeLessThan(0.003);
  });
});
