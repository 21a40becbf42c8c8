import { minimumByHighs } from '@unitcell/tools/testing/linear-program';
import { describe, expect, it } from 'vitest';
import { envelopeProfile } from './envelope-profile.ts';
import { LowerEnvelope } from './lower-envelope.ts';
import { seededRandom } from './seeded-random.ts';

interface Heights {
  readonly points: readonly (readonly number[])[];
  readonly heights: readonly number[];
}

/**
 * Random fractions of k components with random heights: generic, on a grid with duplicates, or on a grid with
 * few heights (coplanar points).
 */
function randomHeights(k: number, seed: number): Heights {
  const random = seededRandom(seed);
  const kind = seed % 3;
  const corners = Array.from({ length: k }, (_, i) => Array.from({ length: k }, (__, j) => Number(i === j)));
  const inner = Array.from({ length: 3 + Math.floor(25 * random()) }, () => {
    const parts = Array.from({ length: k }, () => (kind === 0 ? random() : Math.floor(4 * random())));
    const total = parts.reduce((sum, part) => sum + part, 0);
    return total === 0 ? corners[0] : parts.map((part) => part / total);
  });
  const points = [...corners, ...inner];
  return { points, heights: points.map(() => (kind === 2 ? -Math.round(2 * random()) : 0.5 - random())) };
}

const envelopeOf = ({ points, heights }: Heights): LowerEnvelope =>
  new LowerEnvelope(Float64Array.from(points.flat()), Float64Array.from(heights), [...points[0].keys()]);

const dot = (a: ArrayLike<number>, b: readonly number[]): number =>
  b.reduce((sum, value, i) => sum + a[i] * value, 0);

describe('LowerEnvelope', () => {
  it('is below every point and equals the linear program, in 2 to 5 components', () => {
    const sets = process.env.NIGHTLY ? 45 : 15;
    for (let k = 2; k <= 5; k++)
      for (let seed = 1; seed <= sets; seed++) {
        const set = randomHeights(k, 100 * k + seed);
        const { points, heights } = set;
        const envelope = envelopeOf(set);
        for (const { plane } of envelope.allFacets())
          expect(Math.max(...points.map((p, i) => dot(plane, p) - heights[i]))).toBeLessThan(1e-9);
        const random = seededRandom(seed);
        const weights = points.map(() => random() ** 3);
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const x = Array.from(
          { length: k },
          (_, c) =>
            dot(
              weights,
              points.map((p) => p[c]),
            ) / total,
        );
        const program = { costs: heights, rows: x.map((_, c) => points.map((p) => p[c])), rightHandSide: x };
        expect(envelope.heightAt(x)).toBeCloseTo(minimumByHighs(program), 9);
      }
  });

  it('covers the domain once: exactly one facet contains each point in general position', () => {
    for (let k = 2; k <= 5; k++)
      for (let seed = 1; seed <= 30; seed++) {
        const envelope = envelopeOf(randomHeights(k, 100 * k + seed));
        const random = seededRandom(seed);
        const x = Array.from({ length: k }, random);
        const holding = envelope
          .allFacets()
          .filter((facet) => envelope.coordinates(facet, x).every((coordinate) => coordinate > 0));
        expect(holding).toEqual([envelope.locate(x)]);
      }
  });

  it('neighbouring facets refer to each other and share all vertices but one', () => {
    const facets = envelopeOf(randomHeights(4, 6)).allFacets();
    for (const [index, facet] of facets.entries())
      for (const [l, neighbour] of facet.neighbours.entries()) {
        if (neighbour < 0) continue;
        const other = facets[neighbour];
        expect(other.neighbours).toContain(index);
        expect(other.vertices.filter((v) => facet.vertices.includes(v))).toEqual(
          facet.vertices.filter((_, i) => i !== l),
        );
      }
  });

  it('coplanar points become vertices, a duplicate is used only once, and a point above the envelope is not used', () => {
    const points = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
      [1 / 3, 1 / 3, 1 / 3],
      [1 / 3, 1 / 3, 1 / 3],
      [0.6, 0.2, 0.2],
    ];
    const facets = envelopeOf({ points, heights: [0, 0, 0, 0, 0, 1] }).allFacets();
    expect(facets).toHaveLength(3);
    const used = new Set(facets.flatMap(({ vertices }) => vertices));
    expect([used.has(3) !== used.has(4), used.has(5)]).toEqual([true, false]);
  });

  const corners = Float64Array.from([1, 0, 0, 1, 0.5, 0.5]);

  it('accepts scaled points and refuses points outside the domain', () => {
    const envelope = new LowerEnvelope(corners, Float64Array.from([0, 0, -1]), [0, 1]);
    expect(envelope.heightAt([1, 3])).toBeCloseTo(-2, 12);
    expect(() => envelope.heightAt([1, -1])).toThrow(/outside/);
    expect(() => new LowerEnvelope(corners, Float64Array.from([0, 0, -1]), [0, 0])).toThrow(/independent/);
  });

  it('computes only the facets that the queries need', () => {
    const random = seededRandom(8);
    const points = new Float64Array(300).map((_, i) => (i % 2 === 0 ? random() : 0));
    for (let i = 1; i < 300; i += 2) points[i] = 1 - points[i - 1];
    points.set([1, 0, 0, 1]);
    const heights = Float64Array.from({ length: 150 }, (_, i) => (points[2 * i] - 0.5) ** 2);
    const envelope = new LowerEnvelope(points, heights, [0, 1]);
    expect(envelope.facetsKnown).toHaveLength(1);
    envelope.heightAt([0.9, 0.1]);
    expect(envelope.facetsKnown.length).toBeLessThan(envelope.allFacets().length);
    expect(envelope.facetsKnown).toHaveLength(149);
  });
});

describe('envelopeProfile', () => {
  it('finds every breakpoint of a parabola sampled at uneven points', () => {
    const xs = [0, 0.05, 0.2, 0.21, 0.5, 0.9, 1];
    const points = Float64Array.from(xs.flatMap((x) => [1 - x, x]));
    const envelope = new LowerEnvelope(
      points,
      Float64Array.from(xs, (x) => x * (x - 1)),
      [0, xs.length - 1],
    );
    const { breakpoints, heights, slopes } = envelopeProfile(
      envelope,
      Float64Array.from([1, 0]),
      Float64Array.from([-1, 1]),
      1,
    );
    expect(breakpoints).toEqual(xs.map((x) => expect.closeTo(x, 9)));
    expect(heights).toEqual(xs.map((x) => expect.closeTo(x * (x - 1), 9)));
    // The chord of x² − x between a and b has slope a + b − 1.
    expect(slopes).toEqual(xs.slice(1).map((x, i) => expect.closeTo(x + xs[i] - 1, 8)));
  });

  it('has only its two ends as breakpoints for a straight line and for a line of length zero', () => {
    const envelope = new LowerEnvelope(Float64Array.from([1, 0, 0, 1]), Float64Array.from([0, 3]), [0, 1]);
    const profile = (direction: number[]) =>
      envelopeProfile(envelope, Float64Array.from([1, 0]), Float64Array.from(direction), 1);
    expect(profile([-1, 1])).toEqual({ breakpoints: [0, 1], heights: [0, 3], slopes: [3] });
    expect(profile([0, 0])).toEqual({ breakpoints: [0, 1], heights: [0, 0], slopes: [0] });
  });
});
