import { describe, expect, it } from 'vitest';
import { envelopeProfile } from './envelope-profile.ts';
import { determinant } from './linear-solve.ts';
import { LowerEnvelope } from './lower-envelope.ts';
import { lowerHull } from './lower-hull.ts';
import { seededRandom } from './seeded-random.ts';
import { minimizeLinear } from './simplex.ts';

/** Points of d coordinates: generic, on a grid with duplicates, or on a grid with few heights (coplanar sets). */
function randomPoints(d: number, seed: number): number[][] {
  const random = seededRandom(seed);
  const kind = seed % 3;
  const draw = (isHeight: boolean): number => {
    if (kind === 0) return random();
    if (kind === 1) return Math.floor(4 * random()) / 3;
    return isHeight ? -Math.round(2 * random()) : Math.floor(4 * random());
  };
  const count = d + 3 + Math.floor(25 * random());
  return Array.from({ length: count }, () => Array.from({ length: d }, (_, c) => draw(c === d - 1)));
}

const spansSpace = (points: number[][], d: number): boolean => {
  const normal = Array.from({ length: d * d }, (_, at) =>
    points.reduce((sum, p) => sum + ([1, ...p][Math.floor(at / d)] ?? 0) * ([1, ...p][at % d] ?? 0), 0),
  );
  return determinant(normal, d) !== 0;
};

/** Volume (times (d − 1)!) of the facet seen from below. */
const shadow = (points: number[][], vertices: readonly number[]): number =>
  Math.abs(
    determinant(
      vertices.flatMap((v) => [1, ...points[v].slice(0, -1)]),
      vertices.length,
    ),
  );

describe('lowerHull', () => {
  it('lies below every point, equals the linear programme, and covers its domain once, in 2 to 5 dimensions', () => {
    for (let d = 2; d <= 5; d++)
      for (let seed = 1; seed <= 45; seed++) {
        const points = randomPoints(d, 100 * d + seed);
        if (!spansSpace(points, d)) continue;
        const facets = lowerHull(points);
        const height = (facet: (typeof facets)[number], p: readonly number[]) =>
          facet.slopes.reduce((sum, slope, c) => sum + slope * p[c], facet.intercept);
        for (const facet of facets)
          for (const p of points) expect(height(facet, p)).toBeLessThan(p[d - 1] + 1e-9);

        const random = seededRandom(seed);
        const weights = points.map(() => random() ** 3);
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const x = Array.from({ length: d - 1 }, (_, c) =>
          points.reduce((sum, p, i) => sum + (p[c] * weights[i]) / total, 0),
        );
        const oracle = minimizeLinear({
          costs: points.map((p) => p[d - 1]),
          rows: [points.map(() => 1), ...x.map((_, c) => points.map((p) => p[c]))],
          rightHandSide: [1, ...x],
        });
        const best = Math.max(...facets.map((facet) => height(facet, x)));
        expect(oracle).toMatchObject({ status: 'optimal', objective: expect.closeTo(best, 9) });

        // Seen from below a lower and a flat hull have the same shadow.
        const area = facets.reduce((sum, { vertices }) => sum + shadow(points, vertices), 0);
        const flat = lowerHull(points.map((p) => [...p.slice(0, -1), 0]));
        expect(flat.reduce((sum, { vertices }) => sum + shadow(points, vertices), 0)).toBeCloseTo(area, 8);
      }
  });

  it('neighbours are mutual and share all vertices but one', () => {
    const facets = lowerHull(randomPoints(4, 6));
    facets.forEach((facet, index) => {
      facet.neighbours.forEach((neighbour, l) => {
        if (neighbour < 0) return;
        const other = facets[neighbour];
        expect(other.neighbours).toContain(index);
        expect(other.vertices.filter((v) => facet.vertices.includes(v))).toEqual(
          facet.vertices.filter((_, i) => i !== l),
        );
      });
    });
  });

  it('coplanar points all become corners, triangulated by Delaunay', () => {
    const square = [
      [0, 0, 0],
      [2, 0, 0],
      [0, 2, 0],
      [2, 2, 0],
      [1, 1, 0],
    ];
    const facets = lowerHull(square);
    expect(facets).toHaveLength(4);
    expect(facets.every(({ vertices }) => vertices.includes(4))).toBe(true);
  });

  it('a point above the hull is no corner, a duplicate is used once', () => {
    const points = [
      [0, 0],
      [1, -1],
      [1, -1],
      [2, 0],
      [1, 5],
    ];
    const segments = lowerHull(points).map(({ vertices }) => vertices.map((v) => points[v][0]));
    expect(segments.map((ends) => ends.toSorted((a, b) => a - b).join()).toSorted()).toEqual(['0,1', '1,2']);
  });

  it('refuses points on one vertical plane, ragged points and too few', () => {
    expect(() =>
      lowerHull([
        [0, 0],
        [0, 1],
        [0, 2],
      ]),
    ).toThrow(/vertical plane/);
    expect(() => lowerHull([[0, 0], [1]])).toThrow(RangeError);
    expect(() => lowerHull([[0, 0]])).toThrow(RangeError);
    expect(() =>
      lowerHull([
        [0, 0],
        [1, Number.NaN],
      ]),
    ).toThrow(/finite/);
  });
});

describe('LowerEnvelope', () => {
  const corners = Float64Array.from([1, 0, 0, 1, 0.5, 0.5]);

  it('answers for scaled points and refuses points outside', () => {
    const envelope = new LowerEnvelope(corners, Float64Array.from([0, 0, -1]), [0, 1]);
    expect(envelope.heightAt([1, 3])).toBeCloseTo(-2, 12);
    expect(() => envelope.heightAt([1, -1])).toThrow(/outside/);
    expect(() => new LowerEnvelope(corners, Float64Array.from([0, 0, -1]), [0, 0])).toThrow(/independent/);
  });

  it('explores no more facets than it is asked for', () => {
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
    // The chord of x² − x between a and b has the slope a + b − 1.
    expect(slopes).toEqual(xs.slice(1).map((x, i) => expect.closeTo(x + xs[i] - 1, 8)));
  });

  it('a straight line, and a line of no length, have their two ends only', () => {
    const envelope = new LowerEnvelope(Float64Array.from([1, 0, 0, 1]), Float64Array.from([0, 3]), [0, 1]);
    const profile = (direction: number[]) =>
      envelopeProfile(envelope, Float64Array.from([1, 0]), Float64Array.from(direction), 1);
    expect(profile([-1, 1])).toEqual({ breakpoints: [0, 1], heights: [0, 3], slopes: [3] });
    expect(profile([0, 0])).toEqual({ breakpoints: [0, 1], heights: [0, 0], slopes: [0] });
  });
});
