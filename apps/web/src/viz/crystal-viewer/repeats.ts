/** How many cells of a crystal are drawn along each axis. */
import { latticeParameters, type Structure } from '@unitcell/crystal';

export type Repeats = readonly [number, number, number];

/** Fractional coordinates this near a face of a cell lie on it: sites are given to four or five decimals. */
export const FACE_TOLERANCE = 1e-3;

/** Cells with at most this many sites are drawn twice along each axis, larger ones once (spec §9). */
export const MULTIPLE_CELLS_LIMIT = 20;
/** Å; an axis as long as this shows enough of itself once. */
const LONG_AXIS = 16;
/** Short axes are repeated until they reach this share of the longest: a needle of a cell becomes a block. */
const FEWEST_ASPECT = 0.45;
const MAX_ALONG_SHORT_AXES = 4;
/** More atoms than this hide each other. */
export const ATOM_BUDGET = 900;
/** Maximum number of atoms of a supercell. */
export const MOST_ATOMS = 20_000;

/** Cells along a, b and c: two for small cells, more along the short axes of long ones, within `ATOM_BUDGET`. */
export function repeatsFor({ latticeVectors, sites }: Structure): Repeats {
  const { a, b, c } = latticeParameters(latticeVectors);
  const lengths = [a, b, c];
  const base = lengths.map((length) => (sites.length <= MULTIPLE_CELLS_LIMIT && length < LONG_AXIS ? 2 : 1));
  const longest = Math.max(...lengths.map((length, axis) => length * (base[axis] ?? 1)));
  const repeats = lengths.map((length, axis) =>
    Math.max(base[axis] ?? 1, Math.min(MAX_ALONG_SHORT_AXES, Math.round((FEWEST_ASPECT * longest) / length))),
  );
  const count = (): number => sites.length * repeats.reduce((product, n) => product * n, 1);
  while (count() > ATOM_BUDGET && Math.max(...repeats) > 1) {
    const most = repeats.indexOf(Math.max(...repeats));
    repeats[most] = (repeats[most] ?? 2) - 1;
  }
  return [repeats[0] ?? 1, repeats[1] ?? 1, repeats[2] ?? 1];
}
