/** The unit chosen by the visitor for energies per atom on material pages. Files keep eV/atom. */
import { KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { formatNumber } from './format.ts';
import { observable, useObservable } from './observable.ts';
import { readStored, writeStored } from './storage.ts';

/**
 * `factor`: value of 1 eV/atom in this unit. `fewer`: number of decimals to drop compared with eV/atom, for the same
 * precision.
 */
const UNITS = {
  'eV/atom': { factor: 1, fewer: 0 },
  'meV/atom': { factor: 1000, fewer: 3 },
  /** Per mole of atoms, as in tables of enthalpies after division by the number of atoms in the formula. */
  'kJ/mol': { factor: KJ_PER_MOL_PER_EV, fewer: 2 },
} as const;

export type EnergyUnit = keyof typeof UNITS;
export const ENERGY_UNITS = Object.keys(UNITS) as readonly EnergyUnit[];

const KEY = 'energyUnit';
const isUnit = (text: string | null): text is EnergyUnit => text !== null && Object.hasOwn(UNITS, text);
const stored = readStored(KEY);
const chosen = observable<EnergyUnit>(isUnit(stored) ? stored : 'eV/atom');

export function chooseEnergyUnit(unit: EnergyUnit): void {
  writeStored(KEY, unit === 'eV/atom' ? null : unit);
  chosen.set(unit);
}

/** An energy per atom (eV/atom) in another unit; a missing one is `-`. */
export function energyText(value: number | null | undefined, unit: EnergyUnit, decimals = 3): string {
  const { factor, fewer } = UNITS[unit];
  return formatNumber(typeof value === 'number' ? value * factor : value, {
    decimals: Math.max(0, decimals - fewer),
  });
}

export const useEnergyUnit = (): EnergyUnit => useObservable(chosen);
