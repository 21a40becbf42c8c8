/**
 * Tests of second neighbours against a search of the infinite net, of shells against all distances of a large
 * patch, and of gaps against a dense grid.
 */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { listNets, netById } from '../net.ts';
import {
  edgeVector,
  type NetEdge,
  rowTimesMatrix2,
  sortedEdges,
  spokesOf,
  type Vec2,
} from '../periodic-graph.ts';
import { createBlochSolver } from './bloch-solver.ts';
import { createModel } from './model.ts';
import { distanceShells, graphSecondNeighbours, SHELL_TOLERANCE } from './second-neighbours.ts';
import { smallestGapNear } from './chern-number.ts';

const nets = listNets().filter(({ positions }, index) => positions.length <= 12 && index % 11 === 2);

/** Sites exactly two links from a site, found by walking, as `to,dx,dy`. */
function twoAway(edges: readonly NetEdge[], siteCount: number, start: number): Set<string> {
  const spokes = spokesOf({ siteCount, edges });
  const near = new Set([`${start},0,0`, ...spokes[start].map(({ to, dx, dy }) => `${to},${dx},${dy}`)]);
  const found = new Set<string>();
  for (const first of spokes[start])
    for (const second of spokes[first.to]) {
      const end = `${second.to},${first.dx + second.dx},${first.dy + second.dy}`;
      if (!near.has(end)) found.add(end);
    }
  return found;
}

describe('graphSecondNeighbours', () => {
  it.each(nets.map((net) => [net.id, net] as const))('%s: lists each pair two links apart once', (_, net) => {
    const graph = { siteCount: net.positions.length, edges: net.edges };
    const pairs = graphSecondNeighbours(graph);
    expect(sortedEdges(pairs)).toEqual(
      sortedEdges(
        [...new Set(pairs.map(String))].map((key) => key.split(',').map(Number) as unknown as NetEdge),
      ),
    );
    const spokes = spokesOf({ siteCount: graph.siteCount, edges: pairs });
    for (let site = 0; site < graph.siteCount; site++)
      expect(new Set(spokes[site].map(({ to, dx, dy }) => `${to},${dx},${dy}`))).toEqual(
        twoAway(net.edges, graph.siteCount, site),
      );
  });
});

describe('distanceShells', () => {
  it.each(nets.map((net) => [net.id, net] as const))(
    '%s: lists all pairs of a distance exactly once',
    (_, net) => {
      const shells = distanceShells(net.positions, net.latticeVectors, 3);
      const length = (pair: NetEdge): number =>
        Math.hypot(...rowTimesMatrix2(edgeVector(pair, net.positions), net.latticeVectors));
      for (const { distance, pairs } of shells)
        for (const pair of pairs) expect(Math.abs(length(pair) - distance)).toBeLessThan(5 * SHELL_TOLERANCE);
      for (let n = 1; n < shells.length; n++)
        expect(shells[n].distance).toBeGreaterThan(shells[n - 1].distance + SHELL_TOLERANCE / 2);
      // Every pair of a sufficiently large patch that is shorter than the outer limit of the last shell.
      const last = Math.max(...shells.flatMap(({ pairs }) => pairs.map(length)));
      const all: NetEdge[] = [];
      for (let i = 0; i < net.positions.length; i++)
        for (let j = 0; j < net.positions.length; j++)
          for (let dx = -8; dx <= 8; dx++)
            for (let dy = -8; dy <= 8; dy++) {
              const pair: NetEdge = [i, j, dx, dy];
              if (length(pair) > 1e-9 && length(pair) <= last + 1e-9) all.push(pair);
            }
      const unique = new Set(sortedEdges(all).map(String));
      expect(new Set(shells.flatMap(({ pairs }) => sortedEdges(pairs).map(String)))).toEqual(unique);
    },
  );
});

describe('smallestGapNear', () => {
  const random = seededRandom(1927);
  const models = ['hcb', 'kgm', 'lieb', 'fes', 'sql', 'star'].map((id) => {
    const net = netById(id);
    const onsite = net.positions.map(() => random() - 0.5);
    return [id, createModel({ net, t1: 1, t2: 0.3 * random(), onsite })] as const;
  });

  it('honeycomb: finds the minimum at K from any nearby start, to the precision of the energies', () => {
    const solver = createBlochSolver(createModel({ net: netById('hcb') }));
    for (let round = 0; round < 20; round++) {
      const start: Vec2 = [1 / 3 + 0.06 * (random() - 0.5), 1 / 3 + 0.06 * (random() - 0.5)];
      expect(smallestGapNear(solver, 0, start, 1 / 48)).toBeLessThan(2e-8);
    }
  });

  it.each(models)(
    '%s: is never above the starting value, and is close to the minimum of a finer grid',
    (_, model) => {
      const solver = createBlochSolver(model);
      const gapAt = ([x, y]: Vec2, band: number): number => {
        const energies = solver.energies([x, y]);
        return energies[band + 1] - energies[band];
      };
      const bands = model.onsite.length;
      for (let band = 0; band + 1 < bands; band++) {
        const grid = Array.from(
          { length: 40 * 40 },
          (_point, n): Vec2 => [(n % 40) / 40, Math.floor(n / 40) / 40],
        );
        const lowest = Math.min(...grid.map((k) => gapAt(k, band)));
        const starts = grid.filter((_k, n) => n % 211 === 0);
        const refined = starts.map(
          (k) => [gapAt(k, band), smallestGapNear(solver, band, k, 1 / 80)] as const,
        );
        for (const [before, after] of refined) expect(after).toBeLessThanOrEqual(before + 1e-12);
        // The minimum is below the lowest grid point by no more than bands can change within one grid division.
        const from = grid.find((k) => gapAt(k, band) === lowest)!;
        const found = smallestGapNear(solver, band, from, 1 / 80);
        expect(found).toBeLessThanOrEqual(lowest + 1e-12);
        expect(found).toBeGreaterThanOrEqual(0);
        const close = grid.map(([x, y]): Vec2 => [from[0] + (x - 0.5) / 20, from[1] + (y - 0.5) / 20]);
        expect(found).toBeLessThanOrEqual(Math.min(...close.map((k) => gapAt(k, band))) + 1e-3);
      }
    },
  );
});
