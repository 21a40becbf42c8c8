/** What the catalogue lacks, for operators: of one chemical system, and in sum. */
import {
  DEEPEST_WITHIN,
  MAX_SYSTEM_ELEMENTS,
  type MissingPhase,
  subsystems,
} from '@unitcell/phase-equilibria';
import type { CompletenessRepository } from './completeness.repository.ts';
import { gapsOf, missingIn, toPhases } from './missing-compounds.ts';

/** Systems and compounds named. */
const NAMED = 5;

export interface GapReport {
  readonly functional: string;
  /** Chemical systems that hold compounds on this scale. */
  readonly systems: number;
  readonly incomplete: number;
  /** Those that lack most. */
  readonly worst: readonly { readonly system: string; readonly missing: number }[];
  /** The compounds that most systems lack. */
  readonly wanted: readonly { readonly formula: string; readonly systems: number }[];
}

/** Simplest first; null when no list is held for the scale or the elements are too many. */
export async function missingOfSystem(
  repository: CompletenessRepository,
  functional: string,
  elements: readonly string[],
): Promise<readonly MissingPhase[] | null> {
  if (elements.length > MAX_SYSTEM_ELEMENTS || (await repository.source(functional)) === null) return null;
  return toPhases(await repository.missing(functional, subsystems(elements), DEEPEST_WITHIN));
}

/** Null when no list is held for the scale. */
export async function gapReport(
  repository: CompletenessRepository,
  functional: string,
): Promise<GapReport | null> {
  if ((await repository.source(functional)) === null) return null;
  const gaps = gapsOf(await repository.missing(functional, null, DEEPEST_WITHIN));
  const systems = await repository.systems(functional);
  const worst: { system: string; missing: number }[] = [];
  const wanted = new Map<string, number>();
  for (const system of systems) {
    const missing = missingIn(gaps, system.split('-'));
    if (missing.length > 0) worst.push({ system, missing: missing.length });
    for (const { formula } of missing) wanted.set(formula, (wanted.get(formula) ?? 0) + 1);
  }
  return {
    functional,
    systems: systems.length,
    incomplete: worst.length,
    worst: worst.sort((one, other) => other.missing - one.missing).slice(0, NAMED),
    wanted: [...wanted]
      .map(([formula, count]) => ({ formula, systems: count }))
      .sort((one, other) => other.systems - one.systems)
      .slice(0, NAMED),
  };
}
