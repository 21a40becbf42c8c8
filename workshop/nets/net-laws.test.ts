/**
 * Laws of plane nets: Euler's formula, effect of operators on the counts, published coordination sequences,
 * groups.
 */
import { readFileSync } from 'node:fs';
import {
  determinant2,
  edgeVector,
  findNet,
  listNets,
  multiply2,
  type Net,
  type NetEdge,
  netById,
  type PeriodicGraph,
  type PlaneGroup,
  rowTimesMatrix2,
  spokesOf,
  transpose2,
} from '@unitcell/tight-binding';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { barycentricPositions, isConvexDrawing, isStable } from './barycentric.ts';
import {
  curvature,
  dualSymbol,
  formatSymbol,
  minimalSymbol,
  parseSymbol,
  symbolKey,
} from './delaney-symbol.ts';
import { edgeLengths, metricOf } from './embedding.ts';
import { areIsomorphic, netSymmetry } from './net-symmetry.ts';
import { augmentedSymbol, lineGraph, medialSymbol, subdivided } from './operators.ts';
import { unfold } from './unfold.ts';

const graphOf = (net: Net): PeriodicGraph => ({ siteCount: net.positions.length, edges: net.edges });
const tilings = listNets().filter(({ symbol }) => symbol !== undefined);
const random = seededRandom(17);
const sample = tilings.filter(({ positions }) => positions.length <= 14 && random() < 0.3);
const counts = (symbol: Parameters<typeof unfold>[0]) => {
  const { siteCount, edges, faces } = unfold(symbol);
  return { sites: siteCount, edges: edges.length, faces: faces.length };
};

/** Number of sites 1, 2 … `shells` links away, by breadth-first search over the infinite net. */
function coordinationSequence(graph: PeriodicGraph, start: number, shells: number): number[] {
  const spokes = spokesOf(graph);
  const seen = new Set([`${start},0,0`]);
  let front = [{ site: start, x: 0, y: 0 }];
  return Array.from({ length: shells }, () => {
    const next: typeof front = [];
    for (const { site, x, y } of front)
      for (const { to, dx, dy } of spokes[site]) {
        const reached = { site: to, x: x + dx, y: y + dy };
        const key = `${to},${reached.x},${reached.y}`;
        if (seen.has(key)) continue;
        seen.add(key);
        next.push(reached);
      }
    front = next;
    return next.length;
  });
}

describe('coordination sequences', () => {
  // On-Line Encyclopedia of Integer Sequences, without the leading 1.
  it.each<[string, string, number[]]>([
    ['hcb', 'A008486', [3, 6, 9, 12, 15, 18, 21, 24, 27, 30]],
    ['sql', 'A008574', [4, 8, 12, 16, 20, 24, 28, 32, 36, 40]],
    ['hxl', 'A008458', [6, 12, 18, 24, 30, 36, 42, 48, 54, 60]],
    ['kgm', 'A008579', [4, 8, 14, 18, 22, 28, 30, 38, 38, 48]],
    ['fes', 'A008576', [3, 5, 8, 11, 13, 16, 19, 21, 24, 27]],
    ['cem', 'A008706', [5, 10, 15, 20, 25, 30, 35, 40, 45, 50]],
    ['htb', 'A008574', [4, 8, 12, 16, 20, 24, 28, 32, 36, 40]],
    ['tts', 'A219529', [5, 11, 16, 21, 27, 32, 37, 43, 48, 53]],
    ['fsz', 'A250120', [5, 9, 15, 19, 24, 29, 33, 39, 43, 48]],
    ['hca', 'A250122', [3, 4, 6, 8, 12, 14, 15, 18, 21, 22]],
    ['fxt', 'A072154', [3, 5, 7, 9, 12, 15, 17, 19, 21, 24]],
  ])('%s is %s', (id, _, sequence) => {
    expect(coordinationSequence(graphOf(netById(id)), 0, sequence.length)).toEqual(sequence);
  });

  interface Published {
    code: string;
    vertices: { coordinationSequence: number[] }[];
    derived: {
      primitiveCell: { vertices: number; edges: number; faces: number };
      faceSizesPerPrimitiveCell: Record<string, number>;
    };
  }
  const { rcsr } = JSON.parse(
    readFileSync(new URL('fixtures/reference-nets.json', import.meta.url), 'utf8'),
  ) as {
    rcsr: Published[];
  };

  it.each(rcsr.map((net) => [net.code, net] as const))(
    '%s: the sequences of every kind of site are those of RCSR',
    (code, published) => {
      const net = netById(code);
      const text = (list: number[][]) => list.map((sequence) => sequence.join(' ')).sort();
      const own = net.orbits.map((_, orbit) =>
        coordinationSequence(graphOf(net), net.orbitOf.indexOf(orbit), 10),
      );
      expect(text(own)).toEqual(
        text(published.vertices.map(({ coordinationSequence: sequence }) => sequence.slice(0, 10))),
      );
    },
  );

  it.each(rcsr.map((net) => [net.code, net] as const))(
    '%s: cell counts and face sizes are those of RCSR',
    (code, { derived }) => {
      const map = unfold(parseSymbol(netById(code).symbol ?? ''));
      const { vertices, edges, faces } = derived.primitiveCell;
      expect([map.siteCount, map.edges.length, map.faces.length]).toEqual([vertices, edges, faces]);
      const sizes: Record<string, number> = {};
      for (const face of map.faces) sizes[face.length] = (sizes[face.length] ?? 0) + 1;
      expect(sizes).toEqual(derived.faceSizesPerPrimitiveCell);
    },
  );
});

describe('symbols of the named tilings', () => {
  it('the sample is large enough', () => expect(sample.length).toBeGreaterThan(20));

  it('every tiling is flat, and its cell obeys Euler on the torus: V − E + F = 0', () => {
    const offenders = tilings.filter(({ symbol = '' }) => {
      const parsed = parseSymbol(symbol);
      const { sites, edges, faces } = counts(parsed);
      return Math.abs(curvature(parsed)) > 1e-12 || sites - edges + faces !== 0;
    });
    expect(offenders.map(({ id }) => id)).toEqual([]);
  });

  it('every edge borders two sides of faces and every face closes', () => {
    for (const { symbol = '' } of sample) {
      const { edges, faces } = unfold(parseSymbol(symbol));
      const uses = edges.map((): number[] => []);
      for (const face of faces) {
        const shift = [0, 0];
        for (const { edge, reversed } of face) {
          uses[edge].push(reversed ? -1 : 1);
          shift[0] += (reversed ? -1 : 1) * edges[edge][2];
          shift[1] += (reversed ? -1 : 1) * edges[edge][3];
        }
        expect(shift.map((x) => x + 0)).toEqual([0, 0]);
      }
      expect(uses.every((own) => own.length === 2)).toBe(true);
    }
  });

  it.each(sample.map(({ id, symbol = '' }) => [id, parseSymbol(symbol)] as const))(
    '%s: dual, medial and augmented nets have the expected counts',
    (_, symbol) => {
      const own = counts(symbol);
      expect(counts(dualSymbol(symbol))).toEqual({ sites: own.faces, edges: own.edges, faces: own.sites });
      expect(counts(medialSymbol(symbol))).toEqual({
        sites: own.edges,
        edges: 2 * own.edges,
        faces: own.sites + own.faces,
      });
      expect(counts(augmentedSymbol(symbol))).toEqual({
        sites: 2 * own.edges,
        edges: 3 * own.edges,
        faces: own.sites + own.faces,
      });
    },
  );

  it.each(sample.map(({ id, symbol = '' }) => [id, symbol] as const))(
    '%s: the key is a fixed point, the dual of the dual is the net, and minimal symbols stay minimal',
    (_, text) => {
      const symbol = parseSymbol(text);
      expect(symbolKey(symbol)).toBe(text);
      expect(symbolKey(parseSymbol(symbolKey(symbol)))).toBe(text);
      expect(formatSymbol(dualSymbol(dualSymbol(symbol)))).toBe(formatSymbol(symbol));
      expect(minimalSymbol(minimalSymbol(symbol)).size).toBe(symbol.size);
      expect(symbolKey(medialSymbol(dualSymbol(symbol)))).toBe(symbolKey(medialSymbol(symbol)));
    },
  );
});

/** Orders of the point groups behind the 17 plane groups (International Tables A, chapter 2.2). */
const ORDER: Readonly<Record<PlaneGroup, number>> = {
  p1: 1,
  p2: 2,
  pm: 2,
  pg: 2,
  cm: 2,
  p2mm: 4,
  p2mg: 4,
  p2gg: 4,
  c2mm: 4,
  p4: 4,
  p4mm: 8,
  p4gm: 8,
  p3: 3,
  p3m1: 6,
  p31m: 6,
  p6: 6,
  p6mm: 12,
};

describe('symmetry of the drawn nets', () => {
  it.each(sample.map((net) => [net.id, net] as const))(
    '%s: has a group of the order of its plane group',
    (_, net) => {
      const graph = graphOf(net);
      const operations = netSymmetry(graph, barycentricPositions(graph));
      expect(operations).toHaveLength(ORDER[net.planeGroup]);
      const keys = new Set(operations.map(({ matrix }) => matrix.flat().join()));
      expect(keys.size).toBe(operations.length);
      for (const a of operations)
        for (const b of operations)
          expect(
            keys.has(
              multiply2(a.matrix, b.matrix)
                .flat()
                .map((x) => x + 0)
                .join(),
            ),
          ).toBe(true);
      expect(operations.every(({ matrix }) => Math.abs(determinant2(matrix)) === 1)).toBe(true);
    },
  );

  it.each(sample.map((net) => [net.id, net] as const))(
    '%s: orbit × stabiliser is the group order, orbit by orbit',
    (_, net) => {
      const graph = graphOf(net);
      const operations = netSymmetry(graph, barycentricPositions(graph));
      for (let site = 0; site < graph.siteCount; site++) {
        const images = new Set(operations.map(({ siteImages }) => siteImages[site]));
        const fixed = operations.filter(({ siteImages }) => siteImages[site] === site).length;
        expect(images.size * fixed).toBe(operations.length);
        expect(images.size).toBe(net.orbits[net.orbitOf[site]].siteCount);
      }
    },
  );

  it.each(sample.map((net) => [net.id, net] as const))(
    '%s: every operation keeps lengths, and edges of one orbit are equal',
    (_, net) => {
      const graph = graphOf(net);
      const operations = netSymmetry(graph, barycentricPositions(graph));
      const metric = metricOf(net.latticeVectors);
      for (const { matrix } of operations) {
        const image = multiply2(multiply2(matrix, metric), transpose2(matrix)).flat();
        image.forEach((value, i) => expect(value).toBeCloseTo(metric.flat()[i], 3));
      }
      const lengths = edgeLengths(graph, net);
      const degree = spokesOf(graph).map((spokes) => spokes.length);
      graph.edges.forEach(([i, j], edge) => {
        const { siteImages } = operations[operations.length - 1];
        expect([degree[siteImages[i]], degree[siteImages[j]]]).toEqual([degree[i], degree[j]]);
        expect(lengths[edge]).toBeGreaterThan(0.2);
      });
    },
  );
});

describe('placements and derived graphs', () => {
  it.each(sample.map((net) => [net.id, net] as const))(
    '%s: the equilibrium is stable, without crossings and without force',
    (_, net) => {
      const map = unfold(parseSymbol(net.symbol ?? ''));
      const positions = barycentricPositions(map);
      expect(isStable(positions)).toBe(true);
      expect(isConvexDrawing(map, positions)).toBe(true);
      const force = positions.map((): [number, number] => [0, 0]);
      for (const edge of map.edges) {
        const [x, y] = edgeVector(edge, positions);
        force[edge[0]] = [force[edge[0]][0] + x, force[edge[0]][1] + y];
        force[edge[1]] = [force[edge[1]][0] - x, force[edge[1]][1] - y];
      }
      for (const component of force.flat()) expect(Math.abs(component)).toBeLessThan(1e-9);
    },
  );

  it.each(['hcb', 'sql', 'kgm', 'tts', 'mcm'])(
    '%s: subdividing n times adds n sites and n links to every edge',
    (id) => {
      const net = netById(id);
      for (const n of [1, 2, 4]) {
        const { graph, positions } = subdivided({ graph: graphOf(net), positions: net.positions }, n);
        expect(graph.siteCount).toBe(net.positions.length + n * net.edges.length);
        expect(graph.edges).toHaveLength((n + 1) * net.edges.length);
        const cartesian = (edge: (typeof graph.edges)[number]): number =>
          Math.hypot(...rowTimesMatrix2(edgeVector(edge, positions), net.latticeVectors));
        const total = graph.edges.reduce((sum, edge) => sum + cartesian(edge), 0);
        const whole = edgeLengths(graphOf(net), net).reduce((sum, length) => sum + length, 0);
        expect(total).toBeCloseTo(whole, 9);
      }
    },
  );

  it.each(['hcb', 'fes', 'hca'])(
    '%s: the second line graph has the number of sites that the degrees imply',
    (id) => {
      const net = netById(id);
      const once = lineGraph({ graph: graphOf(net), positions: net.positions });
      const twice = lineGraph(once);
      expect(once.graph.siteCount).toBe(net.edges.length);
      expect(twice.graph.siteCount).toBe(once.graph.edges.length);
      expect(spokesOf(once.graph).every((spokes) => spokes.length === 4)).toBe(true);
      expect(spokesOf(twice.graph).every((spokes) => spokes.length === 6)).toBe(true);
    },
  );

  it('no two named nets with distinct sites are isomorphic', () => {
    const nets = listNets().filter(
      (net) => net.positions.length <= 12 && isStable(barycentricPositions(graphOf(net))),
    );
    expect(nets.length).toBeGreaterThan(100);
    const twins = nets.filter((net, i) =>
      nets.slice(0, i).some((other) => areIsomorphic(graphOf(other), graphOf(net))),
    );
    expect(twins).toEqual([]);
  });

  it('findNet ignores case and does not find unknown names', () => {
    for (const { id } of sample) expect(findNet(id.toUpperCase())?.id).toBe(id);
    expect(findNet('no-such-net')).toBeUndefined();
  });

  it('a net with a site listed in another cell is isomorphic to itself', () => {
    const net = netById('tts');
    const [sx, sy] = [3, -2];
    const edges = net.edges.map(([i, j, dx, dy]): NetEdge => {
      const turns = Number(j === 0) - Number(i === 0);
      return [i, j, dx + turns * sx, dy + turns * sy];
    });
    expect(edges).not.toEqual(net.edges);
    expect(areIsomorphic({ siteCount: net.positions.length, edges }, graphOf(net))).toBe(true);
  });
});
