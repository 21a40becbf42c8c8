/** Converts source units to standard materials, or states why they are refused. Pure; runs in worker threads. */
import { draftsOfUnit, type SourceUnit } from './draft/drafts-of-unit.ts';
import { RefusedUnit } from './draft/refused-unit.ts';
import type { StatedOrigin } from './draft/stated-origin.ts';
import { contentHashOf, type StandardMaterial, standardise } from '../standardise.ts';

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

/**
 * Names a row of a file by its source id; null in formats without source ids (CIF). A row without energies is
 * also named by its kinds of results, because a crystal's bands and density of states may be separate rows.
 */
export function rowNameOf({
  sourceName,
  sourceId,
  energies,
  properties,
}: Pick<StandardMaterial, 'sourceName' | 'sourceId' | 'energies' | 'properties'>): string | null {
  if (sourceId === '' || sourceName === 'CIF') return null;
  const results = [properties.bands, properties.dos, properties.phonons].map(({ length }) => length > 0);
  return `${sourceName} ${sourceId}${energies.length > 0 ? '' : ` ${results.join()}`}`;
}

/** A named row and the hash of its content. */
export interface NamedRow {
  readonly name: string;
  readonly hash: Uint8Array;
}

function rowsOfUnit(unit: SourceUnit, origin: StatedOrigin): NamedRow[] {
  try {
    return draftsOfUnit(unit, origin).drafts.flatMap((draft) => {
      const name = rowNameOf({ ...draft, ...draft.given });
      return name === null ? [] : [{ name, hash: contentHashOf(draft) }];
    });
  } catch {
    // The unit was already refused when it was standardised.
    return [];
  }
}

/** The named rows of units. Cells are not standardised, because that takes most of the time of an import. */
export const namedRows = ({ units, origin }: StandardiseRequest): NamedRow[] =>
  units.flatMap((unit) => rowsOfUnit(unit, origin));
