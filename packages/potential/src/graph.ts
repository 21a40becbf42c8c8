/** The pairs of atoms within the cutoff, in a fixed order, and the checks of a structure before its evaluation. */
import { cellVolume, neighbourList, type Structure } from '@unitcell/crystal';
import { elementBySymbol, findElement } from '@unitcell/elements';
import { PotentialError } from './potential-error.ts';
import type { Model } from './read-model.ts';

/** Limit on atoms: more would need more memory than an engine should use. */
const MAX_ATOMS = 500;
/** Å; the radial functions are not valid for shorter distances. */
export const SHORTEST_DISTANCE = 0.5;
/** Two atoms overlap if their distance is below this share of the sum of their covalent radii. */
const OVERLAP_SHARE = 0.65;

/**
 * Every pair is listed once, from its first to its second atom, although each of the two is a neighbour of the
 * other.
 */
export interface Graph {
  readonly atoms: number;
  /** For each atom the row of its element in the tables of the model. */
  readonly rows: Int32Array;
  readonly pairs: number;
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** Unit vectors from the first atom of a pair to the second; lengths in Å. */
  readonly directions: Float64Array;
  readonly distances: Float64Array;
  /** Å³ */
  readonly volume: number;
}

function rowsOf(model: Model, { sites }: Structure): Int32Array {
  if (sites.length === 0) throw new PotentialError('structure', 'the structure has no atoms');
  if (sites.length > MAX_ATOMS)
    throw new PotentialError('too-large', `${sites.length} atoms: at most ${MAX_ATOMS} are evaluated`, {
      atoms: sites.length,
      limit: MAX_ATOMS,
    });
  return Int32Array.from(sites, ({ species }, site) => {
    if (species.length !== 1 || species[0].occupancy !== 1)
      throw new PotentialError(
        'disordered',
        `site ${site + 1} is shared or partly vacant; expected one element`,
        {
          site,
        },
      );
    const { element } = species[0];
    const row = model.rows.get(findElement(element)?.number ?? 0);
    if (row === undefined)
      throw new PotentialError('unknown-element', `${model.manifest.name} has no weights for ${element}`, {
        element,
      });
    return row;
  });
}

interface Pair {
  readonly first: number;
  readonly second: number;
  readonly image: readonly [number, number, number];
}

const compareImages = (a: Pair['image'], b: Pair['image']): number =>
  a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** Pairs ordered by first atom, second atom and image. */
function pairsOf(structure: Structure, cutoff: number): Pair[] {
  const pairs: Pair[] = [];
  neighbourList(structure, cutoff).forEach((neighbours, first) => {
    const own = neighbours
      .filter(({ site, image }) => site > first || (site === first && compareImages(image, [0, 0, 0]) > 0))
      .map(({ site, image }): Pair => ({ first, second: site, image }));
    pairs.push(...own.sort((a, b) => a.second - b.second || compareImages(a.image, b.image)));
  });
  return pairs;
}

function assertDistance(structure: Structure, { first, second }: Pair, distance: number): void {
  const [a, b] = [first, second].map((site) => structure.sites[site].species[0].element);
  const radii = (elementBySymbol(a).covalentRadius ?? 0) + (elementBySymbol(b).covalentRadius ?? 0);
  const shortest = Math.max(SHORTEST_DISTANCE, OVERLAP_SHARE * radii);
  if (distance < shortest)
    throw new PotentialError(
      'overlapping-atoms',
      `atoms ${first + 1} (${a}) and ${second + 1} (${b}) are ${distance.toFixed(2)} Å apart; expected at least ${shortest.toFixed(2)} Å`,
      { first, second, distance, shortest },
    );
}

/**
 * The graph of a structure.
 * @throws PotentialError `structure`, `disordered`, `unknown-element`, `too-large`, `overlapping-atoms`, `isolated-atom`
 */
export function buildGraph(model: Model, structure: Structure): Graph {
  const rows = rowsOf(model, structure);
  const { latticeVectors: lattice, sites } = structure;
  if (![...lattice.flat(), ...sites.flatMap((site) => site.fractionalCoords)].every(Number.isFinite))
    throw new PotentialError('structure', 'a lattice vector or coordinate is not a finite number');
  const { cutoff } = model.manifest;
  const candidates = pairsOf(structure, cutoff);
  const [first, second] = [new Int32Array(candidates.length), new Int32Array(candidates.length)];
  const directions = new Float64Array(3 * candidates.length);
  const distances = new Float64Array(candidates.length);
  const hasNeighbour = new Uint8Array(rows.length);
  let pairs = 0;
  for (const pair of candidates) {
    const [f, g] = [sites[pair.first].fractionalCoords, sites[pair.second].fractionalCoords];
    const [u, v, w] = [g[0] - f[0] + pair.image[0], g[1] - f[1] + pair.image[1], g[2] - f[2] + pair.image[2]];
    const component = (k: 0 | 1 | 2): number => u * lattice[0][k] + v * lattice[1][k] + w * lattice[2][k];
    const [x, y, z] = [component(0), component(1), component(2)];
    const distance = Math.sqrt(x * x + y * y + z * z);
    assertDistance(structure, pair, distance);
    if (distance >= cutoff) continue;
    first[pairs] = pair.first;
    second[pairs] = pair.second;
    distances[pairs] = distance;
    directions.set([x / distance, y / distance, z / distance], 3 * pairs);
    hasNeighbour[pair.first] = hasNeighbour[pair.second] = 1;
    pairs++;
  }
  const isolated = hasNeighbour.indexOf(0);
  if (isolated >= 0)
    throw new PotentialError('isolated-atom', `atom ${isolated + 1} has no neighbour within ${cutoff} Å`, {
      site: isolated,
      cutoff,
    });
  return {
    atoms: rows.length,
    rows,
    pairs,
    first,
    second,
    directions,
    distances,
    volume: cellVolume(lattice),
  };
}
