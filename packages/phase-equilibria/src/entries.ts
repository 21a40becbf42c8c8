/** Computed entries: the input of a phase diagram. */
import { atomCount, type Composition } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import { luFactor, luSolve } from '@unitcell/numerics';
import { PhaseEquilibriaError } from './error.ts';

/** A composition is outside the space if the corners fail to account for more than this share of its atoms. */
const BALANCE_TOLERANCE = 1e-6;

export interface ComponentSpace {
  /**
   * Names of the corners: element symbols or formulas. A component space maps a composition to coordinates of
   * a diagram; its corners are elements, compounds, or the remaining elements when others are exchanged with
   * a reservoir.
   */
  readonly components: readonly string[];
  /** Elements exchanged with a reservoir, and their chemical potentials in eV/atom on the scale of the entries. */
  readonly reservoir: Readonly<Record<string, number>>;
  /**
   * Atoms of the composition that belong to each corner (for an element corner: its atoms), written to `out`; false if
   * the composition is outside the space or consists of reservoir elements only.
   */
  readonly amountsOf: (composition: Composition, out: Float64Array) => boolean;
}

/** The space whose corners are elements; `reservoir` elements are not among its coordinates. */
export function elementSpace(
  elements: readonly string[],
  reservoir: Readonly<Record<string, number>> = {},
): ComponentSpace {
  const position = new Map(elements.map((element, index) => [element, index]));
  return {
    components: elements,
    reservoir,
    amountsOf(composition, out) {
      let isInside = false;
      out.fill(0);
      for (const element in composition) {
        const amount = composition[element];
        if (amount === 0) continue;
        const index = position.get(element);
        if (index !== undefined) {
          out[index] = amount;
          isInside = true;
        } else if (!(element in reservoir)) return false;
      }
      return isInside;
    },
  };
}

/**
 * The space whose corners are compounds. It contains the compositions that are mixtures of the corners.
 * @throws PhaseEquilibriaError `dependent-components` when one corner is a mixture of others
 */
export function compoundSpace(labels: readonly string[], terminals: readonly Composition[]): ComponentSpace {
  const elements = [...new Set(terminals.flatMap((terminal) => Object.keys(terminal)))].sort();
  const k = terminals.length;
  const sizes = terminals.map(atomCount);
  // Each row is a corner, as atomic fractions of the elements. Least squares by the normal equations.
  const rows = terminals.map((terminal, i) => elements.map((element) => (terminal[element] ?? 0) / sizes[i]));
  const gram = rows.flatMap((a) => rows.map((b) => a.reduce((sum, value, e) => sum + value * b[e], 0)));
  const factors = luFactor(gram, k);
  if (factors === null)
    throw new PhaseEquilibriaError(
      'dependent-components',
      `${labels.join(', ')} cannot be the corners of one diagram: one of them is a mixture of the others`,
      labels,
    );
  const known = new Set(elements);
  return {
    components: labels,
    reservoir: {},
    amountsOf(composition, out) {
      for (const element in composition) if (composition[element] > 0 && !known.has(element)) return false;
      const amounts = elements.map((element) => composition[element] ?? 0);
      const solution = luSolve(
        factors,
        rows.map((row) => row.reduce((sum, value, e) => sum + value * amounts[e], 0)),
      );
      const slack = BALANCE_TOLERANCE * amounts.reduce((sum, amount) => sum + amount, 0);
      for (let i = 0; i < k; i++) {
        if (solution[i] < -slack) return false;
        out[i] = solution[i] < slack ? 0 : solution[i];
      }
      return amounts.every(
        (amount, e) =>
          Math.abs(rows.reduce((sum, row, i) => sum + row[e] * out[i], -amount)) <= 2 * k * slack,
      );
    },
  };
}

export interface PhaseEntry {
  /** Unique within one diagram. */
  readonly id: string;
  /** Atoms of each element in a formula unit, a cell or a supercell. */
  readonly composition: Composition;
  /**
   * Energy of the amounts in `composition`, eV (not per atom). All entries of a diagram must be on one energy
   * scale.
   */
  readonly energy: number;
}

/** Atomic fractions that differ by less than this are equal: cells have far fewer than 10⁸ atoms. */
export const COMPOSITION_TOLERANCE = 1e-8;

/**
 * Checks amounts and element symbols of a composition.
 * @throws PhaseEquilibriaError `invalid-entry` or `unknown-element`; `owner` names the composition in the message
 */
export function assertComposition(composition: Composition, owner: string): void {
  let total = 0;
  for (const element in composition) {
    const amount = composition[element];
    if (!(amount >= 0 && amount < Number.POSITIVE_INFINITY))
      throw new PhaseEquilibriaError(
        'invalid-entry',
        `${owner} holds ${amount} atoms of ${element}: expected a number above 0`,
        [owner],
      );
    if (!isElementSymbol(element))
      throw new PhaseEquilibriaError(
        'unknown-element',
        `${owner} holds ${element}, which is not an element`,
        [element],
      );
    total += amount;
  }
  if (total === 0) throw new PhaseEquilibriaError('invalid-entry', `${owner} holds no atoms`, [owner]);
}

/**
 * Checks every entry: unique ids, finite energies, valid compositions.
 * @throws PhaseEquilibriaError `empty`, `duplicate-id`, `invalid-entry` or `unknown-element`
 */
export function assertEntries(entries: readonly PhaseEntry[]): void {
  if (entries.length === 0)
    throw new PhaseEquilibriaError(
      'empty',
      'there are no entries: a phase diagram needs at least its elements',
    );
  const ids = new Set<string>();
  for (const { id, composition, energy } of entries) {
    if (ids.has(id))
      throw new PhaseEquilibriaError('duplicate-id', `two entries have the id ${id}: ids must be unique`, [
        id,
      ]);
    ids.add(id);
    if (!Number.isFinite(energy))
      throw new PhaseEquilibriaError(
        'invalid-entry',
        `entry ${id} has the energy ${energy}: expected a finite number of eV`,
        [id],
      );
    assertComposition(composition, `entry ${id}`);
  }
}

/**
 * Groups compositions that agree to `COMPOSITION_TOLERANCE` in every fraction.
 * @param fractions k fractions per composition; those of a composition must be filled in before it is grouped
 */
export function compositionIndex(fractions: Float64Array, k: number) {
  const rounded = (fraction: number): number => Math.round(fraction / COMPOSITION_TOLERANCE);
  /**
   * Maps a hash to the last group that has it; `earlier` links to previous groups with the same hash. Text keys
   * would take a third of the time of a hull.
   */
  const groups = new Map<number, number>();
  const earlier: number[] = [];
  const starts: number[] = [];
  const isSame = (group: number, of: Float64Array, start: number): boolean => {
    for (let c = 0; c < k; c++)
      if (rounded(fractions[starts[group] + c]) !== rounded(of[start + c])) return false;
    return true;
  };
  const search = (of: Float64Array, start: number): { readonly hash: number; readonly group: number } => {
    let hash = 0;
    for (let c = 0; c < k; c++) hash = (Math.imul(hash, 31) + rounded(of[start + c])) | 0;
    let group = groups.get(hash) ?? -1;
    while (group >= 0 && !isSame(group, of, start)) group = earlier[group];
    return { hash, group };
  };
  return {
    /**
     * Index of the group of a composition. For the first composition of a group this is the number of groups so
     * far.
     */
    groupOf(index: number): number {
      const { hash, group } = search(fractions, index * k);
      if (group >= 0) return group;
      const own = starts.push(index * k) - 1;
      earlier.push(groups.get(hash) ?? -1);
      groups.set(hash, own);
      return own;
    },
    /** Index of the group with these fractions; −1 if there is none. */
    find: (others: Float64Array): number => search(others, 0).group,
  };
}
