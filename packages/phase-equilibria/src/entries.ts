/** Computed entries: what a phase diagram is made of. */
import type { Composition } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import { PhaseEquilibriaError } from './error.ts';

export interface PhaseEntry {
  /** Unique within one diagram. */
  readonly id: string;
  /** Atoms of each element: a formula unit, a cell or a supercell. */
  readonly composition: Composition;
  /** Energy of exactly that composition, eV (not per atom); all entries of a diagram on one energy scale. */
  readonly energy: number;
}

/** Two atomic fractions this close are one composition: cells hold far fewer than 10⁸ atoms. */
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
 * Checks every entry: ids unique, energies finite, compositions sound.
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

/** A text that is equal for compositions that agree to `COMPOSITION_TOLERANCE` in every fraction. */
export function fractionsKey(fractions: ArrayLike<number>, start: number, length: number): string {
  let key = '';
  for (let c = 0; c < length; c++) key += `${Math.round(fractions[start + c] / COMPOSITION_TOLERANCE)},`;
  return key;
}
