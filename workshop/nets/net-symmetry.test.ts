/** Equilibrium placements and the groups of nets, in random bases. */
import { seededRandom } from '@unitcell/numerics';
import {
  edgeVector,
  type Mat2,
  multiply2,
  netById,
  type NetEdge,
  type PeriodicGraph,
  rebased,
  rowTimesMatrix2,
  spokesOf,
} from '@unitcell/tight-binding';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { barycentricPositions, isStable } from './barycentric.ts';
import { areIsomorphic, netSymmetry, siteOrbits } from './net-symmetry.ts';

const random = seededRandom(351);
const whole = (most: number) => Math.round((2 * random() - 1) * most);
const graphOf = (id: string): PeriodicGraph => ({
  siteCount: netById(id).positions.length,
  edges: netById(id).edges,
});
function inRandomBasis(graph: PeriodicGraph): PeriodicGraph {
  const [a, b] = [whole(3), whole(3)];
  const basis: Mat2 =
    random() < 0.5
      ? [
          [1 + a * b, a],
          [b, 1],
        ]
      : [
          [1 + a * b, a],
          [-b, -1],
        ];
  return rebased(
    graph,
    basis,
    Array.from({ length: graph.siteCount }, () => [whole(2), whole(2)]),
  );
}

/**
 * Order of the group modulo the translations of the primitive cell: the order of the point group of the net's
 * plane group.
 */
const ORDERS = [
  ['sql', 8],
  ['hcb', 12],
  ['hxl', 12],
  ['kgm', 12],
  ['fes', 8],
  ['tts', 8],
  ['mcm', 8],
  ['fsz', 6],
  ['cem', 4],
] as const;

describe('barycentricPositions', () => {
  it.each(ORDERS.map(([id]) => id))(
    '%s: every site lies at the mean of its neighbours, in any basis',
    (id) => {
      for (let round = 0; round < 10; round++) {
        const graph = inRandomBasis(graphOf(id));
        const positions = barycentricPositions(graph);
        expect(positions[0]).toEqual([0, 0]);
        spokesOf(graph).forEach((own, site) => {
          const pull = own
            .map(({ to, dx, dy }) => edgeVector([site, to, dx, dy], positions))
            .reduce(([x, y], [u, v]) => [x + u, y + v], [0, 0]);
          expect(Math.hypot(...pull)).toBeLessThan(1e-10);
        });
        expect(isStable(positions)).toBe(true);
      }
    },
  );

  it('refuses disconnected nets and detects coinciding sites', () => {
    const square = graphOf('sql');
    const twice = [...square.edges, ...square.edges.map(([, , dx, dy]) => [1, 1, dx, dy] as const)];
    expect(() => barycentricPositions({ siteCount: 2, edges: twice })).toThrow(/separate pieces/);
    // Two pendant sites of the same site coincide with this site.
    expect(
      isStable([
        [0, 0],
        [0.5, 0.5],
        [-0.5, 1.5],
      ]),
    ).toBe(false);
    expect(
      isStable([
        [0, 0],
        [0.5, 0.5],
        [0.5, 0.5001],
      ]),
    ).toBe(true);
  });
});

describe('netSymmetry', () => {
  it.each(ORDERS)('%s has %i operations in any basis, and they form a group', (id, order) => {
    for (let round = 0; round < 5; round++) {
      const graph = inRandomBasis(graphOf(id));
      const positions = barycentricPositions(graph);
      const operations = netSymmetry(graph, positions);
      expect(operations).toHaveLength(order);
      const keyOf = (siteImages: readonly number[], matrix: Mat2) =>
        `${siteImages.join()};${matrix.join(';')}`;
      const keys = new Set(operations.map(({ siteImages, matrix }) => keyOf(siteImages, matrix)));
      for (const first of operations)
        for (const second of operations) {
          const images = first.siteImages.map((site) => second.siteImages[site]);
          expect(keys).toContain(keyOf(images, multiply2(first.matrix, second.matrix)));
        }
    }
  });

  it.each(ORDERS)('%s: operations map sites to sites and edges to edges', (id) => {
    const graph = inRandomBasis(graphOf(id));
    const positions = barycentricPositions(graph);
    for (const { matrix, translation, siteImages, cellImages } of netSymmetry(graph, positions))
      positions.forEach((position, site) => {
        const [x, y] = rowTimesMatrix2(position, matrix);
        const image = positions[siteImages[site]];
        expect(x + translation[0]).toBeCloseTo(image[0] + cellImages[site][0], 8);
        expect(y + translation[1]).toBeCloseTo(image[1] + cellImages[site][1], 8);
      });
  });

  it('the orbits equal the kinds of site stated for the net', () => {
    for (const [id] of ORDERS) {
      const graph = inRandomBasis(graphOf(id));
      const orbits = siteOrbits(graph.siteCount, netSymmetry(graph, barycentricPositions(graph)));
      const partition = (of: readonly number[]) => of.map((orbit) => of.indexOf(orbit));
      expect(partition(orbits)).toEqual(partition(netById(id).orbitOf));
    }
  });
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
        (id, a, b, mirror, shifts, keys) => {
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
            key: keys.next().value ?? 0,
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
