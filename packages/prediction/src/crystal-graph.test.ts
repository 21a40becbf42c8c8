import { latticeVectorsFromParameters, orderedSite, type Structure, supercell } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { elementBySymbol } from '@unitcell/elements';
import { crystalGraph, type CrystalGraph, GRAPH_RADIUS } from './crystal-graph.ts';
import { isUsual } from './predict.ts';

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

describe('crystalGraph', () => {
  it('has two nodes and the neighbour shells of rock salt', () => {
    const graph = crystalGraph(rockSalt);
    expect([...graph.atomicNumbers]).toEqual([11, 17]);
    expect([...graph.shares]).toEqual([0.5, 0.5]);
    // Shells of rock salt: 6 at a/2, 12 at a/√2, 8 at a√3/2. The next shell, 6 at a, is beyond 5.5 Å.
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

  it('counts every neighbour of every atom once, with and without merging', () => {
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

  it('has the same size for a supercell', () => {
    const big = crystalGraph(supercell(rockSalt, [2, 1, 1]));
    expect(big.shares.length).toBe(2);
  });

  it('contains each pair of atoms once from each of its two atoms', () => {
    const random = seededRandom(20);
    for (let round = 0; round < 40; round++) {
      const { atomicNumbers, shares, rowStarts, sources, distances, weights } = crystalGraph(
        randomCrystal(random),
      );
      expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
      // For every two nodes: the number of atom pairs and the sum of their distances, per atom of the cell.
      const pairs = new Map<string, [number, number]>();
      for (let node = 0; node < shares.length; node++)
        for (let edge = rowStarts[node]; edge < rowStarts[node + 1]; edge++) {
          const key = `${node}-${sources[edge]}`;
          const [count, sum] = pairs.get(key) ?? [0, 0];
          const share = shares[node] * weights[edge];
          pairs.set(key, [count + share, sum + share * distances[edge]]);
        }
      for (const [key, [count, sum]] of pairs) {
        const other = pairs.get(key.split('-').reverse().join('-'));
        expect(other).toEqual([expect.closeTo(count, 9), expect.closeTo(sum, 9)]);
      }
      expect(atomicNumbers).toHaveLength(shares.length);
    }
  });

  it('has one node per orbit for quartz, with twice the weight for oxygen as for silicon', () => {
    // α-quartz, P3_221, origin of the International Tables: Si at (u, 0, 2/3), O at (x, y, z) (L. Levien et al., Am. Mineral. 65 (1980) 920).
    const [u, x, y, z] = [0.4697, 0.4133, 0.2672, 0.7858];
    const third = 1 / 3;
    const quartz: Structure = {
      latticeVectors: latticeVectorsFromParameters({
        a: 4.9137,
        b: 4.9137,
        c: 5.4047,
        alpha: 90,
        beta: 90,
        gamma: 120,
      }),
      sites: [
        orderedSite('Si', [u, 0, 2 * third]),
        orderedSite('Si', [0, u, third]),
        orderedSite('Si', [-u, -u, 0]),
        orderedSite('O', [x, y, z]),
        orderedSite('O', [-y, x - y, z + 2 * third]),
        orderedSite('O', [y - x, -x, z + third]),
        orderedSite('O', [y, x, -z]),
        orderedSite('O', [x - y, -y, third - z]),
        orderedSite('O', [-x, y - x, 2 * third - z]),
      ],
    };
    const graph = crystalGraph(quartz);
    expect([...graph.atomicNumbers]).toEqual([14, 8]);
    expect([...graph.shares]).toEqual([expect.closeTo(1 / 3, 12), expect.closeTo(2 / 3, 12)]);
    // Four oxygens around a silicon at 1.605 and 1.614 Å, two silicons around an oxygen.
    const near = (node: number): number[] =>
      Array.from(graph.distances.slice(graph.rowStarts[node], graph.rowStarts[node + 1])).flatMap(
        (distance, k) =>
          distance < 2
            ? Array.from({ length: graph.weights[graph.rowStarts[node] + k] }, () => distance)
            : [],
      );
    expect(near(0).sort((a, b) => a - b)).toEqual(
      [1.605, 1.605, 1.614, 1.614].map((d) => expect.closeTo(d, 2)),
    );
    expect(near(1).sort((a, b) => a - b)).toEqual([1.605, 1.614].map((d) => expect.closeTo(d, 2)));
  });

  it('accepts 100 atoms but not 101, and distances of 0.5 Å but no shorter ones', () => {
    const box = (count: number): Structure => ({
      latticeVectors: latticeVectorsFromParameters({
        a: 3 * count,
        b: 40,
        c: 40,
        alpha: 90,
        beta: 90,
        gamma: 90,
      }),
      sites: Array.from({ length: count }, (_, k) => orderedSite('Cu', [k / count, 0, 0])),
    });
    expect(crystalGraph(box(100)).shares).toHaveLength(1);
    expect(() => crystalGraph(box(101))).toThrowError(expect.objectContaining({ code: 'too-large' }));
    const dimer = (distance: number): Structure => ({
      ...box(1),
      latticeVectors: latticeVectorsFromParameters({ a: 20, b: 20, c: 20, alpha: 90, beta: 90, gamma: 90 }),
      sites: [orderedSite('H', [0, 0, 0]), orderedSite('H', [distance / 20, 0, 0])],
    });
    expect([...crystalGraph(dimer(0.501)).distances]).toEqual([expect.closeTo(0.501, 9)]);
    expect(() => crystalGraph(dimer(0.499))).toThrowError(
      expect.objectContaining({ code: 'overlapping-atoms' }),
    );
  });

  it('refuses crystals outside the training domain and gives the reason', () => {
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
    // One atom in each of eight boxes, so that atoms never overlap.
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

// Tests the limits of isUsual on hand-written graphs.

const FE = elementBySymbol('Fe');
const O = elementBySymbol('O');
/** Å, Cordero 2008: 1.32 (iron, low spin) and 0.66. */
const [iron, oxygen] = [FE.covalentRadius ?? 0, O.covalentRadius ?? 0];

/**
 * One iron and one oxygen atom that are `weight`-fold neighbours at `distance`, and whose periodic images are at the
 * distance `own`.
 */
const pair = (distance: number, weight = 1, own = 5): CrystalGraph => ({
  atomicNumbers: Uint8Array.of(FE.number, O.number),
  shares: Float64Array.of(0.5, 0.5),
  rowStarts: Uint32Array.of(0, 2, 4),
  sources: Uint32Array.of(1, 0, 0, 1),
  distances: Float64Array.of(distance, own, distance, own),
  weights: Float64Array.of(weight, 1, weight, 1),
});
/** Ranges of iron and oxygen: nearest distance and neighbour density. */
function rangesOf(of: readonly [number, number, number, number]): number[] {
  const ranges = Array.from({ length: 104 * 4 }, () => 0);
  for (const { number } of [FE, O]) ranges.splice(4 * number, 4, ...of);
  return ranges;
}
const SMALL_CELL = 10;

describe('isUsual', () => {
  const bond = iron + oxygen;

  it('accepts a nearest neighbour at 0.65 to 2 sums of the covalent radii', () => {
    const usual = (length: number): boolean => isUsual(undefined, pair(length, 1, 5.4), SMALL_CELL);
    expect([0.64, 0.66, 1, 1.99, 2.01].map((share) => usual(share * bond))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    // The nearest neighbour relative to the radii need not be the nearest in Å: two irons at 2 Å are closer in
    // units of their radii than iron and oxygen at 1.7 Å.
    expect(1.7 / bond).toBeGreaterThan(2 / (2 * iron));
    expect(isUsual(undefined, pair(1.7, 1, 2), SMALL_CELL)).toBe(true);
    expect(isUsual(undefined, pair(1.7, 1, 0.6 * 2 * iron), SMALL_CELL)).toBe(false);
  });

  it('accepts nearest distances and neighbour densities within the ranges of the element, limits included', () => {
    const neighbourDensity =
      0.5 * (1 + Math.cos((Math.PI * 2) / GRAPH_RADIUS)) * 6 +
      0.5 * (1 + Math.cos((Math.PI * 5) / GRAPH_RADIUS));
    const usual = (low: number, high: number, few: number, many: number): boolean =>
      isUsual(rangesOf([low, high, few, many]), pair(2, 6), SMALL_CELL);
    expect(usual(2, 2, neighbourDensity - 1e-9, neighbourDensity + 1e-9)).toBe(true);
    expect(usual(2.001, 3, 0, 99)).toBe(false);
    expect(usual(1, 1.999, 0, 99)).toBe(false);
    expect(usual(1, 3, neighbourDensity + 1e-6, 99)).toBe(false);
    expect(usual(1, 3, 0, neighbourDensity - 1e-6)).toBe(false);
  });

  it('requires every atom to be usual: refuses if one element has no training data', () => {
    const ranges = rangesOf([1, 3, 0, 99]);
    expect(isUsual(ranges, pair(2), SMALL_CELL)).toBe(true);
    expect(isUsual(ranges.fill(0, 4 * O.number, 4 * O.number + 4), pair(2), SMALL_CELL)).toBe(false);
  });

  it('accepts cells of at most 25 times the total volume of their atoms as spheres', () => {
    const spheres = (4 / 3) * Math.PI * 0.5 * (iron ** 3 + oxygen ** 3);
    expect(isUsual(undefined, pair(2), 24.99 * spheres)).toBe(true);
    expect(isUsual(undefined, pair(2), 25.01 * spheres)).toBe(false);
  });

  it('refuses an isolated atom without neighbours', () => {
    const alone = { ...pair(2), rowStarts: Uint32Array.of(0, 2, 2) };
    expect(isUsual(undefined, alone, SMALL_CELL)).toBe(false);
  });
});
