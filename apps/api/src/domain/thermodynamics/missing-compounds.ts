/** Rows of missing compounds as phases, alone and by chemical system. Pure. */
import { displayFormula, parseFormula, reducedComposition } from '@unitcell/crystal';
import {
  MAX_SYSTEM_ELEMENTS,
  type MissingPhase,
  simplestFirst,
  subsystems,
} from '@unitcell/phase-equilibria';
import type { MissingCompoundRow } from './completeness.repository.ts';

/** What is missing of each chemical system, without what is missing of the systems inside it. */
export interface Gaps {
  of(chemicalSystem: string): readonly MissingPhase[];
}

function toPhase({ formulaReduced, isMarginal, energy, lowest }: MissingCompoundRow): MissingPhase {
  // Stored formulas of peroxides hold two formula units (Li2O2).
  const composition = reducedComposition(parseFormula(formulaReduced));
  return {
    composition,
    isMarginal,
    formationEnergyPerAtom: energy,
    formula: displayFormula(composition),
    heldAbove: lowest === null || energy === null ? null : lowest - energy,
  };
}

/** Simplest first. */
export const toPhases = (rows: readonly MissingCompoundRow[]): readonly MissingPhase[] =>
  rows.map(toPhase).sort(simplestFirst);

/** Formulas are read when their system is asked for: a scale may lack 35,700. */
export function gapsOf(rows: readonly MissingCompoundRow[]): Gaps {
  const unread = new Map<string, MissingCompoundRow[]>();
  for (const row of rows) {
    const others = unread.get(row.chemicalSystem);
    if (others === undefined) unread.set(row.chemicalSystem, [row]);
    else others.push(row);
  }
  const read = new Map<string, readonly MissingPhase[]>();
  return {
    of(chemicalSystem) {
      const known = read.get(chemicalSystem);
      if (known !== undefined) return known;
      const missing = unread.get(chemicalSystem);
      if (missing === undefined) return NOTHING;
      const phases = missing.map(toPhase);
      read.set(chemicalSystem, phases);
      return phases;
    },
  };
}

const NOTHING: readonly MissingPhase[] = [];

/** What is missing of a system and of all inside it, simplest first; of the first twelve elements of larger ones. */
export const missingIn = (gaps: Gaps, elements: readonly string[]): readonly MissingPhase[] =>
  subsystems(elements.slice(0, MAX_SYSTEM_ELEMENTS))
    .flatMap((system) => gaps.of(system))
    .sort(simplestFirst);
