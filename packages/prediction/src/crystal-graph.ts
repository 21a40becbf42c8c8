/**
 * The input of the network: the neighbours of each atom and their distances. Every neighbour within the radius counts;
 * a limit on their number would cut through shells of equal distances and break the invariance.
 *
 * Atoms with equal surroundings are one node (colour refinement: same element, same distances to neighbours of the same
 * colours, repeated until nothing changes), and equal edges are one edge with a weight. A network that uses only
 * distances gives such atoms the same value, so merging saves work without changing the result; for the amount see
 * docs/methods/prediction.md.
 */
import {
  cellVolume,
  isOrdered,
  minimumDistance,
  SMALLEST_DISTANCE,
  type Structure,
  visitPairs,
} from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { PredictionError } from './prediction-error.ts';

/** Å; atoms further apart exchange no messages. */
export const GRAPH_RADIUS = 5.5;
/** Number of atoms of the largest cell in the training data. */
export const MAX_GRAPH_ATOMS = 100;
/** Å; distances that differ by less than this become one edge. */
export const DEFAULT_MERGE_TOLERANCE = 1e-3;
/**
 * Limit on the rounds of refinement. Three message-passing layers cannot distinguish more than three rounds do.
 */
const MAX_ROUNDS = 8;

/** Nodes and their incoming edges, row by row. */
export interface CrystalGraph {
  /** Atomic number of each node. */
  readonly atomicNumbers: Uint8Array;
  /** Share of the cell's atoms that each node represents; all shares add up to 1. */
  readonly shares: Float64Array;
  /** The edges of node i are `rowStarts[i]` to `rowStarts[i + 1]`. */
  readonly rowStarts: Uint32Array;
  /** Source node of each edge. */
  readonly sources: Uint32Array;
  /** Å */
  readonly distances: Float64Array;
  /** Number of equal neighbours that an edge represents. */
  readonly weights: Float64Array;
}

/** Neighbours of an atom in no particular order; each image of a site is a separate neighbour. */
interface Neighbours {
  readonly sites: readonly number[];
  /** Å */
  readonly distances: readonly number[];
}

/** Incoming edges of one atom: sorted by the colour of the neighbour, then by distance. */
interface Edges {
  readonly colours: Uint8Array;
  /** Å */
  readonly distances: Float64Array;
}

function overlapping(structure: Structure): PredictionError {
  const nearest = minimumDistance(structure);
  return new PredictionError(
    'overlapping-atoms',
    `two atoms are ${nearest.toFixed(3)} Å apart; in a crystal they are at least ${SMALLEST_DISTANCE} Å apart`,
    { distance: Number(nearest.toFixed(3)), limit: SMALLEST_DISTANCE },
  );
}

/**
 * The neighbours of every atom within the radius. Their lattice translations are omitted because the network does not
 * use them.
 */
function neighboursOf(structure: Structure): Neighbours[] {
  const lists = structure.sites.map(() => ({ sites: [] as number[], distances: [] as number[] }));
  const add = (site: number, other: number, distance: number): void => {
    lists[site].sites.push(other);
    lists[site].distances.push(distance);
  };
  visitPairs(structure, GRAPH_RADIUS, (site, other, distance) => {
    if (distance < SMALLEST_DISTANCE) throw overlapping(structure);
    add(site, other, distance);
    if (other !== site) add(other, site, distance);
  });
  return lists;
}

/** Sorts neighbours by colour (counting sort), and by distance within a colour. */
function coloured({ sites, distances }: Neighbours, colours: readonly number[], count: number): Edges {
  const { length } = sites;
  const ends = new Uint32Array(count + 1);
  for (let k = 0; k < length; k++) ends[colours[sites[k]] + 1]++;
  for (let colour = 0; colour < count; colour++) ends[colour + 1] += ends[colour];
  const edges = { colours: new Uint8Array(length), distances: new Float64Array(length) };
  for (let k = 0; k < length; k++) {
    const colour = colours[sites[k]];
    const at = ends[colour]++;
    edges.colours[at] = colour;
    edges.distances[at] = distances[k];
  }
  for (let colour = 0, from = 0; colour < count; from = ends[colour], colour++)
    if (ends[colour] - from > 1) edges.distances.subarray(from, ends[colour]).sort();
  return edges;
}

function agree(a: Edges, b: Edges, tolerance: number): boolean {
  const { length } = a.colours;
  if (length !== b.colours.length) return false;
  for (let k = 0; k < length; k++)
    if (a.colours[k] !== b.colours[k] || !(Math.abs(a.distances[k] - b.distances[k]) <= tolerance))
      return false;
  return true;
}

/**
 * Colour of each atom, the representative atom of each colour, and the incoming edges of each atom by these colours.
 */
function refine(
  numbers: readonly number[],
  neighbours: readonly Neighbours[],
  tolerance: number,
): { colours: number[]; representatives: number[]; edges: Edges[] } {
  const kinds = [...new Set(numbers)];
  let colours = numbers.map((number) => kinds.indexOf(number));
  let representatives = kinds.map((number) => numbers.indexOf(number));
  const heard = (): Edges[] => neighbours.map((list) => coloured(list, colours, representatives.length));
  let edges = heard();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found: number[] = [];
    const next = colours.map((colour, atom) => {
      const known = found.findIndex(
        (other) => colours[other] === colour && agree(edges[atom], edges[other], tolerance),
      );
      return known >= 0 ? known : found.push(atom) - 1;
    });
    // No colour was divided. Colours are numbered by their first atom, so the edges do not change either.
    if (found.length === representatives.length) break;
    [colours, representatives] = [next, found];
    edges = heard();
  }
  return { colours, representatives, edges };
}

/** The edges of all nodes, with equal edges of a node merged into one with the mean distance and a weight. */
class MergedRows {
  readonly sources: Uint32Array;
  readonly distances: Float64Array;
  readonly weights: Float64Array;
  count = 0;

  /** @param most number of edges before merging */
  constructor(most: number) {
    this.sources = new Uint32Array(most);
    this.distances = new Float64Array(most);
    this.weights = new Float64Array(most);
  }

  /** Appends the edges of the next node. @returns the number of edges so far */
  append({ colours, distances }: Edges, tolerance: number): number {
    for (let from = 0; from < colours.length; ) {
      let [to, sum] = [from, 0];
      for (; to < colours.length; to++) {
        if (colours[to] !== colours[from] || distances[to] - distances[from] > tolerance) break;
        sum += distances[to];
      }
      this.sources[this.count] = colours[from];
      this.distances[this.count] = sum / (to - from);
      this.weights[this.count++] = to - from;
      from = to;
    }
    return this.count;
  }
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
 * @throws PredictionError `disordered`, `too-large`, `overlapping-atoms`; CrystalError as `visitPairs`
 */
export function crystalGraph(structure: Structure, tolerance = DEFAULT_MERGE_TOLERANCE): CrystalGraph {
  checkStructure(structure);
  // Atoms denser than touching spheres of this diameter overlap. Checked first, because a cell that is far too
  // small has millions of pairs.
  const least = (structure.sites.length * SMALLEST_DISTANCE ** 3) / Math.SQRT2;
  if (cellVolume(structure.latticeVectors) < least) throw overlapping(structure);
  const numbers = structure.sites.map(({ species }) => elementBySymbol(species[0].element).number);
  const { colours, representatives, edges: heard } = refine(numbers, neighboursOf(structure), tolerance);
  const counts = representatives.map(() => 0);
  // The edges of a node are averaged over all its atoms, so that the result does not depend on the order of
  // atoms.
  const sums = representatives.map((atom) => new Float64Array(heard[atom].distances.length));
  colours.forEach((colour, atom) => {
    counts[colour]++;
    const [sum, { distances }] = [sums[colour], heard[atom]];
    for (let k = 0; k < distances.length; k++) sum[k] += distances[k];
  });
  const rows = new MergedRows(sums.reduce((most, { length }) => most + length, 0));
  const rowStarts = new Uint32Array(representatives.length + 1);
  representatives.forEach((atom, node) => {
    const distances = sums[node].map((sum) => sum / counts[node]);
    rowStarts[node + 1] = rows.append({ colours: heard[atom].colours, distances }, tolerance);
  });
  return {
    atomicNumbers: Uint8Array.from(representatives, (atom) => numbers[atom]),
    shares: Float64Array.from(counts, (count) => count / colours.length),
    rowStarts,
    sources: rows.sources.subarray(0, rows.count),
    distances: rows.distances.subarray(0, rows.count),
    weights: rows.weights.subarray(0, rows.count),
  };
}
