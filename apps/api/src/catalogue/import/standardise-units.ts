/** Converts source units to standard materials, or states why they are refused. Pure; runs in worker threads. */
import { draftsOfUnit, type SourceUnit } from './draft/drafts-of-unit.ts';
import { RefusedUnit } from './draft/refused-unit.ts';
import type { StatedOrigin } from './draft/stated-origin.ts';
import { type StandardMaterial, standardise } from '../standardise.ts';

export interface UnitOutcome {
  readonly label: string;
  readonly materials: readonly StandardMaterial[];
  /** Reasons why materials of the unit were refused. */
  readonly refusals: readonly string[];
}

const reasonOf = (error: unknown): string =>
  error instanceof RefusedUnit ? error.message : `could not be analysed (${(error as Error).message})`;

function outcomeOf(unit: SourceUnit, origin: StatedOrigin): UnitOutcome {
  const materials: StandardMaterial[] = [];
  const refusals: string[] = [];
  try {
    const read = draftsOfUnit(unit, origin);
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

export interface StandardiseRequest {
  readonly units: readonly SourceUnit[];
  readonly origin: StatedOrigin;
}

export const standardiseUnits = ({ units, origin }: StandardiseRequest): UnitOutcome[] =>
  units.map((unit) => outcomeOf(unit, origin));
