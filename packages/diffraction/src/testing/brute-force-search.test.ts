import { referenceCases } from '@unitcell/tools/shared-data';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { type DtwCost, dtwDistance, euclideanDistance } from './brute-force-search.ts';

/** The definition, as a recursion over paths; only for sequences of a few points. */
function dtwByRecursion(a: readonly number[], b: readonly number[], cost: DtwCost, band: number): number {
  const width = Math.max(band, Math.abs(a.length - b.length));
  const from = (i: number, j: number): number => {
    if (i < 0 || j < 0 || Math.abs(i - j) > width) return Number.POSITIVE_INFINITY;
    const difference = Math.abs(a[i] - b[j]);
    const own = cost === 'squared' ? difference ** 2 : difference;
    if (i === 0 && j === 0) return own;
    return own + Math.min(from(i - 1, j), from(i, j - 1), from(i - 1, j - 1));
  };
  const total = from(a.length - 1, b.length - 1);
  return cost === 'squared' ? Math.sqrt(total) : total;
}

const randomList = (random: () => number, length: number): number[] =>
  Array.from({ length }, () => Math.round(random() * 10));

describe('dtwDistance', () => {
  it('is the smallest cost over all paths, with and without a band', () => {
    const random = seededRandom(3);
    for (let round = 0; round < 60; round++) {
      const a = randomList(random, 1 + Math.floor(random() * 7));
      const b = randomList(random, 1 + Math.floor(random() * 7));
      for (const cost of ['absolute', 'squared'] as const)
        for (const band of [0, 1, 2, 99])
          expect(dtwDistance(a, b, { cost, band })).toBeCloseTo(dtwByRecursion(a, b, cost, band), 10);
    }
  });

  it('is symmetric, zero between a sequence and itself, and at most the Euclidean distance', () => {
    const random = seededRandom(4);
    for (let round = 0; round < 30; round++) {
      const [a, b] = [randomList(random, 30), randomList(random, 30)];
      const options = { cost: 'squared', band: 3 } as const;
      expect(dtwDistance(a, b, options)).toBeCloseTo(dtwDistance(b, a, options), 10);
      expect(dtwDistance(a, a, options)).toBe(0);
      expect(dtwDistance(a, b, options)).toBeLessThanOrEqual(euclideanDistance(a, b) + 1e-12);
      expect(dtwDistance(a, b, { cost: 'squared', band: 0 })).toBeCloseTo(euclideanDistance(a, b), 10);
    }
  });

  it('stops early if and only if the distance exceeds the limit', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 30; round++) {
      const [a, b] = [randomList(random, 20), randomList(random, 20)];
      const exact = dtwDistance(a, b, { band: 2 });
      expect(dtwDistance(a, b, { band: 2, abandonAbove: exact })).toBe(exact);
      expect(dtwDistance(a, b, { band: 2, abandonAbove: exact - 0.5 })).toBe(Number.POSITIVE_INFINITY);
    }
  });

  it('refuses an empty sequence', () => {
    expect(() => dtwDistance([], [1])).toThrow(/0 and 1 points/);
    expect(() => euclideanDistance([1, 2], [1])).toThrow(/equal lengths/);
  });
});

interface Pairs {
  pairs: { a: number[]; b: number[] }[];
}
interface PairDistances {
  dtw_abs: number;
  dtw_squared_root: number;
}
interface ExpectedPairs {
  pairs: (PairDistances & { band: Record<string, PairDistances>; euclidean: number | null })[];
}

describe('distances: reference cases', () => {
  const cases = referenceCases<Pairs, ExpectedPairs>('dtw').filter((one) => 'pairs' in one.input);
  it.each(cases.map((one) => [one.id, one] as const))('%s', (_, one) => {
    for (const [index, { a, b }] of one.input.pairs.entries()) {
      const expected = one.expected.pairs[index];
      expect(dtwDistance(a, b)).toBeCloseTo(expected.dtw_abs, 7);
      expect(dtwDistance(a, b, { cost: 'squared' })).toBeCloseTo(expected.dtw_squared_root, 7);
      for (const [band, values] of Object.entries(expected.band)) {
        expect(dtwDistance(a, b, { band: Number(band) })).toBeCloseTo(values.dtw_abs, 7);
        expect(dtwDistance(a, b, { band: Number(band), cost: 'squared' })).toBeCloseTo(
          values.dtw_squared_root,
          7,
        );
      }
      // Sequences of different lengths have no Euclidean distance, so the reference has null.
      const euclidean = a.length === b.length ? euclideanDistance(a, b) : null;
      expect(Math.abs((euclidean ?? 0) - (expected.euclidean ?? 0))).toBeLessThan(1e-7);
    }
  });
});

interface Ranking {
  query: number[];
  library: Record<string, number[]>;
  band: number;
}
interface ExpectedRanking {
  distances: { name: string; dtw_abs_full: number; dtw_abs_band: number; euclidean: number }[];
  order_dtw_full: string[];
  order_dtw_band: string[];
  order_euclidean: string[];
}

describe('distances: reference ranking', () => {
  const cases = referenceCases<Ranking, ExpectedRanking>('dtw').filter((one) => 'library' in one.input);
  it.each(cases.map((one) => [one.id, one] as const))('%s', (_, { input, expected }) => {
    const scaled = (values: number[]): number[] => values.map((value) => value / Math.max(...values));
    const query = scaled(input.query);
    const measure = (distance: (values: number[]) => number): { name: string; value: number }[] =>
      Object.entries(input.library)
        .map(([name, values]) => ({ name, value: distance(scaled(values)) }))
        .sort((a, b) => a.value - b.value);
    const full = measure((values) => dtwDistance(query, values));
    const banded = measure((values) => dtwDistance(query, values, { band: input.band }));
    const euclidean = measure((values) => euclideanDistance(query, values));
    expect(full.map((one) => one.name)).toEqual(expected.order_dtw_full);
    expect(banded.map((one) => one.name)).toEqual(expected.order_dtw_band);
    expect(euclidean.map((one) => one.name)).toEqual(expected.order_euclidean);
    for (const row of expected.distances) {
      const of = (list: typeof full): number => list.find((one) => one.name === row.name)!.value;
      expect(of(full) / row.dtw_abs_full).toBeCloseTo(1, 6);
      expect(of(banded) / row.dtw_abs_band).toBeCloseTo(1, 6);
      expect(of(euclidean) / row.euclidean).toBeCloseTo(1, 6);
    }
  });
});
