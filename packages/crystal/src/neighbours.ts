/**
 * Periodic neighbours within a cutoff, by cell lists.
 *
 * The sites are brought into the cell and sorted into boxes; around each site the boxes within the cutoff are
 * searched, in as many images of the cell as the cutoff reaches. The reach along axis i is cutoff · |aᵢ*| cells,
 * which holds for cells however small, oblique or flat. Cost grows with the number of pairs found.
 */
import { type Mat3, norm3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { CrystalError } from './error.ts';
import { cellVolume, reciprocalLattice } from './lattice.ts';
import type { Structure } from './structure.ts';

/** Å; images nearer than this are the site itself. */
const SAME_PLACE = 1e-8;

/** Most pairs listed: a cutoff far beyond the needs of bonds and coordination is refused instead of filling memory. */
export const MAX_NEIGHBOUR_PAIRS = 2_000_000;

/** Boxes along one axis at most. */
const MAX_BOXES = 64;

export interface Neighbour {
  /** Index of the neighbouring site. */
  readonly site: number;
  /** Lattice translation: the neighbour lies at its `fractionalCoords` (as given) plus these. */
  readonly image: Vec3;
  /** Å */
  readonly distance: number;
}

interface Boxes {
  readonly counts: Vec3;
  readonly content: ReadonlyMap<number, readonly number[]>;
  keyOf(i: number, j: number, k: number): number;
}

function boxesOf(wrapped: readonly Vec3[], reach: Vec3): Boxes {
  // A box about half the cutoff wide visits few sites in vain; more boxes than sites along an axis gain nothing.
  const most = Math.max(1, Math.min(MAX_BOXES, Math.ceil(Math.cbrt(wrapped.length) * 2)));
  const counts = reach.map((share) => Math.max(1, Math.min(most, Math.floor(2 / share)))) as unknown as Vec3;
  const keyOf = (i: number, j: number, k: number): number => (i * MAX_BOXES + j) * MAX_BOXES + k;
  const content = new Map<number, number[]>();
  wrapped.forEach((position, site) => {
    const [i, j, k] = position.map((x, axis) => Math.min(counts[axis] - 1, Math.floor(x * counts[axis])));
    const box = content.get(keyOf(i, j, k));
    if (box) box.push(site);
    else content.set(keyOf(i, j, k), [site]);
  });
  return { counts, content, keyOf };
}

/** Range of boxes, counted through the images of the cell, that an interval around x touches. */
const boxRange = (x: number, reach: number, count: number): [number, number] => [
  Math.floor((x - reach) * count),
  Math.floor((x + reach) * count),
];

/**
 * Neighbours of every site within `cutoff` Å, images included, nearest first. Each pair is listed from both sides;
 * a site is its own neighbour through translations.
 * @throws CrystalError `structure` for a cutoff that is no positive number, `too-large` beyond `MAX_NEIGHBOUR_PAIRS`
 * @example neighbourList(rockSalt, 2.9)[0].length // 6
 */
export function neighbourList(structure: Structure, cutoff: number): readonly (readonly Neighbour[])[] {
  if (!(cutoff > 0 && Number.isFinite(cutoff)))
    throw new CrystalError('structure', `the cutoff is ${cutoff}; expected a positive number of Å`);
  const { latticeVectors, sites } = structure;
  const refuseTooMany = (): never => {
    throw new CrystalError(
      'too-large',
      `more than ${MAX_NEIGHBOUR_PAIRS} pairs within ${cutoff} Å; use a shorter cutoff`,
    );
  };
  // The mean number of pairs is known before any is listed: sites times the density of sites times the sphere.
  const sphere = (4 / 3) * Math.PI * cutoff ** 3;
  if ((sites.length ** 2 * sphere) / cellVolume(latticeVectors) > MAX_NEIGHBOUR_PAIRS) refuseTooMany();
  const reach = reciprocalLattice(latticeVectors).map((row) => norm3(row) * cutoff) as unknown as Vec3;
  const cells = sites.map(({ fractionalCoords }) => fractionalCoords.map(Math.floor) as unknown as Vec3);
  const wrapped = sites.map(
    ({ fractionalCoords: x }, site) => x.map((value, axis) => value - cells[site][axis]) as unknown as Vec3,
  );
  const boxes = boxesOf(wrapped, reach);
  let pairs = 0;
  return wrapped.map((position, site) => {
    const found: Neighbour[] = [];
    visitBoxes(boxes, position, reach, (candidates, cell) => {
      for (const other of candidates) {
        const distance = separation(latticeVectors, position, wrapped[other], cell);
        if (distance > cutoff || (other === site && distance < SAME_PLACE)) continue;
        if (++pairs > MAX_NEIGHBOUR_PAIRS) refuseTooMany();
        const image = cell.map(
          (shift, axis) => shift - cells[other][axis] + cells[site][axis],
        ) as unknown as Vec3;
        found.push({ site: other, image, distance });
      }
    });
    return found.sort((a, b) => a.distance - b.distance || a.site - b.site);
  });
}

function separation(latticeVectors: Mat3, from: Vec3, to: Vec3, cell: Vec3): number {
  const difference: Vec3 = [to[0] + cell[0] - from[0], to[1] + cell[1] - from[1], to[2] + cell[2] - from[2]];
  return norm3(rowTimesMatrix3(difference, latticeVectors));
}

function visitBoxes(
  { counts, content, keyOf }: Boxes,
  position: Vec3,
  reach: Vec3,
  visit: (sites: readonly number[], cell: Vec3) => void,
): void {
  const [xs, ys, zs] = [0, 1, 2].map((axis) => boxRange(position[axis], reach[axis], counts[axis]));
  const cellOf = (box: number, axis: number): number => Math.floor(box / counts[axis]);
  for (let i = xs[0]; i <= xs[1]; i++)
    for (let j = ys[0]; j <= ys[1]; j++)
      for (let k = zs[0]; k <= zs[1]; k++) {
        const cell: Vec3 = [cellOf(i, 0), cellOf(j, 1), cellOf(k, 2)];
        const box = content.get(
          keyOf(i - cell[0] * counts[0], j - cell[1] * counts[1], k - cell[2] * counts[2]),
        );
        if (box) visit(box, cell);
      }
}

/** Å; growth of the search radius while no pair has been found. */
const FIRST_SEARCH_RADIUS = 2;

/**
 * Shortest distance between two sites, images included, Å. Species sharing one site do not count. A structure of a
 * single site has its shortest lattice translation.
 */
export function minimumDistance(structure: Structure): number {
  if (structure.sites.length === 0) throw new CrystalError('structure', 'the structure has no sites');
  for (let cutoff = FIRST_SEARCH_RADIUS; ; cutoff *= 2) {
    const nearest = neighbourList(structure, cutoff).map(
      (neighbours) => neighbours[0]?.distance ?? Number.POSITIVE_INFINITY,
    );
    const shortest = nearest.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    if (Number.isFinite(shortest)) return shortest;
  }
}
