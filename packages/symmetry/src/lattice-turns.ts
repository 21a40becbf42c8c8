/**
 * Whether a tolerance is small enough for a lattice to be searched at.
 *
 * The search begins with the whole-number matrices that carry the lattice onto itself within the tolerance, and multiplies them until
 * nothing new comes. In a long, thin cell a shear by a short vector is among them: then the products never end. Finite groups of such
 * matrices have at most 48 members, so a 49th tells.
 * R. W. Grosse-Kunstleve et al., arXiv:1808.01590, eq. 7 (the comparison of angles), which moyo follows.
 */
import {
  determinant3,
  dot3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  type Vec3,
} from '@unitcell/numerics';
import { reduceMinkowski } from './reduce-lattice.ts';

/** The largest finite group of whole-number matrices in three dimensions: that of the cube. */
const LARGEST_GROUP = 48;

const STEPS = [-1, 0, 1] as const;
const NEAR: readonly Vec3[] = STEPS.flatMap((i) => STEPS.flatMap((j) => STEPS.map((k): Vec3 => [i, j, k])));

/** Rows of whole numbers that carry the basis onto vectors of the same lengths and angles, within the tolerance (Å). */
function nearTurns(basis: Mat3, symprec: number): Mat3[] {
  const lengths = basis.map(norm3);
  const cosine = (p: Vec3, q: Vec3): number => dot3(p, q) / (norm3(p) * norm3(q));
  const isSameAngle = (i: number, j: number, p: Vec3, q: Vec3): boolean => {
    const [before, after] = [cosine(basis[i], basis[j]), cosine(p, q)];
    const sines = Math.sqrt(Math.max(0, (1 - before * before) * (1 - after * after)));
    const sine2 = 1 - (before * after + sines) ** 2;
    return (sine2 * (lengths[i] + norm3(p)) * (lengths[j] + norm3(q))) / 4 < symprec * symprec;
  };
  const images = lengths.map((length) =>
    NEAR.map((steps) => ({ steps, vector: rowTimesMatrix3(steps, basis) })).filter(
      ({ vector }) => Math.abs(norm3(vector) - length) < symprec,
    ),
  );
  const turns: Mat3[] = [];
  for (const a of images[0])
    for (const b of images[1]) {
      if (!isSameAngle(0, 1, a.vector, b.vector)) continue;
      for (const c of images[2]) {
        if (Math.abs(determinant3([a.steps, b.steps, c.steps])) !== 1) continue;
        if (isSameAngle(1, 2, b.vector, c.vector) && isSameAngle(2, 0, c.vector, a.vector))
          turns.push([a.steps, b.steps, c.steps]);
      }
    }
  return turns;
}

/** @param rows of a primitive cell, Å; @param symprec Å */
export function isSearchable(rows: Mat3, symprec: number): boolean {
  const turns = nearTurns(reduceMinkowski(rows), symprec);
  const known = new Map(turns.map((turn) => [turn.join(), turn]));
  for (const left of known.values()) {
    if (known.size > LARGEST_GROUP) return false;
    for (const right of turns) {
      const product = multiply3(left, right);
      if (!known.has(product.join())) known.set(product.join(), product);
    }
  }
  return known.size <= LARGEST_GROUP;
}
