/**
 * The known phases that a set of entries lacks, found in memory; in the product the database does this
 * search.
 */
import { type Composition, displayFormula, reducedComposition } from '@unitcell/crystal';
import {
  DEEPEST_WITHIN,
  type KnownPhases,
  type MissingPhase,
  simplestFirst,
  subsystems,
} from '../missing-phases.ts';

/** An available entry. */
interface PresentPhase {
  /** Composition, in any multiple of the reduced formula. */
  readonly composition: Composition;
  /** eV/atom; if absent, any form is accepted. */
  readonly formationEnergyPerAtom?: number;
}

/** A key that is equal for equal reduced compositions. */
const keyOf = (composition: Composition): string => {
  const reduced = reducedComposition(composition);
  return Object.keys(reduced)
    .filter((element) => reduced[element] > 0)
    .sort()
    .map((element) => `${element}${reduced[element]}`)
    .join(' ');
};

/**
 * The known phases of a chemical system and its subsystems that are missing from the entries, or present only
 * in a form more than `DEEPEST_WITHIN` above the most stable one; simplest first (fewest elements, then
 * fewest atoms per formula unit). An empty result means complete, as far as is known.
 */
export function missingPhases(
  known: KnownPhases,
  elements: readonly string[],
  present: Iterable<PresentPhase>,
): readonly MissingPhase[] {
  const sorted = [...new Set(elements)].sort();
  const lowest = new Map<string, number>();
  for (const { composition, formationEnergyPerAtom = Number.NEGATIVE_INFINITY } of present) {
    if (Object.keys(composition).some((element) => composition[element] > 0 && !sorted.includes(element)))
      continue;
    const key = keyOf(composition);
    lowest.set(key, Math.min(lowest.get(key) ?? Number.POSITIVE_INFINITY, formationEnergyPerAtom));
  }
  return subsystems(sorted)
    .flatMap((system) => known.get(system) ?? [])
    .flatMap((phase) => {
      const held = lowest.get(keyOf(phase.composition));
      const heldAbove =
        held === undefined ? null : held - (phase.formationEnergyPerAtom ?? Number.POSITIVE_INFINITY);
      if (heldAbove !== null && !(heldAbove > DEEPEST_WITHIN)) return [];
      return [{ ...phase, formula: displayFormula(phase.composition), heldAbove }];
    })
    .sort(simplestFirst);
}
