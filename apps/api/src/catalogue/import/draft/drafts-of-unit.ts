/** Reads one unit of a source (a JSON text or a CIF file): its materials and the reasons of refusals. */
import { CalculatorError, readFinishedRun } from '@unitcell/calculators';
import {
  atomCount,
  compositionOf,
  CrystalError,
  type PymatgenStructure,
  readCif,
  type Structure,
  toPymatgenDict,
} from '@unitcell/crystal';
import { isPymatgenPhonons } from '@unitcell/potential';
import { linesOf, type MaterialDraft, NO_PROPERTIES, NOTHING_GIVEN } from '@unitcell/material';
import type { ImportMap } from '../map/import-map-schema.ts';
import { lineFromMap } from '../map/import-map.ts';
import { presetFor } from '../presets/presets.ts';
import { draftFromImportLine } from './draft-from-import-line.ts';
import { draftFromOptimade, isHeader, isOptimade } from './draft-from-optimade.ts';
import { draftFromPhonons, draftFromPymatgenPhonons } from './draft-from-phonons.ts';
import {
  draftFromComputedEntry,
  draftFromPymatgenElectrons,
  isComputedEntry,
  isPymatgenElectrons,
} from './draft-from-pymatgen.ts';
import { RefusedUnit } from './refused-unit.ts';
import { type StatedOrigin, unnamedScaleOf, withStatedOrigin } from './stated-origin.ts';

export interface SourceUnit {
  /** Location for messages: `file.jsonl:17` or a file name. */
  readonly label: string;
  readonly format: 'json' | 'cif' | 'run' | 'phonons';
  /** For phonons: a JSON object of the names and texts of the files of a calculation. */
  readonly text: string;
  /** The row of the property table for this unit (`--properties`). */
  readonly row?: Row;
}

interface UnitDrafts {
  readonly drafts: readonly MaterialDraft[];
  /** Reasons why parts of the unit, such as CIF data blocks, were refused. */
  readonly refusals: readonly string[];
}

/** Largest unit in characters, ten times the largest realistic line (300 atoms with bands). */
export const MAX_UNIT_LENGTH = 20_000_000;

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const hint = /\bNaN\b|\bInfinity\b/.test(text)
      ? ' (JSON has no NaN or Infinity: leave such values out)'
      : '';
    throw new RefusedUnit(`not valid JSON: ${(error as Error).message.slice(0, 200)}${hint}`);
  }
}

/**
 * The object to which a table row is joined: the import line, or only the line's structure if the table is a
 * separate source.
 */
function crystalOfLine(line: unknown, source: string | undefined): JoinedLine {
  const own = line as JoinedLine;
  return source === undefined
    ? own
    : { structure: own.structure, source: { name: source, id: own.source?.id ?? '', licence: '' } };
}

function draftsOfJson({ label, text, row }: SourceUnit, origin: StatedOrigin): MaterialDraft[] {
  const read = parsedJson(text);
  if (origin.map === undefined && isHeader(read)) return [];
  const json = row === undefined ? read : { ...(read as object), row };
  const map = origin.map ?? presetFor(json);
  if (map) return [draftFromImportLine(lineFromMap(json, map))];
  if (isOptimade(json)) return [draftFromOptimade(json)];
  if (isPymatgenPhonons(json)) return [draftFromPymatgenPhonons(label, json, origin)];
  if (isPymatgenElectrons(json)) return [draftFromPymatgenElectrons(json, origin.scale)];
  if (isComputedEntry(json)) return [draftFromComputedEntry(json, origin.scale)];
  return [
    draftFromImportLine(row === undefined ? read : lineWithRow(crystalOfLine(read, origin.source), row)),
  ];
}

function draftOfCrystal(
  structure: Structure,
  id: string,
  { label, row }: SourceUnit,
  map: ImportMap | undefined,
): MaterialDraft {
  if (row === undefined)
    return {
      structId: null,
      structure,
      energies: [],
      given: { ...NOTHING_GIVEN, sourceName: 'CIF', sourceId: id },
      provenance: { file: label },
      properties: NO_PROPERTIES,
    };
  const crystal = toPymatgenDict(structure);
  const document = documentOf(crystal, label, row);
  const chosen = map ?? presetFor(document);
  const line = chosen
    ? lineFromMap(document, chosen)
    : lineWithRow(
        { structure: crystal, source: { name: 'CIF', id, licence: '' }, provenance: { file: label } },
        row,
      );
  return draftFromImportLine(line);
}

function draftsOfCif(unit: SourceUnit, map: ImportMap | undefined): UnitDrafts {
  const { structures, refused } = readCif(unit.text);
  return {
    drafts: structures.map(({ structure, name }) => draftOfCrystal(structure, name || unit.label, unit, map)),
    refusals: refused.map(({ name, error }) => `data block ${name}: ${error.message}`),
  };
}

/** @throws RefusedUnit when no material of the unit can be read */
export function draftsOfUnit(unit: SourceUnit, origin: StatedOrigin = {}): UnitDrafts {
  const { drafts, refusals } = readUnit(unit, origin);
  return { drafts: drafts.map((draft) => withStatedOrigin(draft, origin)), refusals };
}

function readUnit(unit: SourceUnit, origin: StatedOrigin): UnitDrafts {
  const { format, label, text } = unit;
  if (text.length > MAX_UNIT_LENGTH)
    throw new RefusedUnit(`${text.length} characters: at most ${MAX_UNIT_LENGTH} are read as one material`);
  try {
    if (format === 'cif') return draftsOfCif(unit, origin.map);
    if (format === 'phonons') return { drafts: [draftFromPhonons(label, text, origin)], refusals: [] };
    const drafts = format === 'run' ? [draftFromRun(label, text)] : draftsOfJson(unit, origin);
    return { drafts, refusals: [] };
  } catch (error) {
    if (error instanceof CrystalError || error instanceof RangeError) throw new RefusedUnit(error.message);
    throw error;
  }
}

// ── A row of a property table (CSV), joined to a crystal by its id ──

type Row = Readonly<Record<string, string>>;

/** Columns of a table that need no map: they use names and units of the import format. */
const NUMBERS = new Set<string>(['energy', 'formation_energy_per_atom', ...linesOf('number')]);
const TEXTS = new Set<string>(['functional', ...linesOf('choice')]);

/** The part of an import line to which a row is joined. */
interface JoinedLine {
  readonly structure: unknown;
  readonly source?: { readonly name?: string; readonly id?: string; readonly licence?: string };
  readonly provenance?: object;
}

/** Adds the values of the row to the line; columns with unknown names go to More Information. */
function lineWithRow(line: JoinedLine, row: Row): Readonly<Record<string, unknown>> {
  const known: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(row)) {
    if (text === '') continue;
    if (NUMBERS.has(column)) {
      const value = Number(text);
      if (!Number.isFinite(value))
        throw new RefusedUnit(`${column}: expected a number, found ${JSON.stringify(text).slice(0, 40)}`);
      known[column] = value;
    } else if (TEXTS.has(column)) known[column] = text;
    else others[column] = text;
  }
  return { ...line, ...known, provenance: { ...line.provenance, ...others } };
}

/** Combines a crystal and its row into the document that a map reads. */
const documentOf = (crystal: PymatgenStructure, file: string, row: Row): object => ({
  crystal,
  file,
  row,
});

// Converts a finished run of a first-principles program to a draft. The run states only its functional, so the
// operator must name the energy scale.

/** @throws RefusedUnit when the run failed, was cut off, or lacks required results */
function draftFromRun(label: string, text: string): MaterialDraft {
  try {
    const run = readFinishedRun(label, text);
    const { structure, hubbards, functional } = run;
    return {
      structId: null,
      structure,
      energies: [
        {
          functional: unnamedScaleOf(functional),
          energyPerAtom: run.energy / atomCount(compositionOf(structure)),
          formationEnergyPerAtom: null,
          source: { source: `computed, ${run.program}`, kind: 'calculated' },
        },
      ],
      given: {
        ...NOTHING_GIVEN,
        bandGap: run.bandGap,
        fermiEnergy: run.fermiEnergy,
        totalMagnetization: run.magnetization,
        isHubbard: Object.keys(hubbards).length > 0,
        sourceName: 'run',
        sourceId: label,
      },
      provenance: {
        engine_version: run.program,
        ...(functional === null ? {} : { functional }),
        ...(Object.keys(hubbards).length > 0 ? { hubbards } : {}),
        ...run.settings,
      },
      properties: NO_PROPERTIES,
    };
  } catch (error) {
    if (error instanceof CalculatorError) throw new RefusedUnit(error.message);
    throw error;
  }
}
