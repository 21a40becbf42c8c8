/**
 * Changes caused by a derivation of hulls. They are stored with the release and checked by the gate. Energies
 * in eV/atom.
 */
import { ON_HULL } from '@unitcell/material';
import type { DerivedEnergy, EnergyRow } from '../derive/hull.repository.ts';

export interface HullChange {
  readonly structId: number;
  readonly formula: string;
  /** Energy above hull before and after the derivation; null: the entry had or has none. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface HullChanges {
  readonly functional: string;
  /** Number of entries that had an energy above hull before the derivation. */
  readonly compared: number;
  /** Number of entries whose energy above hull changed by more than `CHANGED`. */
  readonly changed: number;
  /** The largest changes, at most `LISTED`. */
  readonly largest: readonly HullChange[];
  readonly becameStable: number;
  readonly ceasedToBeStable: number;
  /** The first entries of each kind, at most `LISTED`. */
  readonly nowStable: readonly HullChange[];
  readonly noLongerStable: readonly HullChange[];
  /** Implausible formation energies: the unit or the references of such entries are wrong. */
  readonly implausible: readonly (HullChange & { readonly formationEnergyPerAtom: number })[];
}

/** eV/atom; half the resolution of the best calculations. */
export const CHANGED = 1e-3;
const LISTED = 100;
/** eV/atom, see `standardise.ts`. */
const PLAUSIBLE = { least: -6, largest: 10 } as const;

const isStable = (above: number | null): boolean => above !== null && above <= ON_HULL;
const sizeOf = ({ before, after }: HullChange): number => Math.abs((after ?? 0) - (before ?? 0));

/** Collects the largest changes from all derived entries. */
export function collectHullChanges(functional: string) {
  const largest: HullChange[] = [];
  const nowStable: HullChange[] = [];
  const noLongerStable: HullChange[] = [];
  const implausible: (HullChange & { formationEnergyPerAtom: number })[] = [];
  let [compared, changed, becameStable, ceasedToBeStable] = [0, 0, 0, 0];

  const keepLargest = (): void => {
    largest.sort((a, b) => sizeOf(b) - sizeOf(a));
    largest.length = Math.min(largest.length, LISTED);
  };

  return {
    add(before: EnergyRow, { energyAboveHull, formationEnergyPerAtom }: DerivedEnergy): void {
      const { structId, formulaReduced: formula } = before;
      const change = { structId, formula, before: before.energyAboveHull, after: energyAboveHull };
      if (change.before !== null) compared++;
      if (change.before !== null && energyAboveHull !== null && sizeOf(change) > CHANGED) {
        changed++;
        largest.push(change);
        if (largest.length >= 2 * LISTED) keepLargest();
      }
      if (isStable(energyAboveHull) && !isStable(change.before)) {
        becameStable++;
        if (nowStable.length < LISTED) nowStable.push(change);
      }
      if (isStable(change.before) && !isStable(energyAboveHull)) {
        ceasedToBeStable++;
        if (noLongerStable.length < LISTED) noLongerStable.push(change);
      }
      const energy = formationEnergyPerAtom;
      const isOdd = energy !== null && !(energy > PLAUSIBLE.least && energy < PLAUSIBLE.largest);
      if (isOdd && implausible.length < LISTED)
        implausible.push({ ...change, formationEnergyPerAtom: energy });
    },

    result(): HullChanges {
      keepLargest();
      return {
        functional,
        compared,
        changed,
        largest,
        becameStable,
        ceasedToBeStable,
        nowStable,
        noLongerStable,
        implausible,
      };
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/**
 * Merges the changes of several pieces. @param compared number of entries of the scale that had an energy
 * above hull before the derivation
 */
export function mergeHullChanges(
  functional: string,
  compared: number,
  parts: readonly HullChanges[],
): HullChanges {
  return {
    functional,
    compared,
    changed: sum(parts.map(({ changed }) => changed)),
    largest: parts
      .flatMap(({ largest }) => largest)
      .sort((a, b) => sizeOf(b) - sizeOf(a))
      .slice(0, LISTED),
    becameStable: sum(parts.map(({ becameStable }) => becameStable)),
    ceasedToBeStable: sum(parts.map(({ ceasedToBeStable }) => ceasedToBeStable)),
    nowStable: parts.flatMap(({ nowStable }) => nowStable).slice(0, LISTED),
    noLongerStable: parts.flatMap(({ noLongerStable }) => noLongerStable).slice(0, LISTED),
    implausible: parts.flatMap(({ implausible }) => implausible).slice(0, LISTED),
  };
}
