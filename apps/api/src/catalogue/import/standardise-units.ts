/** Source units → materials ready to be stored, or the reason why not. Pure; runs in worker threads. */
import { draftsOfUnit, type SourceUnit } from './draft/drafts-of-unit.ts';
import { RefusedUnit } from './draft/refused-unit.ts';
import { type StandardMaterial, standardise } from '../standardise.ts';

export interface UnitOutcome {
  readonly label: string;
  readonly materials: readonly StandardMaterial[];
  /** Why a material of the unit was refused. */
  readonly refusals: readonly string[];
}

const reasonOf = (error: unknown): string =>
  error instanceof RefusedUnit ? error.message : `could not be analysed (${(error as Error).message})`;

function outcomeOf(unit: SourceUnit): UnitOutcome {
  const materials: StandardMaterial[] = [];
  const refusals: string[] = [];
  try {
    const read = draftsOfUnit(unit);
    refusals.push(...read.refusals);
    for (const draft of read.drafts) {
      try {
        materials.push(standardise(draft));
      } catch (error) {
        refusals.push(reasonOf(error));
      }
    }
  } catch (error) {
    refusals.push(reasonOf(error));
  }
  return { label: unit.label, materials, refusals };
}

export const standardiseUnits = (units: readonly SourceUnit[]): UnitOutcome[] => units.map(outcomeOf);
