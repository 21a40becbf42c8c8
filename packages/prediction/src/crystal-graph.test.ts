import { latticeVectorsFromParameters, orderedSite, type Structure, supercell } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { crystalGraph, GRAPH_RADIUS } from './crystal-graph.ts';

/** Rock salt, a = 5.64 Å (NaCl). */
const A = 5.64;
const rockSalt: Structure = {
  latticeVectors: [
    [A, 0, 0],
    [0, A, 0],
    [0, 0, A],
  ],
  sites: [
    ...[
      [0, 0, 0],
      [0, 0.5, 0.5],
      [0.5, 0, 0.5],
      [0.5, 0.5, 0],
    ].map((x) => orderedSite('Na', x as never)),
    ...[
      [0.5, 0.5, 0.5],
      [0.5, 0, 0],
      [0, 0.5, 0],
      [0, 0, 0.5],
    ].map((x) => orderedSite('Cl', x as never)),
  ],
};

describe('the graph of a crystal', () => {
  it('has the two atoms and the shells of rock salt', () => {
    const graph = crystalGraph(rockSalt);
    expect([...graph.atomicNumbers]).toEqual([11, 17]);
    expect([...graph.shares]).toEqual([0.5, 0.5]);
    // Shells of rock salt: 6 at a/2, 12 at a/√2, 8 at a√3/2; the next, 6 at a, lies outside 5.5 Å.
    const shells = [
      [6, A / 2],
      [12, A / Math.SQRT2],
      [8, (A * Math.sqrt(3)) / 2],
    ];
    for (const node of [0, 1]) {
      const edges = Array.from({ length: graph.rowStarts[node + 1] - graph.rowStarts[node] }, (_, k) => {
        const edge = graph.rowStarts[node] + k;
        return [graph.weights[edge], graph.distances[edge]];
      }).sort((a, b) => a[1] - b[1]);
      expect(edges.map(([weight]) => weight)).toEqual(shells.map(([weight]) => weight));
      edges.forEach(([, distance], k) => expect(distance).toBeCloseTo(shells[k][1], 9));
    }
  });

  it('counts every neighbour of every atom once, merged or not', () => {
    const random = seededRandom(19);
    for (let round = 0; round < 40; round++) {
      const structure = randomCrystal(random);
      const [merged, plain] = [crystalGraph(structure), crystalGraph(structure, 1e-12)];
      const heard = (graph: typeof merged): number =>
        graph.shares.reduce((sum, share, node) => {
          let row = 0;
          for (let e = graph.rowStarts[node]; e < graph.rowStarts[node + 1]; e++) row += graph.weights[e];
          return sum + share * row;
        }, 0);
      expect(heard(merged)).toBeCloseTo(heard(plain), 9);
      expect(merged.distances.every((d) => d <= GRAPH_RADIUS)).toBe(true);
    }
  });

  it('does not grow with the cell', () => {
    const big = crystalGraph(supercell(rockSalt, [2, 1, 1]));
    expect(big.shares.length).toBe(2);
  });

  it('refuses what the network was never taught, with the reason', () => {
    const shared: Structure = {
      ...rockSalt,
      sites: [
        {
          species: [
            { element: 'Na', occupancy: 0.5 },
            { element: 'K', occupancy: 0.5 },
          ],
          fractionalCoords: [0, 0, 0],
        },
      ],
    };
    expect(() => crystalGraph(shared)).toThrowError(/shared by several elements/);
    const near = { ...rockSalt, sites: [orderedSite('H', [0, 0, 0]), orderedSite('H', [0.05, 0, 0])] };
    expect(() => crystalGraph(near)).toThrowError(/0\.282 Å apart/);
    const many = supercell(rockSalt, [3, 3, 2]);
    expect(() => crystalGraph(many)).toThrowError(/144 atoms/);
  });
});

function randomCrystal(random: () => number): Structure {
  const length = (): number => 4 + 4 * random();
  const angle = (): number => 70 + 40 * random();
  const symbols = ['Li', 'O', 'Fe', 'P', 'Ba'];
  return {
    latticeVectors: latticeVectorsFromParameters({
      a: length(),
      b: length(),
      c: length(),
      alpha: angle(),
      beta: angle(),
      gamma: angle(),
    }),
    // One atom in each of eight boxes: never on top of each other.
    sites: [0, 1, 2, 3, 4, 5, 6, 7]
      .filter(() => random() < 0.6)
      .map((k) =>
        orderedSite(symbols[Math.floor(random() * 5)], [
          (k % 2) / 2 + 0.2 * random(),
          (Math.floor(k / 2) % 2) / 2 + 0.2 * random(),
          Math.floor(k / 4) / 2 + 0.2 * random(),
        ]),
      )
      .concat(orderedSite('O', [0.35, 0.35, 0.35])),
  };
}
