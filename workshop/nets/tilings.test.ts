/** Known tilings: vertex figures, supercells, and the symbols of the sphere and the hyperbolic plane. */
import { type NetEdge, netById, type PeriodicGraph, spokesOf, type Vec2 } from '@unitcell/tight-binding';
import { describe, expect, it } from 'vitest';
import { barycentricPositions, facePolygon, isConvexDrawing, isStable } from './barycentric.ts';
import {
  canonicalSymbol,
  curvature,
  dualSymbol,
  formatSymbol,
  orbits,
  parseSymbol,
  rotationLength,
  symbolKey,
} from './delaney-symbol.ts';
import { areIsomorphic, netSymmetry, siteOrbits } from './net-symmetry.ts';
import { augmentedSymbol, medialSymbol } from './operators.ts';
import { symbolOfGraph } from './testing/symbol-of-graph.ts';
import { unfold } from './unfold.ts';

const symbolOf = (id: string) => parseSymbol(netById(id).symbol!);
const graphOf = (id: string): PeriodicGraph => ({
  siteCount: netById(id).positions.length,
  edges: netById(id).edges,
});

/** The faces around a site of every kind, written from the smallest: `3.6.3.6`. */
function vertexFigures(id: string): string[] {
  const symbol = symbolOf(id);
  return orbits(symbol, 1, 2).map((orbit) => {
    const [, s1, s2] = symbol.neighbours;
    const ring: number[] = [];
    let chamber = orbit[0];
    for (let step = 0; step < symbol.degree[orbit[0]]; step++) {
      ring.push(symbol.faceSize[chamber]);
      chamber = s2[s1[chamber]];
    }
    const readings = [ring, ring.toReversed()].flatMap((one) =>
      one.map((_, start) => [...one.slice(start), ...one.slice(0, start)]),
    );
    const smaller = (a: readonly number[], b: readonly number[]): boolean => {
      const at = a.findIndex((value, k) => value !== b[k]);
      return at >= 0 && a[at] < b[at];
    };
    return readings.reduce((best, one) => (smaller(one, best) ? one : best)).join('.');
  });
}

/** A cell `n` × `m` as large, its sites numbered cell by cell. */
function supercellOf({ siteCount, edges }: PeriodicGraph, n: number, m: number): PeriodicGraph {
  const indexOf = (site: number, x: number, y: number): number =>
    ((((x % n) + n) % n) * m + (((y % m) + m) % m)) * siteCount + site;
  const repeated: NetEdge[] = [];
  for (let x = 0; x < n; x++)
    for (let y = 0; y < m; y++)
      for (const [i, j, dx, dy] of edges)
        repeated.push([
          indexOf(i, x, y),
          indexOf(j, x + dx, y + dy),
          Math.floor((x + dx) / n),
          Math.floor((y + dy) / m),
        ]);
  return { siteCount: siteCount * n * m, edges: repeated };
}

describe('the eleven uniform tilings', () => {
  // J. Kepler, Harmonices Mundi (1619); B. Grünbaum & G. C. Shephard, Tilings and Patterns (1987), fig. 2.1.5.
  it.each([
    ['sql', '4.4.4.4'],
    ['hcb', '6.6.6'],
    ['hxl', '3.3.3.3.3.3'],
    ['kgm', '3.6.3.6'],
    ['fes', '4.8.8'],
    ['cem', '3.3.3.4.4'],
    ['htb', '3.4.6.4'],
    ['tts', '3.3.4.3.4'],
    ['fsz', '3.3.3.3.6'],
    ['hca', '3.12.12'],
    ['fxt', '4.6.12'],
  ])('%s is %s: one kind of site, with angles that add up to a full turn', (id, figure) => {
    expect(vertexFigures(id)).toEqual([figure]);
    // Corners of regular polygons, in half turns: Σ (1 − 2/n) = 2.
    const turn = figure.split('.').reduce((sum, n) => sum + 1 - 2 / Number(n), 0);
    expect(turn).toBeCloseTo(2, 12);
  });

  it('their duals have one kind of tile (Laves)', () => {
    for (const id of ['sql', 'hcb', 'hxl', 'kgm', 'fes', 'cem', 'htb', 'tts', 'fsz', 'hca', 'fxt'])
      expect(orbits(dualSymbol(symbolOf(id)), 0, 1)).toHaveLength(1);
  });
});

describe('curvature', () => {
  /**
   * One chamber: the regular tiling {p, q}, whose group has 4 / (1/p + 1/q − 1/2) / 2 chambers on the sphere.
   */
  const regular = (p: number, q: number) => parseSymbol(`1:1,1,1:${p},${q}`);

  // H. S. M. Coxeter, Regular Polytopes (1973), table I: the orders of the groups [p, q].
  it.each([
    [3, 3, 24],
    [4, 3, 48],
    [3, 4, 48],
    [5, 3, 120],
    [3, 5, 120],
  ])('{%i,%i} is positive and gives a group of %i chambers', (p, q, order) => {
    expect(2 / curvature(regular(p, q))).toBeCloseTo(order / 2, 9);
  });

  it.each([
    [4, 4],
    [6, 3],
    [3, 6],
  ])('{%i,%i} is flat, and a larger face or degree is negative', (p, q) => {
    expect(curvature(regular(p, q))).toBeCloseTo(0, 12);
    expect(curvature(regular(p + 1, q))).toBeLessThan(0);
    expect(curvature(regular(p, q + 1))).toBeLessThan(0);
  });

  it('stays zero under all operators for flat tilings', () => {
    for (const id of ['sql', 'kgm', 'mcm', 'tts', 'bew']) {
      const symbol = symbolOf(id);
      for (const operator of [dualSymbol, medialSymbol, augmentedSymbol])
        expect(curvature(operator(symbol))).toBeCloseTo(0, 12);
      const spherical = regular(4, 3);
      expect(curvature(dualSymbol(spherical))).toBe(curvature(spherical));
    }
  });
});

describe('symbols', () => {
  const IDS = ['kgm', 'mcm', 'tts', 'cem', 'fsz', 'krj', 'tdr', 'bew'];

  it('every face size and degree is an integer multiple of the rotation order at its corner', () => {
    for (const id of IDS) {
      const { neighbours, faceSize, degree, size } = symbolOf(id);
      for (let chamber = 0; chamber < size; chamber++) {
        expect(faceSize[chamber] % rotationLength(neighbours, chamber, 0, 1)).toBe(0);
        expect(degree[chamber] % rotationLength(neighbours, chamber, 1, 2)).toBe(0);
        expect(2 % rotationLength(neighbours, chamber, 0, 2)).toBe(0);
      }
    }
  });

  it('canonical numbering is the same from every start, and formatting and parsing are inverse', () => {
    for (const id of IDS) {
      const symbol = symbolOf(id);
      const text = formatSymbol(canonicalSymbol(symbol));
      expect(formatSymbol(canonicalSymbol(parseSymbol(text)))).toBe(text);
      expect(text).toBe(symbolKey(symbol));
    }
  });

  it('are recovered from the drawn graph, whatever the cell', () => {
    for (const id of IDS) {
      expect(symbolKey(symbolOfGraph(graphOf(id)))).toBe(netById(id).symbol);
      expect(symbolKey(symbolOfGraph(unfold(symbolOf(id))))).toBe(netById(id).symbol);
    }
  });
});

describe('supercells', () => {
  const CASES = ['sql', 'hcb', 'kgm', 'mcm', 'tts'] as const;

  it.each(CASES)('%s: sites are at the mean of their neighbours and copies one cell apart', (id) => {
    const graph = graphOf(id);
    const [n, m] = [2, 3];
    const own = barycentricPositions(graph);
    const large = barycentricPositions(supercellOf(graph, n, m));
    expect(isStable(large)).toBe(true);
    for (let x = 0; x < n; x++)
      for (let y = 0; y < m; y++)
        own.forEach(([u, v], site) => {
          const [p, q] = large[(x * m + y) * graph.siteCount + site];
          expect(p).toBeCloseTo((u + x) / n, 9);
          expect(q).toBeCloseTo((v + y) / m, 9);
        });
  });

  it.each(CASES)('%s: a supercell of n × n cells has n² times the operations, in the same orbits', (id) => {
    const graph = graphOf(id);
    const operations = netSymmetry(graph, barycentricPositions(graph));
    const large = supercellOf(graph, 2, 2);
    const lifted = netSymmetry(large, barycentricPositions(large));
    expect(lifted).toHaveLength(4 * operations.length);
    const orbitCount = (orbitOf: readonly number[]): number => new Set(orbitOf).size;
    expect(orbitCount(siteOrbits(large.siteCount, lifted))).toBe(
      orbitCount(siteOrbits(graph.siteCount, operations)),
    );
  });

  it.each(CASES)(
    '%s: is not isomorphic to the primitive cell, and n × m is isomorphic to m × n only if an operation exchanges the axes',
    (id) => {
      const graph = graphOf(id);
      const [wide, tall] = [supercellOf(graph, 2, 1), supercellOf(graph, 1, 2)];
      expect(areIsomorphic(wide, graph)).toBe(false);
      // A rotation or reflection that exchanges the axes makes them isomorphic.
      const exchanges = netSymmetry(graph, barycentricPositions(graph)).some(
        ({ matrix: [[a, b], [c, d]] }) => a === 0 && d === 0 && Math.abs(b * c) === 1,
      );
      expect(areIsomorphic(wide, tall)).toBe(exchanges);
    },
  );
});

describe('drawings', () => {
  it('with crossings or zero-length edges are not convex', () => {
    const map = unfold(parseSymbol('1:1,1,1:6,3'));
    const positions = barycentricPositions(map);
    expect(isConvexDrawing(map, positions)).toBe(true);
    // The second site is moved past the first: its faces turn in both directions.
    const [x, y] = positions[1];
    expect(isConvexDrawing(map, [positions[0], [x + 0.6, y + 0.5]])).toBe(false);
    expect(isConvexDrawing(map, [positions[0], positions[0]])).toBe(false);
  });

  it('with an inverted triangle are not convex, however thin it is', () => {
    // Tetrakis square tiling: the centre of a square, of degree 4, is moved past one of its sides.
    const map = unfold(dualSymbol(symbolOf('fes')));
    const positions = barycentricPositions(map);
    expect(isConvexDrawing(map, positions)).toBe(true);
    const middle = spokesOf(map).findIndex((spokes) => spokes.length === 4);
    const face = map.faces.find((sides) =>
      sides.some(({ edge }) => map.edges[edge].slice(0, 2).includes(middle)),
    )!;
    const first = face.findIndex(({ edge, reversed }) => map.edges[edge][reversed ? 1 : 0] === middle);
    const corners = facePolygon(map, positions, face);
    const [own, one, other] = [0, 1, 2].map((k) => corners[(first + k) % 3]);
    const pulled = positions.map(([x, y], site): Vec2 => {
      if (site !== middle) return [x, y];
      return [x + 1.002 * ((one[0] + other[0]) / 2 - own[0]), y + 1.002 * ((one[1] + other[1]) / 2 - own[1])];
    });
    expect(isConvexDrawing(map, pulled)).toBe(false);
  });

  it('with two sites that coincide modulo the lattice are not stable', () => {
    expect(
      isStable([
        [0, 0],
        [0.5, 0.25],
      ]),
    ).toBe(true);
    expect(
      isStable([
        [0, 0],
        [3, -2],
      ]),
    ).toBe(false);
    expect(
      isStable([
        [0.25, 0.5],
        [-0.75, 1.5],
      ]),
    ).toBe(false);
  });

  it('have the reverse of every directed edge', () => {
    for (const id of ['kgm', 'lieb', 'tts']) {
      const spokes = spokesOf(graphOf(id));
      spokes.forEach((own, site) => {
        for (const { to, dx, dy, edge } of own)
          expect(
            spokes[to].some(
              (back) => back.to === site && back.edge === edge && back.dx + dx === 0 && back.dy + dy === 0,
            ),
          ).toBe(true);
      });
    }
  });
});
