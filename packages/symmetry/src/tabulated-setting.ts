/**
 * The conventional cell as tabulated in International Tables A, with a rule for the axes if the space group
 * leaves a choice.
 *
 *   monoclinic     unique axis b, cell choice 1, a and c the shortest that keep centring and glide, β > 90°
 *   orthorhombic   the tabulated setting; equivalent axes in order of length
 *   others         as the symmetry search gives them (triclinic: Niggli-reduced)
 *
 * New axes also need a new origin: if C2/c is described with other axes of the same lattice, its c glide is a
 * quarter of b away from the tabulated place. The origin is shifted until each operation of the cell equals one
 * of the Hall symbol, so that coordinates, operations and Wyckoff letters are consistent. International Tables
 * for Crystallography A (2016), sections 1.5.1 and 1.5.3; E. Parthé, L. M. Gelato, Acta Cryst. A40 (1984) 169,
 * doi:10.1107/S0108767384000416.
 */

import { operationsFromHallSymbol, type SymmetryOperation } from '@unitcell/crystal';
import {
  determinant3,
  dot3,
  IDENTITY3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  scale3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import { monoclinicPlane } from './standard-cells.ts';
import type { SpaceGroup, SymmetryDataset } from './symmetry-dataset.ts';

/** A change of axes and origin: new rows = transform · old rows, new coordinates = x · transform⁻¹ + shift. */
export interface SettingChange {
  /** Integer matrix with determinant 1. */
  readonly transform: Mat3;
  readonly shift: Vec3;
}

const UNCHANGED: SettingChange = { transform: IDENTITY3, shift: [0, 0, 0] };

/**
 * Axes are exchanged only if the length of one is smaller by more than this share; equal lengths keep their
 * order.
 */
const LENGTH_TIE = 1e-6;

/** Translations of tabulated operations are multiples of 1/24, exact up to rounding. */
export const TRANSLATION_STEPS = 24;

/** Origins of monoclinic and orthorhombic settings are at eighths of the axes (Fddd), or arbitrary. */
const ORIGIN_STEP = TRANSLATION_STEPS / 8;

/** The change from the standardised cell of a dataset to the tabulated setting with the chosen axes. */
export function toTabulatedSetting(dataset: SymmetryDataset): SettingChange {
  const { latticeVectors } = dataset.standardizedCell;
  switch (dataset.latticeType) {
    case 'monoclinic': {
      const { a, c } = monoclinicPlane(dataset);
      const [first, third] = [a, c].map((axis) => norm3(rowTimesMatrix3(axis, latticeVectors)));
      const direct = obtuse(a, c, latticeVectors);
      const exchanged = obtuse(c, a, latticeVectors);
      const isExchanged = isShorter([third, first], [first, third]);
      return (
        (isExchanged && settingChange(dataset.spaceGroup, exchanged)) ||
        settingChange(dataset.spaceGroup, direct) ||
        UNCHANGED
      );
    }
    case 'orthorhombic': {
      const lengths = latticeVectors.map(norm3);
      const ordered = ({ transform }: SettingChange): number[] =>
        transform.map((row) => lengths[row.findIndex((entry) => entry !== 0)]);
      return permittedExchanges(dataset.spaceGroup).reduce(
        (best, change) => (isShorter(ordered(change), ordered(best)) ? change : best),
        UNCHANGED,
      );
    }
    default:
      return UNCHANGED;
  }
}

/** The axes a, ±b and ±c: β obtuse, right-handed. */
function obtuse(a: Vec3, c: Vec3, rows: Mat3): Mat3 {
  const overlap = dot3(rowTimesMatrix3(a, rows), rowTimesMatrix3(c, rows));
  const turned = overlap > 0 ? scale3(c, -1) : c;
  return [a, [0, Math.sign(a[0] * turned[2] - a[2] * turned[0]), 0], turned];
}

function isShorter(lengths: readonly number[], others: readonly number[]): boolean {
  const first = lengths.findIndex((length, axis) => Math.abs(length / others[axis] - 1) > LENGTH_TIE);
  return first >= 0 && lengths[first] < others[first];
}

/**
 * Signs of the axes; c keeps its sign if possible, because it is the polar axis of the tabulated settings.
 */
const SIGNS: readonly Vec3[] = [
  [1, 1, 1],
  [-1, 1, 1],
  [1, -1, 1],
  [-1, -1, 1],
  [1, 1, -1],
  [-1, 1, -1],
  [1, -1, -1],
  [-1, -1, -1],
];

/** The other five orders of three axes, made right-handed. */
const AXIS_EXCHANGES: readonly Mat3[] = (
  [
    [1, 0, 2],
    [0, 2, 1],
    [2, 1, 0],
    [1, 2, 0],
    [2, 0, 1],
  ] as const
).flatMap(([i, j, k]) =>
  SIGNS.map(
    ([p, q, r]): Mat3 => [scale3(IDENTITY3[i], p), scale3(IDENTITY3[j], q), scale3(IDENTITY3[k], r)],
  ).filter((transform) => determinant3(transform) === 1),
);

const exchangesOf = new Map<number, readonly SettingChange[]>();

/** The exchanges of axes for which a shift of the origin restores the setting of an orthorhombic group. */
function permittedExchanges(spaceGroup: SpaceGroup): readonly SettingChange[] {
  let permitted = exchangesOf.get(spaceGroup.hallNumber);
  if (!permitted) {
    permitted = AXIS_EXCHANGES.flatMap((transform) => settingChange(spaceGroup, transform) ?? []);
    exchangesOf.set(spaceGroup.hallNumber, permitted);
  }
  return permitted;
}

export const inSteps = ([x, y, z]: Vec3): Vec3 => [
  Math.round(x * TRANSLATION_STEPS),
  Math.round(y * TRANSLATION_STEPS),
  Math.round(z * TRANSLATION_STEPS),
];

const insideCell = (steps: number): number =>
  ((steps % TRANSLATION_STEPS) + TRANSLATION_STEPS) % TRANSLATION_STEPS;

/** A translation in steps, modulo the lattice, as one number. */
export const translationKey = (x: number, y: number, z: number): number =>
  (TRANSLATION_STEPS * insideCell(x) + insideCell(y)) * TRANSLATION_STEPS + insideCell(z);

const IDENTITY = IDENTITY3.join();

/** An operation in new axes, with its translation in steps, and the tabulated translations for its rotation. */
interface ComparedOperation {
  readonly rotation: Mat3;
  readonly steps: Vec3;
  readonly tabulated: ReadonlySet<number>;
}

/**
 * Whether the operation, relative to an origin shifted by (i, j, k) steps, is tabulated: t + s − W·s is listed with W.
 */
export const isListed = (
  { rotation: [a, b, c], steps: [x, y, z], tabulated }: ComparedOperation,
  i: number,
  j: number,
  k: number,
): boolean =>
  tabulated.has(
    translationKey(
      x + i - a[0] * i - a[1] * j - a[2] * k,
      y + j - b[0] * i - b[1] * j - b[2] * k,
      z + k - c[0] * i - c[1] * j - c[2] * k,
    ),
  );

/**
 * The change of axes with the shift of the origin (in the new axes) that restores the operations of the Hall symbol.
 * Null if no shift does, because these axes are not equivalent.
 */
function settingChange({ hallSymbol }: SpaceGroup, transform: Mat3): SettingChange | null {
  const operations = operationsFromHallSymbol(hallSymbol);
  const { changes } = tableOf(operations);
  const key = transform.join();
  let change = changes.get(key);
  if (change === undefined) {
    change = findChange(operations, transform);
    changes.set(key, change);
  }
  return change;
}

function findChange(operations: readonly SymmetryOperation[], transform: Mat3): SettingChange | null {
  const compared = comparedOperations(operations, transform);
  if (!compared) return null;
  for (let i = 0; i < TRANSLATION_STEPS; i += ORIGIN_STEP)
    for (let j = 0; j < TRANSLATION_STEPS; j += ORIGIN_STEP)
      for (let k = 0; k < TRANSLATION_STEPS; k += ORIGIN_STEP)
        if (compared.every((operation) => isListed(operation, i, j, k)))
          return { transform, shift: [i / TRANSLATION_STEPS, j / TRANSLATION_STEPS, k / TRANSLATION_STEPS] };
  return null;
}

interface OperationTable {
  /** The translations of each rotation. */
  readonly tabulated: ReadonlyMap<string, ReadonlySet<number>>;
  /** The centring translations, and operations that generate the group together with them. */
  readonly generators: readonly SymmetryOperation[];
  /** Changes found so far, by their transform. */
  readonly changes: Map<string, SettingChange | null>;
}

const tables = new WeakMap<readonly SymmetryOperation[], OperationTable>();

function tableOf(operations: readonly SymmetryOperation[]): OperationTable {
  const known = tables.get(operations);
  if (known) return known;
  const tabulated = new Map<string, Set<number>>();
  const generators: SymmetryOperation[] = [];
  /** The rotations generated so far. */
  const produced = new Map<string, Mat3>([[IDENTITY, IDENTITY3]]);
  for (const operation of operations) {
    const key = operation.rotation.join();
    const places = tabulated.get(key) ?? new Set();
    tabulated.set(key, places.add(translationKey(...inSteps(operation.translation))));
    if (key !== IDENTITY && produced.has(key)) continue;
    generators.push(operation);
    for (const rotation of produced.values())
      for (const generator of generators) {
        const product = multiply3(rotation, generator.rotation);
        produced.set(product.map(whole).join(), product);
      }
  }
  const table = { tabulated, generators, changes: new Map<string, SettingChange | null>() };
  tables.set(operations, table);
  return table;
}

/**
 * Operations that generate the group, in the new axes and relative to the old origin; null if the rotations
 * differ from the tabulated ones. If these operations are tabulated relative to some origin, all operations
 * are.
 */
export function comparedOperations(
  operations: readonly SymmetryOperation[],
  transform: Mat3,
): readonly ComparedOperation[] | null {
  const { tabulated, generators } = tableOf(operations);
  const toNew = inverse3(transform);
  const columns = transpose3(toNew);
  const back = transpose3(transform);
  const compared: ComparedOperation[] = [];
  for (const { rotation, translation } of generators) {
    const [a, b, c] = multiply3(multiply3(columns, rotation), back);
    const turned: Mat3 = [whole(a), whole(b), whole(c)];
    const translations = tabulated.get(turned.join());
    if (!translations) return null;
    const steps = inSteps(rowTimesMatrix3(translation, toNew));
    // A centring translation is the same relative to every origin.
    if (turned.join() === IDENTITY) {
      if (!translations.has(translationKey(...steps))) return null;
      continue;
    }
    compared.push({ rotation: turned, steps, tabulated: translations });
  }
  return compared;
}

/** An integer row without rounding noise and with 0 instead of −0, because −0 would give a different key. */
const whole = ([x, y, z]: Vec3): Vec3 => [Math.round(x) + 0, Math.round(y) + 0, Math.round(z) + 0];
