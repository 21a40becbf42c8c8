/**
 * Pairs of sites coupled by t2. The literature uses two rules, which give different bands. `graph` couples every pair
 * exactly two links apart (defined for every net; Springer, Liu, Kuc, Heine, Chem. Soc. Rev. 49 (2020) 2007);
 * `distance` couples the pairs at the second shortest distance of the drawing.
 */
import {
  type Mat2,
  type NetEdge,
  type PeriodicGraph,
  rowTimesMatrix2,
  sortedEdges,
  spokesOf,
  type Vec2,
} from '../periodic-graph.ts';
import { TightBindingError } from '../tight-binding-error.ts';

export type SecondNeighbourRule = 'graph' | 'distance';

/**
 * Distances that differ by less than this (in mean edges) belong to one shell; coordinates are stored to 1e-6.
 */
export const SHELL_TOLERANCE = 1e-3;

/**
 * Limit on the pairs of sites and cells examined for one reach: a net of a hundred sites in a compact unit
 * cell needs 500,000.
 */
export const MAX_PAIRS = 5_000_000;

const pairKey = (edge: NetEdge) => edge.join(',');

/** Pairs at graph distance exactly 2, each once. */
export function graphSecondNeighbours(graph: PeriodicGraph): NetEdge[] {
  const spokes = spokesOf(graph);
  const found = new Map<string, NetEdge>();
  const first = new Set(sortedEdges(graph.edges).map(pairKey));
  for (let i = 0; i < graph.siteCount; i++)
    for (const a of spokes[i])
      for (const b of spokes[a.to]) {
        const [pair] = sortedEdges([[i, b.to, a.dx + b.dx, a.dy + b.dy]]);
        const isSame = pair[0] === pair[1] && pair[2] === 0 && pair[3] === 0;
        if (!isSame && !first.has(pairKey(pair))) found.set(pairKey(pair), pair);
      }
  return sortedEdges([...found.values()]);
}

export interface DistanceShell {
  readonly distance: number;
  readonly pairs: readonly NetEdge[];
}

/**
 * The first `count` shells of pairs by distance.
 * @throws TightBindingError `degenerate-net` when the cell is so flat that more than `MAX_PAIRS` would be
 * examined
 */
export function distanceShells(
  positions: readonly Vec2[],
  latticeVectors: Mat2,
  count: number,
): DistanceShell[] {
  const [a, b] = latticeVectors;
  const area = Math.abs(a[0] * b[1] - a[1] * b[0]);
  for (let reach = 2.5; ; reach *= 1.5) {
    // Lattice lines are area / |a₂| apart, so a search over `nx` and `ny` cells finds every pair within reach.
    const nx = Math.ceil((reach * Math.hypot(...b)) / area) + 1;
    const ny = Math.ceil((reach * Math.hypot(...a)) / area) + 1;
    const cellPairs = positions.length ** 2 * (2 * nx + 1) * (2 * ny + 1);
    if (!(cellPairs <= MAX_PAIRS))
      throw new TightBindingError(
        'degenerate-net',
        `${positions.length} sites in a cell of area ${area} need ${cellPairs} pairs for their shells: at most ${MAX_PAIRS} are looked at; use a net with a less flat cell`,
      );
    const pairs: { distance: number; pair: NetEdge }[] = [];
    positions.forEach((p, i) => {
      for (let j = i; j < positions.length; j++)
        for (let dx = -nx; dx <= nx; dx++)
          for (let dy = -ny; dy <= ny; dy++) {
            if (i === j && (dx < 0 || (dx === 0 && dy <= 0))) continue;
            const q = positions[j];
            const distance = Math.hypot(
              ...rowTimesMatrix2([q[0] + dx - p[0], q[1] + dy - p[1]], latticeVectors),
            );
            if (distance <= reach) pairs.push({ distance, pair: [i, j, dx, dy] });
          }
    });
    pairs.sort((u, v) => u.distance - v.distance);
    const shells: { distance: number; pairs: NetEdge[] }[] = [];
    for (const { distance, pair } of pairs) {
      const last = shells.at(-1);
      if (last && distance - last.distance < SHELL_TOLERANCE) last.pairs.push(pair);
      else shells.push({ distance, pairs: [pair] });
    }
    // The last shell within the reach may be incomplete.
    if (shells.length > count)
      return shells
        .slice(0, count)
        .map(({ distance, pairs: own }) => ({ distance, pairs: sortedEdges(own) }));
  }
}
