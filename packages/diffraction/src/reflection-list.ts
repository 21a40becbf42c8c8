/**
 * The reflections of a cell inside a range of spacings: one of each Friedel pair, or one of each form if the rotations
 * of the space group are known.
 */
import { reciprocalLattice } from '@unitcell/crystal';
import { determinant3, dot3, type Mat3 } from '@unitcell/numerics';
import { DiffractionError } from './diffraction-error.ts';

/** Reflections (half sphere) beyond which a calculation is refused: about 10 s of work for 100 atoms. */
const MAX_REFLECTIONS = 5_000_000;

/**
 * Limit on the pairs h, k that are tried. In a skewed cell most pairs have no reflection in the range; a cell
 * of 20,000 Å³ with similar edges needs some thousands.
 */
export const MAX_REFLECTION_ROWS = 5_000_000;

/** Largest index that fits in 16 bits. */
export const MAX_INDEX = 32_767;

/** Rounding margin so that the outermost index is not lost. */
const INDEX_ROUNDING = 1e-9;

/** Entries of equal h and k are contiguous, in order of rising l. */
export interface ReflectionList {
  readonly count: number;
  readonly h: Int16Array;
  readonly k: Int16Array;
  readonly l: Int16Array;
  /** Number of reflections of the full sphere that the entry represents. */
  readonly multiplicity: Int16Array;
  /** 1/d² in 1/Å² */
  readonly inverseDSquared: Float64Array;
  /** Largest |h|, |k|, |l| that can occur. */
  readonly bounds: readonly [number, number, number];
}

/** Flat integer rotations, 9 numbers each, row by row. */
const flatRotations = (rotations: readonly Mat3[]): Int32Array =>
  Int32Array.from(rotations.flatMap((rotation) => rotation.flat().map(Math.round)));

/**
 * If (h, k, l) is the representative of its form (largest in lexicographic order), the number of reflections equivalent
 * to it by the rotations and Friedel's law; otherwise 0.
 */
function formMultiplicity(h: number, k: number, l: number, rotations: Int32Array): number {
  let fixed = 0;
  for (let o = 0; o < rotations.length; o += 9) {
    let p = h * rotations[o] + k * rotations[o + 3] + l * rotations[o + 6];
    let q = h * rotations[o + 1] + k * rotations[o + 4] + l * rotations[o + 7];
    let r = h * rotations[o + 2] + k * rotations[o + 5] + l * rotations[o + 8];
    if (p < 0 || (p === 0 && (q < 0 || (q === 0 && r < 0)))) {
      p = -p;
      q = -q;
      r = -r;
    }
    if (p > h || (p === h && (q > k || (q === k && r > l)))) return 0;
    if (p === h && q === k && r === l) fixed += 1;
  }
  return (2 * (rotations.length / 9)) / fixed;
}

/**
 * The reflections with gMin ≤ 1/d ≤ gMax (1/Å) of a cell.
 *
 * @param symmetryRotations rotations W of the space group (x' = W x with a COLUMN x), see ReflectionOptions
 * @throws DiffractionError `too-many-reflections`
 */
export function listReflections(
  lattice: Mat3,
  gMin: number,
  gMax: number,
  symmetryRotations: readonly Mat3[],
  maxReflections = MAX_REFLECTIONS,
): ReflectionList {
  const volume = Math.abs(determinant3(lattice));
  const estimate = ((2 * Math.PI) / 3) * volume * gMax ** 3;
  if (estimate > maxReflections)
    throw new DiffractionError(
      'too-many-reflections',
      `a cell of ${volume.toFixed(0)} Å³ has about ${Math.round(estimate)} reflections in this range: at most ${maxReflections} are computed; take a longer wavelength or a smaller angle`,
      { estimate: Math.round(estimate), limit: maxReflections },
    );
  const rotations = flatRotations(symmetryRotations);
  const useSymmetry = rotations.length > 9;
  // |h| ≤ |a| |g| limits every index; the innermost index is solved from the quadratic |g|² ≤ gMax².
  const bound = (axis: 0 | 1 | 2): number =>
    Math.floor(Math.sqrt(dot3(lattice[axis], lattice[axis])) * gMax + INDEX_ROUNDING);
  const bounds = [bound(0), bound(1), bound(2)] as const;
  const [hMax, kMax] = bounds;
  const rows = (hMax + 1) * (2 * kMax + 1);
  if (!(rows <= MAX_REFLECTION_ROWS && Math.max(...bounds) <= MAX_INDEX))
    throw new DiffractionError(
      'too-many-reflections',
      `a cell this long or skewed has indices up to ${bounds.join(', ')} in this range: at most ${MAX_INDEX}, and ${MAX_REFLECTION_ROWS} pairs of the first two, are tried; take a reduced cell, a longer wavelength or a smaller angle`,
      { estimate: rows, limit: MAX_REFLECTION_ROWS },
    );
  const [u, v, w] = reciprocalLattice(lattice);
  const [aa, bb, cc] = [dot3(u, u), dot3(v, v), dot3(w, w)];
  const [ab, ac, bc] = [2 * dot3(u, v), 2 * dot3(u, w), 2 * dot3(v, w)];
  const limit = gMax * gMax;
  const lower = gMin * gMin;

  let list = emptyList(Math.ceil(estimate * 1.3) + 256);
  let count = 0;
  for (let h = 0; h <= hMax; h++) {
    for (let k = h === 0 ? 0 : -kMax; k <= kMax; k++) {
      const constant = aa * h * h + bb * k * k + ab * h * k;
      const linear = ac * h + bc * k;
      const discriminant = linear * linear - 4 * cc * (constant - limit);
      if (discriminant < 0) continue;
      const root = Math.sqrt(discriminant);
      const last = Math.floor((-linear + root) / (2 * cc));
      let l = h === 0 && k === 0 ? 1 : Math.ceil((-linear - root) / (2 * cc));
      if (count + last - l >= list.h.length) list = grown(list, count + last - l);
      for (; l <= last; l++) {
        const g2 = constant + l * (linear + cc * l);
        if (g2 < lower) continue;
        const multiplicity = useSymmetry ? formMultiplicity(h, k, l, rotations) : 2;
        if (multiplicity === 0) continue;
        list.h[count] = h;
        list.k[count] = k;
        list.l[count] = l;
        list.multiplicity[count] = multiplicity;
        list.inverseDSquared[count++] = g2;
      }
    }
  }
  return {
    count,
    h: list.h.subarray(0, count),
    k: list.k.subarray(0, count),
    l: list.l.subarray(0, count),
    multiplicity: list.multiplicity.subarray(0, count),
    inverseDSquared: list.inverseDSquared.subarray(0, count),
    bounds,
  };
}

type Columns = Pick<ReflectionList, 'h' | 'k' | 'l' | 'multiplicity' | 'inverseDSquared'>;

const emptyList = (capacity: number): Columns => ({
  h: new Int16Array(capacity),
  k: new Int16Array(capacity),
  l: new Int16Array(capacity),
  multiplicity: new Int16Array(capacity),
  inverseDSquared: new Float64Array(capacity),
});

/** Copies the columns to larger arrays with twice the needed capacity. */
function grown(list: Columns, needed: number): Columns {
  const larger = emptyList(2 * (needed + 1));
  larger.h.set(list.h);
  larger.k.set(list.k);
  larger.l.set(list.l);
  larger.multiplicity.set(list.multiplicity);
  larger.inverseDSquared.set(list.inverseDSquared);
  return larger;
}
