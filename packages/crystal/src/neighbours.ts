/**
 * Periodic neighbours within a cutoff, by cell lists.
 *
 * The cell is reduced first (see reduce-lattice.ts), because the search range along axis i is cutoff · |aᵢ*|
 * cells, which is small for short vectors nearly at right angles and unbounded for skewed ones. The sites are
 * wrapped into the reduced cell and sorted into boxes; around each site the boxes within the cutoff are
 * searched, in as many images of the cell as the cutoff covers. Images are reported in the original basis.
 * The work is counted and bounded.
 */
import { norm3, rowTimesMatrix3, subtract3, type Vec3 } from '@unitcell/numerics';
import { CrystalError } from './error.ts';
import { cellVolume, reciprocalLattice } from './lattice.ts';
import { reduceCell, type ReducedCell } from './reduce-lattice.ts';
import type { Site, Structure } from './structure.ts';

/** Å; images nearer than this are the site itself. */
const SAME_PLACE = 1e-8;

/** Most pairs listed: a cutoff far beyond the needs of bonds and coordination is refused instead of filling memory. */
export const MAX_NEIGHBOUR_PAIRS = 2_000_000;

/**
 * Limit on the boxes and candidates examined, about a second of work. It is five times what 20,000 sites of a
 * dense crystal need. Only cells whose shortest period is much shorter than any bond reach it.
 */
export const MAX_NEIGHBOUR_STEPS = 20_000_000;

/** Limit on the boxes along one axis, so that keys remain exact integers. */
const MAX_BOXES = 1 << 14;

/** Tolerance for rounding where a distance equals its upper bound. */
const ROUNDING = 1 + 1e-9;

/** Boxes with more sites are divided, because all sites may be in one corner of an otherwise empty cell. */
const MAX_SITES_PER_BOX = 32;

export interface Neighbour {
  /** Index of the neighbouring site. */
  readonly site: number;
  /** Lattice translation: the neighbour is at its `fractionalCoords` (unwrapped) plus this vector. */
  readonly image: Vec3;
  /** Å */
  readonly distance: number;
}

interface Boxes {
  readonly counts: Vec3;
  /** The sites of each box; an array if there are about as many boxes as sites, because it is read faster. */
  readonly content: (number[] | undefined)[] | Map<number, number[]>;
}

/** Up to this number of boxes per cell, an array is used. */
const MAX_LISTED_BOXES = 1 << 16;

const keyOf = (counts: Vec3, i: number, j: number, k: number): number => (i * counts[1] + j) * counts[2] + k;

function boxesOf(wrapped: readonly Vec3[], reach: Vec3): Boxes {
  // Boxes about half as wide as the cutoff keep the number of unnecessary comparisons small. Along an axis,
  // more boxes than sites bring no gain for spread-out sites.
  let most = Math.max(1, Math.ceil(Math.cbrt(wrapped.length) * 2));
  const finest = reach.map((share) => Math.max(1, Math.min(MAX_BOXES, Math.floor(2 / share))));
  for (;;) {
    const counts: Vec3 = [Math.min(most, finest[0]), Math.min(most, finest[1]), Math.min(most, finest[2])];
    const content = new Map<number, number[]>();
    let fullest = 0;
    const boxAlong = (x: number, axis: number): number =>
      Math.min(counts[axis] - 1, Math.floor(x * counts[axis]));
    wrapped.forEach(([x, y, z], site) => {
      const key = keyOf(counts, boxAlong(x, 0), boxAlong(y, 1), boxAlong(z, 2));
      const box = content.get(key);
      if (box) fullest = Math.max(fullest, box.push(site));
      else content.set(key, [site]);
    });
    if (fullest <= MAX_SITES_PER_BOX || finest.every((count) => count <= most)) {
      const length = counts[0] * counts[1] * counts[2];
      if (length > MAX_LISTED_BOXES) return { counts, content };
      const listed = Array.from<number[] | undefined>({ length });
      for (const [key, box] of content) listed[key] = box;
      return { counts, content: listed };
    }
    most *= 4;
  }
}

/** Range of boxes that an interval around x touches, counted across the images of the cell. */
const boxRange = (x: number, reach: number, count: number): [number, number] => [
  Math.floor((x - reach) * count),
  Math.floor((x + reach) * count),
];

/** Counts results and steps, and throws beyond the limits. */
function workLimits(cutoff: number) {
  let [pairs, steps] = [0, 0];
  return {
    countPairs(more: number): void {
      pairs += more;
      if (pairs > MAX_NEIGHBOUR_PAIRS)
        throw new CrystalError(
          'too-large',
          `more than ${MAX_NEIGHBOUR_PAIRS} pairs of atoms within ${cutoff} Å; use a shorter cutoff or a cell without atoms on top of each other`,
          { why: { reason: 'too-many-neighbours', limit: MAX_NEIGHBOUR_PAIRS, cutoff } },
        );
    },
    countSteps(more: number): void {
      steps += more;
      if (steps > MAX_NEIGHBOUR_STEPS)
        throw new CrystalError(
          'too-large',
          `more than ${MAX_NEIGHBOUR_STEPS} places to search within ${cutoff} Å; use a shorter cutoff or a cell with longer periods`,
          { why: { reason: 'too-many-neighbours', limit: MAX_NEIGHBOUR_STEPS, cutoff } },
        );
    },
  };
}

function assertCutoff(cutoff: number): void {
  if (!(cutoff > 0 && Number.isFinite(cutoff)))
    throw new CrystalError('structure', `the cutoff is ${cutoff}; expected a positive number of Å`);
}

/**
 * Neighbours of every site within `cutoff` Å, images included, nearest first. Each pair is listed from both
 * sides; a site is its own neighbour through translations.
 * @throws CrystalError `structure` for a cutoff that is not a positive number or a cell without volume,
 * `too-large` beyond `MAX_NEIGHBOUR_PAIRS` or `MAX_NEIGHBOUR_STEPS`
 * @example neighbourList(rockSalt, 2.9)[0].length // 6
 */
export function neighbourList(structure: Structure, cutoff: number): readonly (readonly Neighbour[])[] {
  assertCutoff(cutoff);
  return neighboursIn(reduceCell(structure.latticeVectors), structure.sites, cutoff);
}

/**
 * Calls back for every pair of sites within `cutoff` Å, images included, in no particular order; cheaper than
 * `neighbourList` when only distances are needed. A pair of two sites is reported once, with the later site as `other`;
 * a site and its own image are reported from both sides.
 * @throws CrystalError as `neighbourList`
 */
export function visitPairs(
  structure: Structure,
  cutoff: number,
  visit: (site: number, other: number, distance: number) => void,
): void {
  assertCutoff(cutoff);
  search(reduceCell(structure.latticeVectors), structure.sites, cutoff, () => visit, true);
}

/** Converts the neighbours found in the reduced cell to the original basis. */
function neighboursIn(cell: ReducedCell, sites: readonly Site[], cutoff: number): Neighbour[][] {
  const lists = sites.map((): Neighbour[] => []);
  search(cell, sites, cutoff, (cells) => (site, other, distance, x, y, z) => {
    const image: Vec3 = [
      x - cells[other][0] + cells[site][0],
      y - cells[other][1] + cells[site][1],
      z - cells[other][2] + cells[site][2],
    ];
    lists[site].push({ site: other, image: rowTimesMatrix3(image, cell.toReduced), distance });
  });
  for (const list of lists) list.sort((a, b) => a.distance - b.distance || a.site - b.site);
  return lists;
}

/** `x`, `y` and `z` are the image of the reduced cell in which the other site was found. */
type Found = (site: number, other: number, distance: number, x: number, y: number, z: number) => void;

/**
 * @param finder receives the lattice translations by which the sites were wrapped
 * @param once report each pair of two sites only from the earlier site
 */
function search(
  { latticeVectors, toGiven }: ReducedCell,
  sites: readonly Site[],
  cutoff: number,
  finder: (cells: readonly Vec3[]) => Found,
  once = false,
): void {
  const { countPairs, countSteps } = workLimits(cutoff);
  // The expected number of pairs is known before any is listed: sites times their density times the volume of
  // the sphere.
  const sphere = (4 / 3) * Math.PI * cutoff ** 3;
  const meanPairs = (sites.length ** 2 * sphere) / cellVolume(latticeVectors);
  if (meanPairs > MAX_NEIGHBOUR_PAIRS) countPairs(meanPairs);
  const reach = reciprocalLattice(latticeVectors).map((row) => norm3(row) * cutoff) as unknown as Vec3;
  const positions = sites.map(({ fractionalCoords }) => rowTimesMatrix3(fractionalCoords, toGiven));
  const cells = positions.map(([x, y, z]): Vec3 => [Math.floor(x), Math.floor(y), Math.floor(z)]);
  const wrapped = positions.map((position, site) => subtract3(position, cells[site]));
  const { counts, content } = boxesOf(wrapped, reach);
  const found = finder(cells);
  const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = latticeVectors;
  const [xs, ys, zs] = [0, 1, 2].map((axis) => Float64Array.from(wrapped, (place) => place[axis]));
  const farthestSquare = cutoff * cutoff * ROUNDING;

  // Plain numbers instead of vectors: this loop takes most of the time.
  function searchBox(site: number, candidates: readonly number[], boxX: number, boxY: number, boxZ: number) {
    countSteps(candidates.length);
    const fromX = xs[site];
    const fromY = ys[site];
    const fromZ = zs[site];
    for (let at = 0; at < candidates.length; at++) {
      const other = candidates[at];
      if (once && other < site) continue;
      const u = xs[other] + boxX - fromX;
      const v = ys[other] + boxY - fromY;
      const w = zs[other] + boxZ - fromZ;
      const x = u * ax + v * bx + w * cx;
      const y = u * ay + v * by + w * cy;
      const z = u * az + v * bz + w * cz;
      const square = x * x + y * y + z * z;
      if (square > farthestSquare) continue;
      // Math.hypot would take ten times as long; interatomic distances neither overflow nor underflow.
      const distance = Math.sqrt(square);
      if (distance > cutoff || (other === site && distance < SAME_PLACE)) continue;
      countPairs(1);
      found(site, other, distance, boxX, boxY, boxZ);
    }
  }

  for (let site = 0; site < wrapped.length; site++) {
    const [firstX, lastX] = boxRange(xs[site], reach[0], counts[0]);
    const [firstY, lastY] = boxRange(ys[site], reach[1], counts[1]);
    const [firstZ, lastZ] = boxRange(zs[site], reach[2], counts[2]);
    countSteps((lastX - firstX + 1) * (lastY - firstY + 1) * (lastZ - firstZ + 1));
    for (let i = firstX; i <= lastX; i++) {
      const x = Math.floor(i / counts[0]);
      for (let j = firstY; j <= lastY; j++) {
        const y = Math.floor(j / counts[1]);
        const row = keyOf(counts, i - x * counts[0], j - y * counts[1], 0);
        for (let k = firstZ, z = Math.floor(k / counts[2]); k <= lastZ; k++) {
          if (k === (z + 1) * counts[2]) z++;
          const key = row + k - z * counts[2];
          const box = Array.isArray(content) ? content[key] : content.get(key);
          if (box) searchBox(site, box, x, y, z);
        }
      }
    }
  }
}

/** Å; most nearest neighbours are closer than this, so a sphere of this radius is searched first. */
const FIRST_SEARCH_RADIUS = 2;

/**
 * Shortest distance between two sites, images included, Å. Species that share a site do not count. For a structure of a
 * single site it is the shortest lattice translation.
 *
 * n points in a cell of volume V cannot all be further apart than 2^(1/6) · (V/n)^(1/3), the distance in the
 * densest packing of spheres (T. C. Hales, Ann. Math. 162 (2005) 1065, doi:10.4007/annals.2005.162.1065), nor
 * further than a lattice translation. One search within the smaller of the two finds the shortest distance.
 * @throws CrystalError as `neighbourList`, and `structure` for a structure without sites
 */
export function minimumDistance(structure: Structure): number {
  const { latticeVectors, sites } = structure;
  if (sites.length === 0) throw new CrystalError('structure', 'the structure has no sites');
  const cell = reduceCell(latticeVectors);
  const densest = Math.cbrt((Math.SQRT2 * cellVolume(latticeVectors)) / sites.length);
  const bound = Math.min(densest, ...cell.latticeVectors.map(norm3)) * ROUNDING;
  const shortestWithin = (cutoff: number): number => {
    let shortest = Number.POSITIVE_INFINITY;
    const found: Found = (_site, _other, distance) => {
      if (distance < shortest) shortest = distance;
    };
    search(cell, sites, cutoff, () => found, true);
    return shortest;
  };
  const near = shortestWithin(Math.min(FIRST_SEARCH_RADIUS, bound));
  return Number.isFinite(near) ? near : shortestWithin(bound);
}
