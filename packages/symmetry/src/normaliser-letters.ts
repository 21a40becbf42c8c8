/**
 * Computes how the affine normaliser of a space group permutes Wyckoff letters. The normaliser contains the other
 * origins and axes that are equivalent to the tabulated ones (International Tables A, section 3.5; W. Fischer, E. Koch,
 * Z. Kristallogr. 147 (1978) 255).
 */
import { applySymmetryOperation, operationsFromHallSymbol, SPACE_GROUP_SETTINGS } from '@unitcell/crystal';
import { IDENTITY3, inverse3, type Mat3, transpose3, type Vec3 } from '@unitcell/numerics';
import { tabulatedPositions, wyckoffLetter } from './conventional-cell.ts';
import {
  comparedOperations,
  inSteps,
  isListed,
  TRANSLATION_STEPS,
  translationKey,
} from './tabulated-setting.ts';

/** Maps each letter to its new letter. */
export type LetterChange = ReadonlyMap<string, string>;

/** A general point, on no symmetry element of any group or of its normaliser. */
const GENERAL: Vec3 = [0.0823, 0.1371, 0.2919];

/**
 * In the tabulated cells every normaliser shifts the origin by multiples of 1/8 or 1/12 of the axes;
 * arbitrary shifts along a polar axis change no letter.
 */
const [EIGHTHS, TWELFTHS] = [8, 12];

const unit = (i: number, j: number): number => Number(i === j);
const matrix = (entry: (i: number, j: number) => number): Mat3 => {
  const row = (i: number): Vec3 => [entry(i, 0), entry(i, 1), entry(i, 2)];
  return [row(0), row(1), row(2)];
};
const AXES = [0, 1, 2];

/** Generators of the changes of axes: exchanges, inversions, rotations by 60°, and other cell choices. */
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

const PLACE_STEPS = 1e6;
/**
 * Key of a position: its rounded coordinates modulo 1. Coordinates of images of `GENERAL` are never near a rounding
 * limit.
 */
const placeKey = (image: Vec3): string =>
  image.map((x) => Math.round((x - Math.floor(x)) * PLACE_STEPS) % PLACE_STEPS).join();

/**
 * All shifts of the origin by multiples of 1/`parts` of each axis, in steps of the tabulated translations.
 */
function shifts(parts: Vec3): Vec3[] {
  const [a, b, c] = parts.map((count) =>
    Array.from({ length: count }, (_, k) => (k * TRANSLATION_STEPS) / count),
  );
  return a.flatMap((i) => b.flatMap((j) => c.map((k): Vec3 => [i, j, k])));
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
    return { letter, sites: [...new Map(images.map((image) => [placeKey(image), image])).values()] };
  });
  const isHexagonal = spaceGroupNumber > 142 && spaceGroupNumber < 195;
  const origins = shifts(isHexagonal ? [6, 6, TWELFTHS] : [EIGHTHS, EIGHTHS, EIGHTHS]);
  const identity = IDENTITY3.join();
  const own = new Set(operations.map(({ rotation }) => rotation.join()));
  own.delete(identity);
  const centrings = operations.filter(({ rotation }) => rotation.join() === identity);
  const generators = new Map<string, LetterChange>();
  for (const axes of AXIS_CHANGES) {
    // A rotation of the group itself differs from the identity only by an operation of the group, which changes
    // no letter.
    if (own.has(axes.join())) continue;
    // g = (P, p) maps (W, w) to (PWP⁻¹, p + Pw − PWP⁻¹p). The result must be an operation of the group.
    const compared = comparedOperations(operations, transpose3(inverse3(axes)));
    if (!compared) continue;
    const seen = new Set<number>();
    for (const [i, j, k] of origins) {
      if (!compared.every((one) => isListed(one, i, j, k)) || seen.has(translationKey(i, j, k))) continue;
      for (const { translation } of centrings) {
        const [x, y, z] = inSteps(translation);
        seen.add(translationKey(i + x, j + y, k + z));
      }
      const shift: Vec3 = [i / TRANSLATION_STEPS, j / TRANSLATION_STEPS, k / TRANSLATION_STEPS];
      const change = new Map(
        positions.map(({ letter, sites }) => [
          letter,
          wyckoffLetter(
            hallNumber,
            sites.map((site) => applySymmetryOperation({ rotation: axes, translation: shift }, site)),
          ),
        ]),
      );
      generators.set([...change.values()].join(''), change);
      // The other origins with these axes differ from this origin by shifts that are also found with the
      // unchanged axes.
      if (axes !== AXIS_CHANGES[0]) break;
    }
  }
  return generated(generators);
}

/** The group generated by these permutations. Generators that earlier ones already generate are skipped. */
function generated(generators: ReadonlyMap<string, LetterChange>): readonly LetterChange[] {
  const found = new Map<string, LetterChange>();
  const used: LetterChange[] = [];
  for (const [key, generator] of generators) {
    if (found.has(key)) continue;
    used.push(generator);
    found.set(key, generator);
    for (const change of found.values())
      for (const next of used) {
        const both = new Map(Array.from(change, ([from, to]) => [from, next.get(to) ?? to]));
        found.set([...both.values()].join(''), both);
      }
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
