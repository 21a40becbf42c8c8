/**
 * Rotations and rotated tensors by definition, as sums over all indices. They are slow, but independent of the
 * product's code.
 */
import type { Structure } from '@unitcell/crystal';
import {
  determinant3,
  dot3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';

type Matrix = readonly (readonly number[])[];

/** Cartesian index pairs of the Voigt indices. */
const PAIRS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [1, 2],
  [0, 2],
  [0, 1],
] as const;
const AXES = [0, 1, 2] as const;
const voigt = (i: number, j: number): number => (i === j ? i : 6 - i - j);

/** A 3×3, 3×6 or 6×6 tensor in the axes given by v′ = R·v. */
export function rotatedTensor(tensor: Matrix, rotation: Mat3): number[][] {
  const sum = (terms: readonly number[]): number => terms.reduce((total, term) => total + term, 0);
  const at = (row: number, column: number): number => tensor[row]![column]!;
  const rowPairs = tensor.length === 6;
  const columnPairs = tensor[0]!.length === 6;
  const indices = (isPair: boolean, n: number): readonly number[] => (isPair ? PAIRS[n]! : [n]);
  const sources = (isPair: boolean): readonly (readonly number[])[] =>
    isPair ? AXES.flatMap((i) => AXES.map((j) => [i, j])) : AXES.map((i) => [i]);
  const place = (index: readonly number[]): number =>
    index.length === 2 ? voigt(index[0]!, index[1]!) : index[0]!;
  const weight = (to: readonly number[], from: readonly number[]): number =>
    to.reduce((product, axis, n) => product * rotation[axis as 0][from[n] as 0], 1);
  const [rowSources, columnSources] = [sources(rowPairs), sources(columnPairs)];
  return tensor.map((values, row) =>
    values.map((_value, column) =>
      sum(
        rowSources.flatMap((p) =>
          columnSources.map(
            (q) =>
              weight(indices(rowPairs, row), p) *
              weight(indices(columnPairs, column), q) *
              at(place(p), place(q)),
          ),
        ),
      ),
    ),
  );
}

/** Å² */
const SAME = 1e-3;

/** All rotations that map the lattice of one primitive cell to the lattice of another. */
export function rotationsBetween(
  { latticeVectors: from }: Structure,
  { latticeVectors: to }: Structure,
): Mat3[] {
  const steps = [-3, -2, -1, 0, 1, 2, 3];
  const vectors = steps
    .flatMap((i) => steps.flatMap((j) => steps.map((k): Vec3 => [i, j, k])))
    .map((n) => rowTimesMatrix3(n, from));
  const asLongAs = (target: Vec3): Vec3[] =>
    vectors.filter((v) => Math.abs(norm3(v) ** 2 - norm3(target) ** 2) < SAME);
  const isSame = (u: Vec3, v: Vec3, p: Vec3, q: Vec3): boolean => Math.abs(dot3(u, v) - dot3(p, q)) < SAME;
  const [a, b, c] = to;
  return asLongAs(a).flatMap((u) =>
    asLongAs(b)
      .filter((v) => isSame(u, v, a, b))
      .flatMap((v) =>
        asLongAs(c)
          .filter((w) => isSame(u, w, a, c) && isSame(v, w, b, c))
          .map((w) => transpose3(multiply3(inverse3([u, v, w]), to)))
          .filter((rotation) => determinant3(rotation) > 0),
      ),
  );
}
