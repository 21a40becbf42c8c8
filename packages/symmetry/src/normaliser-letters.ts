/**
 * How the affine normaliser of a space group permutes Wyckoff letters: it contains the other origins and axes
 * that are equivalent to the tabulated ones (International Tables A, section 3.5; W. Fischer, E. Koch, Z.
 * Kristallogr. 147 (1978) 255).
 */
import { applySymmetryOperation, operationsFromHallSymbol, SPACE_GROUP_SETTINGS } from '@unitcell/crystal';
import { inverse3, type Mat3, multiply3, type Vec3 } from '@unitcell/numerics';
import { tabulatedPositions, wyckoffLetter } from './conventional-cell.ts';

/** Maps each letter to its new letter. */
export type LetterChange = ReadonlyMap<string, string>;

/** A general point: on no symmetry element of any group or of its normaliser. */
const GENERAL: Vec3 = [0.0823, 0.1371, 0.2919];

/**
 * In the tabulated cells every normaliser shifts the origin by multiples of these fractions of the axes;
 * arbitrary shifts along a polar axis change no letter.
 */
const [EIGHTHS, TWELFTHS] = [8, 12];

const unit = (i: number, j: number): number => Number(i === j);
const matrix = (entry: (i: number, j: number) => number): Mat3 => {
  const row = (i: number): Vec3 => [entry(i, 0), entry(i, 1), entry(i, 2)];
  return [row(0), row(1), row(2)];
};
const AXES = [0, 1, 2];

/**
 * Generators of the changes of axes: exchanges, inversions, rotations by 60°, and other choices of the cell.
 */
const AXIS_CHANGES: readonly Mat3[] = [
  matrix(unit),
  matrix((i, j) => unit((i + 1) % 3, j)),
  matrix((i, j) => unit((i + 2) % 3, j)),
  ...AXES.map((axis) => matrix((i, j) => (i === axis ? unit(i, j) : unit(3 - axis - i, j)))),
  ...AXES.map((axis) => matrix((i, j) => (i === axis ? unit(i, j) : -unit(3 - axis - i, j)))),
  ...AXES.map((axis) => matrix((i, j) => (i === axis ? -1 : 1) * unit(i, j))),
  ...AXES.flatMap((p) =>
    AXES.filter((q) => q !== p).flatMap((q) =>
      [1, -1, 2, -2].map((times) => matrix((i, j) => unit(i, j) + (i === p && j === q ? times : 0))),
    ),
  ),
  [
    [1, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  [
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, 1],
  ],
];

const isWhole = (x: number): boolean => Math.abs(x - Math.round(x)) < 1e-6;

function shifts(parts: Vec3): Vec3[] {
  const [a, b, c] = parts.map((count) => Array.from({ length: count }, (_, k) => k / count));
  return a.flatMap((x) => b.flatMap((y) => c.map((z): Vec3 => [x, y, z])));
}

function findChanges(spaceGroupNumber: number): readonly LetterChange[] {
  const hallNumber = SPACE_GROUP_SETTINGS.findIndex(({ number }) => number === spaceGroupNumber) + 1;
  const operations = operationsFromHallSymbol(SPACE_GROUP_SETTINGS[hallNumber - 1].hallSymbol);
  const positions = tabulatedPositions(hallNumber).map(({ letter, coordinates }) => {
    const point = coordinates.map(
      ({ factors, constant }) => constant + factors.reduce((sum, f, axis) => sum + f * GENERAL[axis], 0),
    );
    const images = operations.map((operation) =>
      applySymmetryOperation(operation, [point[0], point[1], point[2]]),
    );
    const sites = images.filter(
      (x, at) => images.findIndex((other) => x.every((value, axis) => isWhole(value - other[axis]))) === at,
    );
    return { letter, sites };
  });
  const byRotation = new Map<string, Vec3[]>();
  for (const { rotation, translation } of operations) {
    const key = rotation.flat().join();
    byRotation.set(key, [...(byRotation.get(key) ?? []), translation]);
  }
  const isHexagonal = spaceGroupNumber > 142 && spaceGroupNumber < 195;
  const origins = shifts(isHexagonal ? [6, 6, TWELFTHS] : [EIGHTHS, EIGHTHS, EIGHTHS]);
  const generators = new Map<string, LetterChange>();
  for (const axes of AXIS_CHANGES) {
    const back = inverse3(axes);
    // g = (P, p) maps (W, w) to (PWP⁻¹, p + Pw − PWP⁻¹p), which must be an operation of the group.
    const turned = operations.map(({ rotation, translation }) => {
      const image = multiply3(multiply3(axes, rotation), back).map((row) =>
        row.map((x) => Math.round(x) + 0),
      );
      return {
        image,
        moved: axes.map((row) => row[0] * translation[0] + row[1] * translation[1] + row[2] * translation[2]),
        allowed: byRotation.get(image.flat().join()),
      };
    });
    if (turned.some(({ allowed }) => !allowed)) continue;
    for (const p of origins) {
      const isNormal = turned.every(({ image, moved, allowed }) =>
        allowed?.some((t) =>
          AXES.every((i) =>
            isWhole(p[i] + moved[i] - image[i][0] * p[0] - image[i][1] * p[1] - image[i][2] * p[2] - t[i]),
          ),
        ),
      );
      if (!isNormal) continue;
      const change = new Map(
        positions.map(({ letter, sites }) => [
          letter,
          wyckoffLetter(
            hallNumber,
            sites.map((site) => applySymmetryOperation({ rotation: axes, translation: p }, site)),
          ),
        ]),
      );
      generators.set([...change.values()].join(''), change);
    }
  }
  // The group they generate.
  const found = new Map(generators);
  for (const change of found.values())
    for (const next of generators.values()) {
      const both = new Map(Array.from(change, ([from, to]) => [from, next.get(to) ?? to]));
      found.set([...both.values()].join(''), both);
    }
  return [...found.values()];
}

const known = new Map<number, readonly LetterChange[]>();

/** All permutations of the letters of a space group, including the identity. */
export function letterChanges(spaceGroupNumber: number): readonly LetterChange[] {
  const before = known.get(spaceGroupNumber);
  if (before) return before;
  const changes = findChanges(spaceGroupNumber);
  known.set(spaceGroupNumber, changes);
  return changes;
}
