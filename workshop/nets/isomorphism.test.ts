import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { barycentricPositions } from './barycentric.ts';
import { areIsomorphic } from './net-symmetry.ts';
import { type Mat2, netById, type NetEdge, type PeriodicGraph, rebased } from '@unitcell/tight-binding';

const graphOf = (id: string): PeriodicGraph => ({
  siteCount: netById(id).positions.length,
  edges: netById(id).edges,
});
const integer = fc.integer({ min: -3, max: 3 });

describe('areIsomorphic', () => {
  it('does not depend on basis, choice of cell, numbering or direction of edges', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('kgm', 'mcm', 'tts', 'cpc', 'fsz', 'lieb', 'checkboard', 'sdx'),
        integer,
        integer,
        fc.boolean(),
        fc.array(integer, { minLength: 40, maxLength: 40 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (id, a, b, mirror, shifts, random) => {
          const graph = graphOf(id);
          // Two shears and a possible mirror reach every kind of basis change.
          const basis: Mat2 = [[1 + a * b, a], mirror ? [-b, -1] : [b, 1]];
          const moved = rebased(
            graph,
            basis,
            Array.from({ length: graph.siteCount }, (_, site) => [shifts[2 * site], shifts[2 * site + 1]]),
          );
          const order = Array.from({ length: graph.siteCount }, (_, site) => ({
            site,
            key: random.next().value ?? 0,
          }))
            .sort((p, q) => p.key - q.key)
            .map(({ site }) => site);
          const edges = moved.edges.map(
            ([i, j, dx, dy], k): NetEdge =>
              k % 2 === 0
                ? [order.indexOf(i), order.indexOf(j), dx, dy]
                : [order.indexOf(j), order.indexOf(i), -dx, -dy],
          );
          expect(areIsomorphic({ siteCount: graph.siteCount, edges: edges.reverse() }, graph)).toBe(true);
        },
      ),
      { seed: 11, numRuns: 60 },
    );
  });

  it('distinguishes nets with the same counts: Cairo and its relatives with 6 sites and 10 edges', () => {
    const ids = ['mcm', 'krj-d', 'cem-d', 'tts', 'usm'];
    for (const id of ids)
      expect(ids.filter((other) => areIsomorphic(graphOf(id), graphOf(other)))).toEqual([id]);
  });

  it('refuses disconnected nets', () => {
    expect(() =>
      barycentricPositions({
        siteCount: 2,
        edges: [
          [0, 0, 1, 0],
          [1, 1, 0, 1],
        ],
      }),
    ).toThrow(/pieces/);
  });
});
