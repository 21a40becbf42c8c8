/** One unit of a source (a JSON text or a CIF file) → the materials in it, and what was refused. */
import { CrystalError, readCif } from '@unitcell/crystal';
import { type MaterialDraft, NO_PROPERTIES, NOTHING_GIVEN } from '@unitcell/material';
import { type ImportMap, lineFromMap } from '../map/import-map.ts';
import { presetFor } from '../presets/presets.ts';
import { draftFromComputedEntry, isComputedEntry } from './draft-from-computed-entry.ts';
import { draftFromImportLine } from './draft-from-import-line.ts';
import { draftFromOptimade, isHeader, isOptimade } from './draft-from-optimade.ts';
import { RefusedUnit } from './refused-unit.ts';
import { type StatedOrigin, withStatedOrigin } from './stated-origin.ts';

export interface SourceUnit {
  /** Where it is: `file.jsonl:17` or a file name. */
  readonly label: string;
  readonly format: 'json' | 'cif';
  readonly text: string;
}

export interface UnitDrafts {
  readonly drafts: readonly MaterialDraft[];
  /** Why parts of the unit (data blocks of a CIF) were refused. */
  readonly refusals: readonly string[];
}

/** Characters one unit may have. The largest honest line (300 atoms with bands) is a tenth of this. */
export const MAX_UNIT_LENGTH = 20_000_000;

function draftsOfJson(text: string, given: ImportMap | undefined): MaterialDraft[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const hint = /\bNaN\b|\bInfinity\b/.test(text)
      ? ' (JSON has no NaN or Infinity: leave such values out)'
      : '';
    throw new RefusedUnit(`not valid JSON: ${(error as Error).message.slice(0, 200)}${hint}`);
  }
  if (given === undefined && isHeader(json)) return [];
  const map = given ?? presetFor(json);
  if (map) return [draftFromImportLine(lineFromMap(json, map))];
  if (isOptimade(json)) return [draftFromOptimade(json)];
  if (isComputedEntry(json)) return [draftFromComputedEntry(json)];
  return [draftFromImportLine(json)];
}

function draftsOfCif(label: string, text: string): UnitDrafts {
  const { structures, refused } = readCif(text);
  const drafts = structures.map(
    ({ structure, name }): MaterialDraft => ({
      structId: null,
      structure,
      energies: [],
      given: { ...NOTHING_GIVEN, sourceName: 'CIF', sourceId: name || label },
      provenance: { file: label },
      properties: NO_PROPERTIES,
    }),
  );
  return { drafts, refusals: refused.map(({ name, error }) => `data block ${name}: ${error.message}`) };
}

/** @throws RefusedUnit when nothing of the unit can be read */
export function draftsOfUnit(unit: SourceUnit, origin: StatedOrigin = {}): UnitDrafts {
  const { drafts, refusals } = readUnit(unit, origin.map);
  return { drafts: drafts.map((draft) => withStatedOrigin(draft, origin)), refusals };
}

function readUnit({ label, format, text }: SourceUnit, map: ImportMap | undefined): UnitDrafts {
  if (text.length > MAX_UNIT_LENGTH)
    throw new RefusedUnit(`${text.length} characters: at most ${MAX_UNIT_LENGTH} are read as one material`);
  try {
    return format === 'cif' ? draftsOfCif(label, text) : { drafts: draftsOfJson(text, map), refusals: [] };
  } catch (error) {
    if (error instanceof CrystalError || error instanceof RangeError) throw new RefusedUnit(error.message);
    throw error;
  }
}
