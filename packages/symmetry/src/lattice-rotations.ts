/**
 * Whether a tolerance is small enough for the symmetry search of a lattice to terminate.
 *
 * The search starts from the integer matrices that map the lattice onto itself within the tolerance, and multiplies
 * them until no new ones appear. In a long, thin cell they include a shear by a short vector, and the powers of a shear
 * never repeat. A finite group of such matrices has at most 48 members, so a 49th proves that the search would not
 * terminate. R. W. Grosse-Kunstleve et al., arXiv:1808.01590, eq. 7 (the comparison of angles), which moyo follows.
 */
import {
  determinant3,
  dot3,
  IDENTITY3,
  type Mat3,
  norm3,
  rowTimesMatrix3,
  type Vec3,
} from '@unitcell/numerics';
import { reduceMinkowski } from '@unitcell/crystal';

/** Order of the largest finite group of integer matrices in three dimensions: that of the cube. */
const LARGEST_GROUP = 48;

const STEPS = [-1, 0, 1] as const;
const NEAR: readonly Vec3[] = STEPS.flatMap((i) => STEPS.flatMap((j) => STEPS.map((k): Vec3 => [i, j, k])));

interface Image {
  readonly steps: Vec3;
  readonly vector: Vec3;
  readonly length: number;
}

/** Integer rows that map the basis onto vectors of the same lengths and angles, within the tolerance (Å). */
function nearRotations(basis: Mat3, symprec: number): Mat3[] {
  const own = basis.map((vector, i) => ({ steps: IDENTITY3[i], vector, length: norm3(vector) }));
  const cosine = (p: Image, q: Image): number => dot3(p.vector, q.vector) / (p.length * q.length);
  const isSameAngle = (i: number, j: number, p: Image, q: Image): boolean => {
    const [before, after] = [cosine(own[i], own[j]), cosine(p, q)];
    const sines = Math.sqrt(Math.max(0, (1 - before * before) * (1 - after * after)));
    const sine2 = 1 - (before * after + sines) ** 2;
    return (sine2 * (own[i].length + p.length) * (own[j].length + q.length)) / 4 < symprec * symprec;
  };
  const near = NEAR.map((steps): Image => {
    const vector = rowTimesMatrix3(steps, basis);
    return { steps, vector, length: norm3(vector) };
  });
  const images = own.map(({ length }) => near.filter((image) => Math.abs(image.length - length) < symprec));
  const rotations: Mat3[] = [];
  for (const a of images[0])
    for (const b of images[1]) {
      if (!isSameAngle(0, 1, a, b)) continue;
      for (const c of images[2]) {
        if (Math.abs(determinant3([a.steps, b.steps, c.steps])) !== 1) continue;
        if (isSameAngle(1, 2, b, c) && isSameAngle(2, 0, c, a)) rotations.push([a.steps, b.steps, c.steps]);
      }
    }
  return rotations;
}

/** Nine integers, row by row. */
type Flat = readonly number[];

/** Matrices with entries up to this number are encoded in one number. */
const LARGEST_ENTRY = 8;

/** A unique key of a matrix. It is a number if the entries are small, as in finite groups. */
function keyOf(rotation: Flat): number | string {
  let key = 0;
  for (const entry of rotation) {
    if (Math.abs(entry) > LARGEST_ENTRY) return rotation.join();
    key = key * (2 * LARGEST_ENTRY + 1) + entry + LARGEST_ENTRY;
  }
  return key;
}

function product(a: Flat, b: Flat): Flat {
  const out: number[] = [];
  for (let i = 0; i < 9; i += 3)
    for (let j = 0; j < 3; j++) out.push(a[i] * b[j] + a[i + 1] * b[j + 3] + a[i + 2] * b[j + 6]);
  return out;
}

/** @param rows of a primitive cell, Å; @param symprec Å */
export function isSearchable(rows: Mat3, symprec: number): boolean {
  const known = new Map<number | string, Flat>();
  // A few generators suffice: a matrix already in the generated group is skipped.
  const generators: Flat[] = [];
  for (const rotation of nearRotations(reduceMinkowski(rows), symprec)) {
    const generator = rotation.flat();
    if (known.has(keyOf(generator))) continue;
    generators.push(generator);
    known.set(keyOf(generator), generator);
    for (const left of known.values())
      for (const right of generators) {
        const both = product(left, right);
        known.set(keyOf(both), both);
        if (known.size > LARGEST_GROUP) return false;
      }
  }
  return true;
}
