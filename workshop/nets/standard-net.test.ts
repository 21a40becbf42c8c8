/** The standard form depends only on the net, not on the choice of cell, origin, sites and frame. */
import {
  edgeVector,
  inverse2,
  listNets,
  type Mat2,
  multiply2,
  type NetEdge,
  rebased,
  rowTimesMatrix2,
  type Vec2,
} from '@unitcell/tight-binding';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { barycentricPositions, isStable } from './barycentric.ts';
import { edgeLengths } from './embedding.ts';
import { areIsomorphic, netSymmetry } from './net-symmetry.ts';
import { standardNet, stored, STORED_DIGITS } from './standard-net.ts';
import { symbolKey } from './delaney-symbol.ts';
import { symbolOfGraph } from './testing/symbol-of-graph.ts';

const random = seededRandom(1891);
const whole = (limit: number): number => Math.floor((2 * limit + 1) * random()) - limit;

/** One net of each plane group and some more, as drawn in the table. */
const sample = listNets().filter(
  ({ positions, edges, planeGroup }, index, all) =>
    positions.length <= 14 &&
    isStable(barycentricPositions({ siteCount: positions.length, edges })) &&
    (index % 7 === 3 || all.findIndex((net) => net.planeGroup === planeGroup) === index),
);

function described({ positions, edges, latticeVectors }: (typeof sample)[number]) {
  const graph = { siteCount: positions.length, edges };
  const [a, b] = [whole(2), whole(2)];
  const basis: Mat2 = [
    [1 + a * b, a],
    [b, 1],
  ];
  const shifts = positions.map((): Vec2 => [whole(2), whole(2)]);
  const origin: Vec2 = [random(), random()];
  const order = positions.map((_, site) => ({ site, key: random() })).sort((p, q) => p.key - q.key);
  const place = order.map((_, site) => order.findIndex((one) => one.site === site));
  const moved = rebased(graph, basis, shifts);
  const angle = 2 * Math.PI * random();
  const turn: Mat2 = [
    [Math.cos(angle), Math.sin(angle)],
    [-Math.sin(angle), Math.cos(angle)],
  ];
  return {
    graph: {
      siteCount: graph.siteCount,
      edges: moved.edges.map(([i, j, dx, dy]): NetEdge => [place[i], place[j], dx, dy]),
    },
    drawing: {
      positions: order.map(({ site }): Vec2 => {
        const [x, y] = [positions[site][0] + shifts[site][0], positions[site][1] + shifts[site][1]];
        return rowTimesMatrix2([x + origin[0], y + origin[1]], inverse2(basis));
      }),
      latticeVectors: multiply2(multiply2(basis, latticeVectors), turn),
    },
  };
}

describe('stored', () => {
  it('rounds to six digits, without −0', () => {
    for (const [value, kept] of [
      [Math.sqrt(3) / 2, 0.866025],
      [-2 / 3, -0.666667],
      [-0.4 * 10 ** -STORED_DIGITS, 0],
      [0.4 * 10 ** -STORED_DIGITS, 0],
    ])
      expect(stored(value)).toBe(kept);
  });
});

describe('standardNet', () => {
  it('the sample covers most plane groups', () => {
    expect(new Set(sample.map(({ planeGroup }) => planeGroup)).size).toBeGreaterThan(9);
  });

  it.each(sample.map((net) => [net.id, net] as const))('%s: is the same from any description', (_, net) => {
    const { graph, drawing } = described(net);
    const own = { siteCount: net.positions.length, edges: net.edges };
    const expected = standardNet(own, net, netSymmetry(own, barycentricPositions(own)));
    const found = standardNet(graph, drawing, netSymmetry(graph, barycentricPositions(graph)));
    expect(found.planeGroup).toBe(net.planeGroup);
    expect(areIsomorphic({ siteCount: found.positions.length, edges: found.edges }, own)).toBe(true);
    expect(found.orbits).toEqual(expected.orbits);
    const lengths = (one: typeof found): number[] =>
      edgeLengths({ siteCount: one.positions.length, edges: one.edges }, one).sort((p, q) => p - q);
    lengths(found).forEach((length, i) => expect(length).toBeCloseTo(lengths(expected)[i], 4));
    for (const [i, row] of found.latticeVectors.entries())
      for (const [j, value] of row.entries()) expect(value).toBeCloseTo(expected.latticeVectors[i][j], 4);
  });

  it.each(sample.map((net) => [net.id, net] as const))(
    'the standard form of net %s equals its row of the catalogue',
    (_, net) => {
      const own = { siteCount: net.positions.length, edges: net.edges };
      const again = standardNet(own, net, netSymmetry(own, barycentricPositions(own)));
      expect(again.planeGroup).toBe(net.planeGroup);
      expect(again.orbits).toEqual(net.orbits);
      const square = (
        edge: NetEdge,
        { positions, latticeVectors }: Pick<typeof net, 'positions' | 'latticeVectors'>,
      ) => Math.hypot(...rowTimesMatrix2(edgeVector(edge, positions), latticeVectors));
      const sum = (one: typeof again): number =>
        one.edges.reduce((total, edge) => total + square(edge, one), 0);
      expect(sum(again)).toBeCloseTo(sum(net), 3);
    },
  );
});

describe('symbolOfGraph', () => {
  it('recovers the symbol from which every named net was unfolded', () => {
    const differing = listNets()
      .filter(({ symbol }) => symbol !== undefined)
      .filter(
        ({ positions, edges, symbol }) =>
          symbolKey(symbolOfGraph({ siteCount: positions.length, edges })) !== symbol,
      );
    expect(differing.map(({ id }) => id)).toEqual([]);
  });
});
