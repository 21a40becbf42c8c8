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
export type Gaps = ReadonlyMap<string, readonly MissingPhase[]>;

function toPhase({ formulaReduced, isMarginal }: MissingCompoundRow): MissingPhase {
  // Stored formulas of peroxides hold two formula units (Li2O2).
  const composition = reducedComposition(parseFormula(formulaReduced));
  return { composition, isMarginal, formula: displayFormula(composition) };
}

/** Simplest first. */
export const toPhases = (rows: readonly MissingCompoundRow[]): readonly MissingPhase[] =>
  rows.map(toPhase).sort(simplestFirst);

export function gapsOf(rows: readonly MissingCompoundRow[]): Gaps {
  const gaps = new Map<string, MissingPhase[]>();
  for (const row of rows) {
    const known = gaps.get(row.chemicalSystem);
    if (known === undefined) gaps.set(row.chemicalSystem, [toPhase(row)]);
    else known.push(toPhase(row));
  }
  return gaps;
}

/** What is missing of a system and of all inside it, simplest first; of the first twelve elements of larger ones. */
export const missingIn = (gaps: Gaps, elements: readonly string[]): readonly MissingPhase[] =>
  subsystems(elements.slice(0, MAX_SYSTEM_ELEMENTS))
    .flatMap((system) => gaps.get(system) ?? [])
    .sort(simplestFirst);
