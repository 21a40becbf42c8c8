/**
 * Code shared by the three window searches (spec §2.10; decisions "Searching", "ecwindow"): the advanced
 * options and the SQL statement. Rows are arrays in the order of the contract.
 */
import {
  WINDOW_FILTER_RANGES,
  type WindowFilterName,
  type WindowRow,
  type WindowSearchRequest,
} from '@unitcell/contract/ecwindow';
import { MAX_SEARCH_ROWS } from '@unitcell/contract/matdata';
import type { EnergyScale, ListCompleteness } from '@unitcell/contract/phase-diagram';
import { sql } from 'kysely';
import { readElements, readIon, wordsOf } from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { elementsOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import type { Db } from '../../infra/database.ts';
import { anyOf, columnsOf, currentStructId } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

/** Parses the advanced options of a window search (spec §2.10; decisions "ecwindow"). */
interface ValueRange {
  readonly min: number;
  readonly max: number;
}

interface WindowFilters {
  readonly workingIons: readonly string[];
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  /** The ranges of sliders that were moved. */
  readonly ranges: Readonly<Partial<Record<WindowFilterName, ValueRange>>>;
}

/** @throws AppError ecwindow.unknown-ion */
export function readWorkingIons(text: string | null | undefined): string[] {
  const ions = [...new Set(wordsOf(text))];
  return ions.length > 0 ? ions.map(readIon) : [readIon('')];
}

/** Returns null if the value filters nothing: empty, 0, or the whole range of the slider. */
function readRange(field: WindowFilterName, given: WindowSearchRequest[WindowFilterName]): ValueRange | null {
  if (given === undefined || given === null || given === 0) return null;
  const parts = Array.isArray(given)
    ? given.map((value) => String(value).trim())
    : String(given)
        .replace(/[[\]\s]/g, '')
        .split(',');
  if (parts.every((part) => part === '')) return null;
  const [min = Number.NaN, max = Number.NaN, ...rest] = parts.map((part) =>
    part === '' ? Number.NaN : Number(part),
  );
  if (!(min <= max) || rest.length > 0)
    throw new AppError('ecwindow.bad-range', { field, text: JSON.stringify(given).slice(0, 60) });
  const whole = WINDOW_FILTER_RANGES[field];
  return min === whole.min && max === whole.max ? null : { min, max };
}

/** @throws AppError ecwindow.unknown-ion, ecwindow.bad-range, search.unknown-elements */
export function readWindowFilters(request: Omit<WindowSearchRequest, 'include'>): WindowFilters {
  const fields = Object.keys(WINDOW_FILTER_RANGES) as WindowFilterName[];
  return {
    workingIons: readWorkingIons(request.collapse_work_ion),
    included: readElements(request.collapse_included_elements),
    excluded: readElements(request.collapse_excluded_elements),
    ranges: Object.fromEntries(
      fields.flatMap((field) => {
        const range = readRange(field, request[field]);
        return range === null ? [] : [[field, range]];
      }),
    ),
  };
}

/** Whether any option besides the search box narrows the search. */
export const isNarrowed = ({ included, excluded, ranges }: WindowFilters): boolean =>
  included.length > 0 || excluded.length > 0 || Object.keys(ranges).length > 0;

interface WindowRows {
  readonly rows: readonly WindowRow[];
  /** Total number of matches. */
  readonly count: number;
}

/** The parsed content of the search box. */
type WindowSubject =
  | { readonly kind: 'exactly' | 'at-least'; readonly elements: readonly string[] }
  | { readonly kind: 'formula'; readonly formulaReduced: string }
  | { readonly kind: 'id'; readonly structId: number }
  | { readonly kind: 'all' };

const FILTERED_COLUMNS = [
  ['collapse_Reduction', 'made.reduction_onset'],
  ['collapse_Oxidation', 'made.oxidation_onset'],
  ['collapse_ehull', 'energy.energy_above_hull'],
  ['collapse_bandgap', 'band_gap'],
] as const satisfies readonly (readonly [WindowFilterName, string])[];

const material = columnsOf('material');

/** Query for the matching windows. A missing value is in no range. */
function matches(db: Db, functional: string, subject: WindowSubject, filters: WindowFilters) {
  const { included, excluded, workingIons } = filters;
  const sought = subject.kind === 'at-least' ? [...subject.elements, ...included] : included;
  let query = db
    .selectFrom('electrochemical_window as made')
    .innerJoin('material', 'material.struct_id', 'made.struct_id')
    .innerJoin('material_energy as energy', 'energy.struct_id', 'material.struct_id')
    .where('made.functional', '=', functional)
    .whereRef('energy.functional', '=', 'made.functional')
    .where('made.working_ion', '=', anyOf(workingIons, 'text'));
  if (subject.kind === 'exactly')
    query = query.where('material.chemical_system', '=', subject.elements.join('-'));
  if (subject.kind === 'formula') query = query.where('formula_reduced', '=', subject.formulaReduced);
  if (subject.kind === 'id')
    query = query.where('material.struct_id', '=', currentStructId(subject.structId));
  if (sought.length > 0) query = query.where(sql<boolean>`${material('elements')} @> ${sought}::text[]`);
  if (excluded.length > 0)
    query = query.where(sql<boolean>`NOT ${material('elements')} && ${excluded}::text[]`);
  for (const [name, column] of FILTERED_COLUMNS) {
    const range = filters.ranges[name];
    if (range) query = query.where((is) => is.between(column, range.min, range.max));
  }
  return query;
}

/** The chemical system asked for: without a result, its missing compounds may be the reason. */
function askedSystems(subject: WindowSubject): readonly (readonly string[])[] {
  if (subject.kind === 'exactly') return [subject.elements];
  return subject.kind === 'formula' ? [elementsOfFormula(subject.formulaReduced)] : [];
}

export type FoundWindows = WindowRows & {
  readonly scale: EnergyScale;
  readonly completeness: ListCompleteness;
};

export function windowSearch({
  database: { readDb },
  phaseEntries,
  completeness,
}: Pick<Services, 'database' | 'phaseEntries' | 'completeness'>) {
  async function rowsOf(
    functional: string,
    subject: WindowSubject,
    filters: WindowFilters,
  ): Promise<WindowRows> {
    const query = matches(readDb, functional, subject, filters);
    const found = await query
      .select(['material.struct_id', 'formula', 'made.reduction_onset', 'made.oxidation_onset'])
      .select(['made.working_ion', 'energy.energy_above_hull', 'band_gap', 'nsites', 'space_group'])
      .select(['crystal_system', 'point_group', 'hall'])
      .orderBy('energy.energy_above_hull')
      .orderBy('material.struct_id')
      .orderBy('made.working_ion')
      // One row more than the limit shows whether the matches must be counted.
      .limit(MAX_SEARCH_ROWS + 1)
      .execute();
    const rows = found
      .slice(0, MAX_SEARCH_ROWS)
      .map(
        (row): WindowRow => [
          row.struct_id,
          row.formula,
          row.reduction_onset,
          row.oxidation_onset,
          row.working_ion,
          row.energy_above_hull,
          row.band_gap,
          row.nsites,
          row.space_group,
          row.crystal_system,
          row.point_group,
          row.hall,
        ],
      );
    if (found.length <= MAX_SEARCH_ROWS) return { rows, count: rows.length };
    const { count } = await query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
    return { rows, count };
  }

  async function hasWindows(functional: string, workingIons: readonly string[]): Promise<boolean> {
    const found = await readDb
      .selectFrom('electrochemical_window')
      .select('struct_id')
      .where('functional', '=', functional)
      .where('working_ion', '=', anyOf(workingIons, 'text'))
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  /** @throws AppError ecwindow.no-ion, phase.unknown-scale */
  return async function find(
    subject: WindowSubject,
    filters: WindowFilters,
    requested: string | undefined,
  ): Promise<FoundWindows> {
    const scale = await phaseEntries.scale(requested);
    const { functional } = scale;
    const found = await rowsOf(functional, subject, filters);
    if (found.count === 0 && !(await hasWindows(functional, filters.workingIons)))
      throw new AppError('ecwindow.no-ion', { ion: filters.workingIons.join(', '), functional });
    const systems =
      found.count === 0
        ? askedSystems(subject)
        : found.rows.map(([, formula, , , ion]) => [...elementsOfFormula(formula), ion]);
    return { ...found, scale, completeness: await completeness.ofEach(functional, systems) };
  };
}
