/**
 * Formation energy, energy above hull and decomposition of the entries of one chemical system.
 *
 * Everything is done in formation energies, with the elements at exactly 0 eV/atom. Total energies are counted from
 * the lowest pure entry of each element; published formation energies are taken as they are, so a scale may hold
 * either. An element whose lowest entry lies above 0 on a published scale still has its corner at 0.
 */
import type { Composition } from '@unitcell/crystal';
import { buildHull, decomposition, energyAboveHull, type PhaseEntry } from '@unitcell/phase-equilibria';
import type { DerivedEnergy, EnergyRow } from './hull.repository.ts';
import { asFigure } from '../../domain/thermodynamics/phase-hull.ts';

export type SystemEntry = EnergyRow & {
  /** Atomic fractions of its elements. */
  readonly fractions: Composition;
};

export interface DerivedSystem {
  readonly entries: readonly (SystemEntry & DerivedEnergy)[];
}

/** The struct_id of an element that has no entry of its own: its reference is the 0 of a published scale. */
export const REFERENCE_ELEMENT = 0;

interface FormationEntry extends PhaseEntry {
  readonly structId: number;
  readonly formula: string;
}

const isElement = ({ fractions }: SystemEntry): boolean => Object.keys(fractions).length === 1;

/** Total energy per atom of the lowest pure entry of each element. */
function elementalEnergies(entries: readonly SystemEntry[]): Map<string, number> {
  const lowest = new Map<string, number>();
  for (const entry of entries) {
    if (!isElement(entry) || entry.energyPerAtom === null) continue;
    const energy = lowest.get(entry.chemicalSystem);
    if (energy === undefined || entry.energyPerAtom < energy)
      lowest.set(entry.chemicalSystem, entry.energyPerAtom);
  }
  return lowest;
}

function formationEnergy(entry: SystemEntry, elements: ReadonlyMap<string, number>): number | null {
  if (entry.givenFormationEnergy !== null) return entry.givenFormationEnergy;
  if (entry.energyPerAtom === null) return null;
  let energy = entry.energyPerAtom;
  for (const [element, fraction] of Object.entries(entry.fractions)) {
    const reference = elements.get(element);
    if (reference === undefined) return null;
    energy -= fraction * reference;
  }
  return asFigure(energy);
}

const toFormationEntry = (entry: SystemEntry, energy: number): FormationEntry => ({
  id: String(entry.structId),
  structId: entry.structId,
  formula: entry.formulaReduced,
  composition: entry.fractions,
  energy,
});

/**
 * @param own entries of exactly this system
 * @param competitors stable entries of the systems inside it, already derived
 */
export function deriveSystem(
  own: readonly SystemEntry[],
  competitors: readonly SystemEntry[],
): DerivedSystem {
  const elements = elementalEnergies([...own, ...competitors]);
  const energies = own.map((entry) => formationEnergy(entry, elements));
  const known = own.flatMap((entry, index) => {
    const energy = energies[index];
    return energy === null || energy === undefined ? [] : [toFormationEntry(entry, energy)];
  });
  const others = competitors.flatMap((entry) =>
    entry.formationEnergyPerAtom === null ? [] : [toFormationEntry(entry, entry.formationEnergyPerAtom)],
  );
  const symbols = [...new Set([...known, ...others].flatMap((entry) => Object.keys(entry.composition)))];
  // Real entries come first: where one lies at exactly 0 it, and not the bare reference, is the phase.
  const corners = symbols.map(
    (symbol): FormationEntry => ({
      id: `reference:${symbol}`,
      structId: REFERENCE_ELEMENT,
      formula: symbol,
      composition: { [symbol]: 1 },
      energy: 0,
    }),
  );
  const hull = known.length > 0 ? buildHull([...known, ...others, ...corners]) : null;
  return {
    entries: own.map((entry, index) => {
      const energy = energies[index] ?? null;
      if (hull === null || energy === null)
        return { ...entry, formationEnergyPerAtom: null, energyAboveHull: null, decomposition: null };
      return {
        ...entry,
        formationEnergyPerAtom: energy,
        energyAboveHull: asFigure(energyAboveHull(hull, toFormationEntry(entry, energy))),
        decomposition: decomposition(hull, entry.fractions).map((part) => ({
          structId: part.entry.structId,
          formula: part.entry.formula,
          fraction: part.atomicFraction,
        })),
      };
    }),
  };
}
