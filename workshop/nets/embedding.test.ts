/** Metrics, reduced bases and scales of drawings. */
import {
  determinant2,
  type Mat2,
  multiply2,
  netById,
  type PeriodicGraph,
  rebased,
  rowTimesMatrix2,
  transpose2,
  type Vec2,
} from '@unitcell/tight-binding';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { barycentricPositions } from './barycentric.ts';
import {
  barycentricEmbedding,
  edgeLengths,
  latticeFromMetric,
  metricOf,
  reducedBasis,
  scaledToUnitEdges,
  symmetrizedMetric,
} from './embedding.ts';
import { netSymmetry } from './net-symmetry.ts';

const random = seededRandom(31);
const uniform = (low: number, high: number): number => low + (high - low) * random();
const randomLattice = (): Mat2 => {
  for (;;) {
    const lattice: Mat2 = [
      [uniform(-3, 3), uniform(-3, 3)],
      [uniform(-3, 3), uniform(-3, 3)],
    ];
    if (Math.abs(determinant2(lattice)) > 0.2) return lattice;
  }
};
/** Shears and rotations by right angles. */
const randomBasis = (): Mat2 => {
  let basis: Mat2 = [
    [1, 0],
    [0, 1],
  ];
  for (let step = 0; step < 4; step++) {
    const n = Math.round(uniform(-3, 3));
    basis = multiply2(basis, [
      [n, 1],
      [-1, 0],
    ]);
  }
  return basis;
};
const expectClose = (found: Mat2, wanted: Mat2, digits = 9): void =>
  found.flat().forEach((value, k) => expect(value).toBeCloseTo(wanted.flat()[k], digits));
const graphOf = (id: string): PeriodicGraph => ({
  siteCount: netById(id).positions.length,
  edges: netById(id).edges,
});
const IDS = ['sql', 'hcb', 'kgm', 'mcm', 'cem', 'fsz', 'tts', 'htb', 'krj', 'tdr'];

describe('metrics', () => {
  it('a lattice built from a metric has that metric, its first vector along x, and is right-handed', () => {
    for (let run = 0; run < 100; run++) {
      const metric = metricOf(randomLattice());
      const lattice = latticeFromMetric(metric);
      expectClose(metricOf(lattice), metric);
      expect(lattice[0][1]).toBe(0);
      expect(lattice[0][0]).toBeGreaterThan(0);
      expect(determinant2(lattice)).toBeGreaterThan(0);
    }
  });

  it('a metric averaged over a group is invariant under it, and averaging is idempotent', () => {
    for (const id of IDS) {
      const graph = graphOf(id);
      const operations = netSymmetry(graph, barycentricPositions(graph));
      const metric = symmetrizedMetric(metricOf(randomLattice()), operations);
      for (const { matrix } of operations)
        expectClose(multiply2(multiply2(matrix, metric), transpose2(matrix)), metric);
      expectClose(symmetrizedMetric(metric, operations), metric);
      expect(determinant2(metric)).toBeGreaterThan(0);
    }
  });
});

describe('reducedBasis', () => {
  const shortest = (lattice: Mat2): [number, number] => {
    const found: { length: number; vector: Vec2 }[] = [];
    for (let i = -9; i <= 9; i++)
      for (let j = -9; j <= 9; j++)
        if (i !== 0 || j !== 0) {
          const vector: Vec2 = [i, j];
          found.push({ length: Math.hypot(...rowTimesMatrix2(vector, lattice)), vector });
        }
    found.sort((a, b) => a.length - b.length);
    const second = found.find(({ vector }) => determinant2([found[0].vector, vector]) !== 0)!;
    return [found[0].length, second.length];
  };

  it('spans the lattice right-handed by its two shortest vectors (Lagrange’s conditions)', () => {
    for (let run = 0; run < 60; run++) {
      const lattice = reducedBasis(metricOf(randomLattice()));
      expect(lattice.flat().every((x) => Number.isInteger(x))).toBe(true);
      expect(determinant2(lattice)).toBe(1);
    }
    for (let run = 0; run < 60; run++) {
      const reduced = ((own) => multiply2(reducedBasis(metricOf(own)), own))(randomLattice());
      const skewed = multiply2(randomBasis(), reduced);
      const again = multiply2(reducedBasis(metricOf(skewed)), skewed);
      const [[uu, uv], [, vv]] = metricOf(again);
      expect(uu).toBeLessThanOrEqual(vv * (1 + 1e-8));
      expect(2 * Math.abs(uv)).toBeLessThanOrEqual(uu * (1 + 1e-8));
      const [first, second] = shortest(reduced);
      expect(Math.sqrt(uu)).toBeCloseTo(first, 8);
      expect(Math.sqrt(vv)).toBeCloseTo(second, 8);
    }
  });

  it('keeps a basis that is already reduced, ties included', () => {
    const third = Math.sqrt(3) / 2;
    const lattices: readonly Mat2[] = [
      [
        [1, 0],
        [0, 1],
      ],
      [
        [1, 0],
        [-0.5, third],
      ],
      [
        [1, 0],
        [0.5, third],
      ],
      [
        [1, 0],
        [0.2, 1.7],
      ],
    ];
    for (const lattice of lattices)
      expect(reducedBasis(metricOf(lattice))).toEqual([
        [1, 0],
        [0, 1],
      ]);
  });
});

describe('embeddings', () => {
  it('are scaled to a mean edge of 1, whatever the scale before', () => {
    for (const id of IDS) {
      const { positions, latticeVectors } = netById(id);
      const graph = graphOf(id);
      const factor = uniform(0.1, 10);
      const [a, b] = latticeVectors;
      const blown: Mat2 = [
        [a[0] * factor, a[1] * factor],
        [b[0] * factor, b[1] * factor],
      ];
      const scaled = scaledToUnitEdges(graph, { positions, latticeVectors: blown });
      const lengths = edgeLengths(graph, scaled);
      expect(lengths.reduce((sum, length) => sum + length, 0) / lengths.length).toBeCloseTo(1, 12);
      expectClose(
        scaled.latticeVectors,
        scaledToUnitEdges(graph, { positions, latticeVectors }).latticeVectors,
      );
    }
  });

  it('are the same for every basis of the lattice of a net', () => {
    const lengthsOf = (graph: PeriodicGraph): number[] => {
      const positions = barycentricPositions(graph);
      const operations = netSymmetry(graph, positions);
      return edgeLengths(graph, barycentricEmbedding(graph, positions, operations)).sort((a, b) => a - b);
    };
    for (const id of IDS) {
      const graph = graphOf(id);
      const own = lengthsOf(graph);
      const moved = lengthsOf(
        rebased(
          graph,
          randomBasis(),
          Array.from({ length: graph.siteCount }, (): Vec2 => [0, 0]),
        ),
      );
      // Precision is lower for a skewed basis, because its metric has entries of some thousands.
      moved.forEach((length, edge) => expect(length).toBeCloseTo(own[edge], 5));
    }
  });

  it('of the regular tilings are square, hexagonal and triangular with unit edges', () => {
    for (const [id, angle] of [
      ['sql', 90],
      ['hcb', 120],
      ['hxl', 120],
    ] as const) {
      const graph = graphOf(id);
      const positions = barycentricPositions(graph);
      const embedding = barycentricEmbedding(graph, positions, netSymmetry(graph, positions));
      for (const length of edgeLengths(graph, embedding)) expect(length).toBeCloseTo(1, 9);
      const [[aa, ab], [, bb]] = metricOf(embedding.latticeVectors);
      expect(aa).toBeCloseTo(bb, 9);
      // Angles of 60° and 120° describe the same lattice.
      expect(Math.abs(ab / aa)).toBeCloseTo(Math.abs(Math.cos((angle * Math.PI) / 180)), 9);
    }
  });
});
