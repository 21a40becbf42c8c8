/**
 * Properties of every lower convex envelope, and the reference definition of the pseudo-random generator used to break
 * ties.
 */
import { describe, expect, it } from 'vitest';
import { LowerEnvelope } from './lower-envelope.ts';
import { seededRandom } from './seeded-random.ts';

type Point = readonly number[];

function randomSet(k: number, count: number, seed: number): { points: Point[]; heights: number[] } {
  const random = seededRandom(seed);
  const corners = Array.from({ length: k }, (_, i) => Array.from({ length: k }, (__, j) => Number(i === j)));
  const inner = Array.from({ length: count }, () =>
    normalised(Array.from({ length: k }, () => random() ** 2)),
  );
  const points = [...corners, ...inner];
  return { points, heights: points.map((_, i) => (i < k ? 0 : 0.3 - random())) };
}
const normalised = (parts: Point): Point => {
  const total = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / total);
};
const build = (points: readonly Point[], heights: readonly number[]): LowerEnvelope =>
  new LowerEnvelope(Float64Array.from(points.flat()), Float64Array.from(heights), [...points[0].keys()]);
const mixture = (p: Point, q: Point, share: number): Point =>
  p.map((value, i) => share * value + (1 - share) * q[i]);

const sets = [2, 3, 4, 5].flatMap((k) => [1, 2, 3, 4, 5, 6].map((n) => ({ k, seed: 1000 * k + n })));

describe('LowerEnvelope on random heights', () => {
  it.each(sets)('is convex and homogeneous ($k components, seed $seed)', ({ k, seed }) => {
    const { points, heights } = randomSet(k, 20, seed);
    const envelope = build(points, heights);
    const random = seededRandom(seed);
    for (let round = 0; round < 40; round++) {
      const [p, q] = [0, 1].map(() => normalised(Array.from({ length: k }, random)));
      const share = random();
      const between = envelope.heightAt(mixture(p, q, share));
      expect(between).toBeLessThanOrEqual(
        share * envelope.heightAt(p) + (1 - share) * envelope.heightAt(q) + 1e-10,
      );
      expect(envelope.heightAt(p.map((value) => 7 * value))).toBeCloseTo(7 * envelope.heightAt(p), 9);
    }
  });

  it.each(sets)('touches its vertices and lies below every other point ($k, $seed)', ({ k, seed }) => {
    const { points, heights } = randomSet(k, 20, seed);
    const envelope = build(points, heights);
    const vertices = new Set(envelope.allFacets().flatMap((facet) => facet.vertices));
    points.forEach((point, i) => {
      const gap = heights[i] - envelope.heightAt(point);
      expect(gap).toBeGreaterThan(-1e-10);
      expect(Math.abs(gap) < 1e-10).toBe(vertices.has(i));
    });
  });

  it.each(sets)(
    'adding a linear function to all heights adds it to the envelope and keeps the facets ($k, $seed)',
    ({ k, seed }) => {
      const { points, heights } = randomSet(k, 16, seed);
      const random = seededRandom(seed + 7);
      const slope = Array.from({ length: k }, () => 2 * random() - 1);
      const linear = (point: Point) => point.reduce((sum, value, i) => sum + value * slope[i], 0);
      const names = (envelope: LowerEnvelope) =>
        envelope
          .allFacets()
          .map(({ vertices }) => vertices.toSorted((a, b) => a - b).join())
          .sort();
      const [one, two] = [
        build(points, heights),
        build(
          points,
          heights.map((height, i) => height + linear(points[i])),
        ),
      ];
      expect(names(two)).toEqual(names(one));
      const x = normalised(Array.from({ length: k }, random));
      expect(two.heightAt(x)).toBeCloseTo(one.heightAt(x) + linear(x), 10);
    },
  );

  it.each(sets)(
    'a further point never raises it, and a point above it changes nothing ($k, $seed)',
    ({ k, seed }) => {
      const { points, heights } = randomSet(k, 16, seed);
      const before = build(points, heights);
      const random = seededRandom(seed + 11);
      const x = normalised(Array.from({ length: k }, random));
      const height = before.heightAt(x);
      const probes = Array.from({ length: 20 }, () => normalised(Array.from({ length: k }, random)));
      const lowered = build([...points, x], [...heights, height - 0.2]);
      const same = build([...points, x], [...heights, height + 0.2]);
      expect(lowered.heightAt(x)).toBeCloseTo(height - 0.2, 10);
      for (const probe of probes) {
        expect(lowered.heightAt(probe)).toBeLessThanOrEqual(before.heightAt(probe) + 1e-10);
        expect(same.heightAt(probe)).toBeCloseTo(before.heightAt(probe), 10);
      }
    },
  );

  it('equals the lowest chord over all pairs (brute force) for two components', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { points, heights } = randomSet(2, 18, seed);
      const envelope = build(points, heights);
      for (const x of [0.07, 0.31, 0.5, 0.77, 0.98]) {
        let least = Number.POSITIVE_INFINITY;
        points.forEach(([p], i) =>
          points.forEach(([q], j) => {
            if (p > x || q < x) return;
            const share = q === p ? 1 : (q - x) / (q - p);
            least = Math.min(least, share * heights[i] + (1 - share) * heights[j]);
          }),
        );
        expect(envelope.heightAt([x, 1 - x])).toBeCloseTo(least, 10);
      }
    }
  });
});

/** mulberry32 as published by its author in C (T. Ettinger, 2017, public domain), in exact integer arithmetic. */
function* mulberry32(seed: number): Generator<number> {
  const mask = (1n << 32n) - 1n;
  let state = BigInt(seed >>> 0);
  for (;;) {
    state = (state + 0x6d2b79f5n) & mask;
    let z = state;
    z = ((z ^ (z >> 15n)) * (z | 1n)) & mask;
    z ^= (z + (((z ^ (z >> 7n)) * (z | 61n)) & mask)) & mask;
    yield Number(z ^ (z >> 14n)) / 2 ** 32;
  }
}

describe('seededRandom', () => {
  it.each([0, 1, 7, -1, 2 ** 31 - 1, 20_110_101])(
    'seed %i gives the published sequence, number by number',
    (seed) => {
      const own = seededRandom(seed);
      const published = mulberry32(seed);
      for (let n = 0; n < 300; n++) expect(own()).toBe(published.next().value);
    },
  );

  it.each([3, 141, 59_265])('has the moments and counts of a uniform distribution (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const numbers = Array.from({ length: 40_000 }, random);
    const moment = (order: number) =>
      numbers.reduce((sum, x) => sum + (x - 0.5) ** order, 0) / numbers.length;
    // Standard errors √(variance / N): 0.0014, 0.0004, 0.0003, 0.00008; four standard errors are allowed.
    expect(Math.abs(moment(1))).toBeLessThan(0.0058);
    expect(Math.abs(moment(2) - 1 / 12)).toBeLessThan(0.0015);
    expect(Math.abs(moment(3))).toBeLessThan(0.001);
    expect(Math.abs(moment(4) - 1 / 80)).toBeLessThan(0.0004);
    const bins = new Float64Array(64);
    for (const x of numbers) bins[Math.floor(64 * x)] += 1;
    const chiSquared = bins.reduce((sum, count) => sum + (count - 625) ** 2 / 625, 0);
    // 63 degrees of freedom: 63 ± 4 · √126.
    expect(Math.abs(chiSquared - 63)).toBeLessThan(45);
  });
});
