/**
 * Finds a primitive cell without symmetry analysis, tolerating small displacements of atoms.
 *
 * A translation t maps the crystal onto itself when every site shifted by t coincides with a site of the same
 * species. Each such translation makes the cell m times smaller (m·t is a lattice vector). Copies of a site are
 * averaged.
 */
import {
  inverse3,
  type Mat3,
  multiply3,
  quadraticForm3,
  rowTimesMatrix3,
  scale3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import { reduceMinkowski } from './reduce-lattice.ts';
import type { Site, Species, Structure } from './structure.ts';

// Pseudo atomic numbers: symmetry and matching only need to know which sites carry the same species, so every
// distinct species set (element or mixture with its occupancies) gets one small integer.

/** Occupancies of two mixtures are equal if they agree to this many decimals: files contain three or four. */
const OCCUPANCY_DECIMALS = 4;

/** A key that is equal for two sites if and only if they carry the same species with the same occupancies. */
function speciesKey(species: readonly Species[]): string {
  if (species.length === 1 && species[0].occupancy === 1) return species[0].element;
  return species
    .map(({ element, occupancy }) => `${element}:${occupancy.toFixed(OCCUPANCY_DECIMALS)}`)
    .sort()
    .join('+');
}

export interface SpeciesNumbers {
  /** One number per site, starting from 1. */
  readonly numbers: number[];
  /** Species of each number: `speciesOf[number - 1]`. */
  readonly speciesOf: readonly (readonly Species[])[];
}

/**
 * Assigns a number to each species set, in alphabetical order of the keys, whatever the order of the sites.
 */
export function numberSpecies(structure: Structure): SpeciesNumbers {
  const keys = structure.sites.map((site: Site) => speciesKey(site.species));
  const firstSite = new Map<string, Site>();
  keys.forEach((key, index) => {
    if (!firstSite.has(key)) firstSite.set(key, structure.sites[index]);
  });
  const sorted = [...firstSite.keys()].sort();
  const numberOf = new Map(sorted.map((key, index) => [key, index + 1]));
  return {
    numbers: keys.map((key) => numberOf.get(key)!),
    speciesOf: sorted.map((key) => firstSite.get(key)!.species),
  };
}

export interface PrimitiveSite {
  /** Species of the site, see `speciesKey`. */
  readonly key: string;
  readonly fractionalCoords: Vec3;
  /** Sites of the input that were averaged into this site. */
  readonly sources: readonly number[];
}

export interface PrimitiveCell {
  /** Rows, Å, Minkowski-reduced. */
  readonly latticeVectors: Mat3;
  readonly sites: readonly PrimitiveSite[];
}

/** The primitive cell of a structure. Sites may be up to `tolerance` Å from their translated copies. */
export function findPrimitiveCell(structure: Structure, tolerance: number): PrimitiveCell {
  let cell = reduced({
    latticeVectors: structure.latticeVectors,
    sites: structure.sites.map(({ species, fractionalCoords }, index) => ({
      key: speciesKey(species),
      fractionalCoords,
      sources: [index],
    })),
  });
  for (;;) {
    const smaller = divide(cell, tolerance);
    if (!smaller) return cell;
    cell = reduced(smaller);
  }
}

export function sitesBySpecies(sites: readonly PrimitiveSite[]): Map<string, PrimitiveSite[]> {
  const groups = new Map<string, PrimitiveSite[]>();
  for (const site of sites) {
    const group = groups.get(site.key);
    if (group) group.push(site);
    else groups.set(site.key, [site]);
  }
  return groups;
}

/** The cell divided by its first translation, or null if it is already primitive. */
function divide(cell: PrimitiveCell, tolerance: number): PrimitiveCell | null {
  const byKey = sitesBySpecies(cell.sites);
  const [rarest, ...others] = [...byKey.values()].toSorted((p, q) => p.length - q.length);
  const common = [rarest, ...others].reduce((divisor, { length }) => greatestDivisor(divisor, length), 0);
  if (common === 1) return null;
  const metric = multiply3(cell.latticeVectors, transpose3(cell.latticeVectors));
  for (const site of rarest.slice(1)) {
    for (const order of divisorsAbove1(common)) {
      const steps = snap(site.fractionalCoords, rarest[0].fractionalCoords, order, metric, tolerance);
      if (!steps) continue;
      const shift = scale3(steps, 1 / order);
      const images = imagesOf(cell.sites, shift, metric, tolerance);
      if (images) return folded(cell, steps, order, images);
    }
  }
  return null;
}

/**
 * The difference of two positions as multiples of 1/order, or null if it deviates from such multiples by more
 * than `tolerance`.
 */
function snap(to: Vec3, from: Vec3, order: number, metric: Mat3, tolerance: number): Vec3 | null {
  const difference = [0, 1, 2].map((axis) => (to[axis] - from[axis]) * order);
  const steps = difference.map(Math.round);
  const miss = difference.map((value, axis) => (value - steps[axis]) / order);
  if (quadraticForm3(metric, miss[0], miss[1], miss[2]) > tolerance ** 2) return null;
  // Multiples that share a factor with the order are found with a smaller order.
  if (steps.reduce((divisor, step) => greatestDivisor(divisor, Math.abs(step)), order) !== 1) return null;
  return [steps[0], steps[1], steps[2]];
}

/**
 * For each site the index of the site with which its shifted copy coincides; null if a copy coincides with no
 * site, or two copies with the same site.
 */
function imagesOf(
  sites: readonly PrimitiveSite[],
  shift: Vec3,
  metric: Mat3,
  tolerance: number,
): number[] | null {
  const images: number[] = [];
  const isTaken = new Uint8Array(sites.length);
  for (const {
    key,
    fractionalCoords: [x, y, z],
  } of sites) {
    let nearest = -1;
    let shortest = tolerance ** 2;
    for (let other = 0; other < sites.length; other++) {
      if (sites[other].key !== key || isTaken[other]) continue;
      const [u, v, w] = sites[other].fractionalCoords;
      const squared = wrappedSquare(u - x - shift[0], v - y - shift[1], w - z - shift[2], metric);
      if (squared <= shortest) [nearest, shortest] = [other, squared];
    }
    if (nearest < 0) return null;
    isTaken[nearest] = 1;
    images.push(nearest);
  }
  return images;
}

/**
 * The smaller cell: the old lattice and the shift span the new lattice, and each cycle of images becomes one averaged
 * site.
 */
function folded(cell: PrimitiveCell, steps: Vec3, order: number, images: readonly number[]): PrimitiveCell {
  const smallRows = spanWith(steps, order);
  const toSmall = inverse3(smallRows);
  const isDone = new Uint8Array(cell.sites.length);
  const sites: PrimitiveSite[] = [];
  cell.sites.forEach((site, first) => {
    if (isDone[first]) return;
    const sum = [0, 0, 0];
    const sources: number[] = [];
    let member = first;
    for (let turn = 0; turn < order && !isDone[member]; turn++) {
      isDone[member] = 1;
      const { fractionalCoords, sources: own } = cell.sites[member];
      sources.push(...own);
      for (const axis of [0, 1, 2]) {
        const offset = fractionalCoords[axis] - (turn * steps[axis]) / order - site.fractionalCoords[axis];
        sum[axis] += offset - Math.round(offset);
      }
      member = images[member];
    }
    const count = sources.length / site.sources.length;
    const mean = site.fractionalCoords.map((x, axis) => x + sum[axis] / count);
    const [x, y, z] = rowTimesMatrix3([mean[0], mean[1], mean[2]], toSmall);
    sites.push({ key: site.key, fractionalCoords: [x, y, z], sources });
  });
  return { latticeVectors: multiply3(smallRows, cell.latticeVectors), sites };
}

/**
 * Rows that span the lattice generated by Z³ and steps/order, by integer elimination on the four generators
 * times `order`.
 */
function spanWith(steps: Vec3, order: number): Mat3 {
  const rows: number[][] = [[order, 0, 0], [0, order, 0], [0, 0, order], [...steps]];
  for (let column = 0; column < 3; column++) {
    for (;;) {
      const active = rows.slice(column).filter((row) => row[column] !== 0);
      const pivot = active.reduce((least, row) =>
        Math.abs(row[column]) < Math.abs(least[column]) ? row : least,
      );
      rows.splice(rows.indexOf(pivot), 1);
      rows.splice(column, 0, pivot);
      if (active.length === 1) break;
      for (const row of active) {
        if (row === pivot) continue;
        const factor = Math.round(row[column] / pivot[column]);
        for (let i = 0; i < 3; i++) row[i] -= factor * pivot[i];
      }
    }
  }
  const [a, b, c] = rows.map(([x, y, z]): Vec3 => scale3([x, y, z], 1 / order));
  return [a, b, c];
}

/** Converts a cell to the Minkowski-reduced basis of its lattice, with coordinates in [0, 1). */
function reduced({ latticeVectors, sites }: PrimitiveCell): PrimitiveCell {
  const rows = reduceMinkowski(latticeVectors);
  const change = multiply3(latticeVectors, inverse3(rows));
  return {
    latticeVectors: rows,
    sites: sites.map((site) => {
      const [x, y, z] = rowTimesMatrix3(site.fractionalCoords, change);
      return { ...site, fractionalCoords: [x - Math.floor(x), y - Math.floor(y), z - Math.floor(z)] };
    }),
  };
}

const greatestDivisor = (p: number, q: number): number => (q === 0 ? p : greatestDivisor(q, p % q));

const divisorsAbove1 = (n: number): number[] =>
  Array.from({ length: n - 1 }, (_unused, index) => index + 2).filter((divisor) => n % divisor === 0);

const wrappedSquare = (x: number, y: number, z: number, metric: Mat3): number =>
  quadraticForm3(metric, x - Math.round(x), y - Math.round(y), z - Math.round(z));
