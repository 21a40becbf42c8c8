/**
 * The crystal as the network sees it: which atom has which neighbours at which distance. Every neighbour within the
 * radius counts; a cap on their number would cut through shells of equal distances and break the invariance.
 *
 * Atoms whose surroundings agree are one node (colour refinement: same element, same distances to neighbours of the same colours,
 * repeated until nothing changes), equal edges are one edge with a weight. A network that knows distances only gives such atoms
 * the same value, so nothing is lost but work; docs/science/prediction.md says how much.
 */
import {
  isOrdered,
  type Neighbour,
  minimumDistance,
  neighbourList,
  SMALLEST_DISTANCE,
  type Structure,
} from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { PredictionError } from './prediction-error.ts';

/** Å; atoms further away do not speak to each other. */
export const GRAPH_RADIUS = 5.5;
/** Largest cell that the training data hold. */
export const MAX_GRAPH_ATOMS = 100;
/** Å; distances that differ by less are one edge. */
export const DEFAULT_MERGE_TOLERANCE = 1e-3;
/** Rounds of refinement at most: what three layers of messages can tell apart needs three. */
const MAX_ROUNDS = 8;

/** Nodes and, row by row, what each of them hears. */
export interface CrystalGraph {
  /** Atomic number of each node. */
  readonly atomicNumbers: Uint8Array;
  /** Share of the cell's atoms that each node stands for; they add up to 1. */
  readonly shares: Float64Array;
  /** The edges of node i are `rowStarts[i]` to `rowStarts[i + 1]`. */
  readonly rowStarts: Uint32Array;
  /** Node that an edge comes from. */
  readonly sources: Uint32Array;
  /** Å */
  readonly distances: Float64Array;
  /** How many equal neighbours an edge stands for. */
  readonly weights: Float64Array;
}

interface Edge {
  readonly colour: number;
  readonly distance: number;
}

const byColourThenDistance = (a: Edge, b: Edge): number => a.colour - b.colour || a.distance - b.distance;

const agree = (a: readonly Edge[], b: readonly Edge[], tolerance: number): boolean =>
  a.length === b.length &&
  a.every(
    ({ colour, distance }, k) => colour === b[k].colour && Math.abs(distance - b[k].distance) <= tolerance,
  );

const coloured = (neighbours: readonly Neighbour[], colours: readonly number[]): Edge[] =>
  neighbours.map(({ site, distance }) => ({ colour: colours[site], distance })).sort(byColourThenDistance);

/** Colour of each atom and the atom that stands for each colour. */
function refine(
  numbers: readonly number[],
  neighbours: readonly (readonly Neighbour[])[],
  tolerance: number,
): { colours: number[]; representatives: number[] } {
  const kinds = [...new Set(numbers)];
  let colours = numbers.map((number) => kinds.indexOf(number));
  let representatives = kinds.map((number) => numbers.indexOf(number));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const edges = neighbours.map((list) => coloured(list, colours));
    const found: number[] = [];
    const next = colours.map((colour, atom) => {
      const known = found.findIndex(
        (other) => colours[other] === colour && agree(edges[atom], edges[other], tolerance),
      );
      return known >= 0 ? known : found.push(atom) - 1;
    });
    const settled = found.length === representatives.length;
    [colours, representatives] = [next, found];
    if (settled) break;
  }
  return { colours, representatives };
}

/** Equal edges as one, with its mean distance and its weight. */
function mergeEdges(
  edges: readonly Edge[],
  tolerance: number,
): { colour: number; distance: number; weight: number }[] {
  const merged: { colour: number; distance: number; weight: number }[] = [];
  for (let from = 0; from < edges.length; ) {
    let [to, sum] = [from, 0];
    for (; to < edges.length; to++) {
      if (edges[to].colour !== edges[from].colour || edges[to].distance - edges[from].distance > tolerance)
        break;
      sum += edges[to].distance;
    }
    merged.push({ colour: edges[from].colour, distance: sum / (to - from), weight: to - from });
    from = to;
  }
  return merged;
}

function checkStructure(structure: Structure): void {
  if (!isOrdered(structure))
    throw new PredictionError(
      'disordered',
      'a site is shared by several elements or partly vacant; the model needs one whole atom on every site',
    );
  const atoms = structure.sites.length;
  if (atoms > MAX_GRAPH_ATOMS)
    throw new PredictionError(
      'too-large',
      `the cell holds ${atoms} atoms; the model was trained on cells of up to ${MAX_GRAPH_ATOMS}`,
      { atoms, limit: MAX_GRAPH_ATOMS },
    );
}

/**
 * The graph of a crystal within `GRAPH_RADIUS`.
 * @param tolerance Å within which distances count as equal
 * @throws PredictionError `disordered`, `too-large`, `overlapping-atoms`; CrystalError as `neighbourList`
 */
export function crystalGraph(structure: Structure, tolerance = DEFAULT_MERGE_TOLERANCE): CrystalGraph {
  checkStructure(structure);
  // Before all pairs are listed: of a cell that is far too small they are millions.
  const nearest = minimumDistance(structure);
  if (nearest < SMALLEST_DISTANCE)
    throw new PredictionError(
      'overlapping-atoms',
      `two atoms are ${nearest.toFixed(3)} Å apart; in a crystal they are at least ${SMALLEST_DISTANCE} Å apart`,
      { distance: Number(nearest.toFixed(3)), limit: SMALLEST_DISTANCE },
    );
  const neighbours = neighbourList(structure, GRAPH_RADIUS);
  const numbers = structure.sites.map(({ species }) => elementBySymbol(species[0].element).number);
  const { colours, representatives } = refine(numbers, neighbours, tolerance);
  const counts = representatives.map(() => 0);
  // What a node hears is the mean over its atoms: no atom is preferred, whatever their order.
  const heard = representatives.map((atom) => neighbours[atom].map(() => ({ colour: 0, distance: 0 })));
  colours.forEach((colour, atom) => {
    counts[colour]++;
    coloured(neighbours[atom], colours).forEach((edge, k) => {
      heard[colour][k].colour = edge.colour;
      heard[colour][k].distance += edge.distance;
    });
  });
  const rows = heard.map((edges, node) =>
    mergeEdges(
      edges.map(({ colour, distance }) => ({ colour, distance: distance / counts[node] })),
      tolerance,
    ),
  );
  const rowStarts = new Uint32Array(rows.length + 1);
  rows.forEach((row, node) => {
    rowStarts[node + 1] = rowStarts[node] + row.length;
  });
  const edges = rows.flat();
  return {
    atomicNumbers: Uint8Array.from(representatives, (atom) => numbers[atom]),
    shares: Float64Array.from(counts, (count) => count / colours.length),
    rowStarts,
    sources: Uint32Array.from(edges, ({ colour }) => colour),
    distances: Float64Array.from(edges, ({ distance }) => distance),
    weights: Float64Array.from(edges, ({ weight }) => weight),
  };
}
