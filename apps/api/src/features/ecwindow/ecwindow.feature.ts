/** Electrochemical windows: search in the derived table, and one window in full. */
import { parseStructId, type EnergyScale, type ListCompleteness } from '@unitcell/contract/common';
import {
  getEcwDetail,
  searchWindowsByElements,
  searchWindowsByFormula,
  searchWindowsById,
  type WindowDetail,
  WINDOW_FILTER_RANGES,
  type WindowFilterName,
  type WindowRow,
  type WindowSearchRequest,
} from '@unitcell/contract/ecwindow';
import { MAX_SEARCH_ROWS } from '@unitcell/contract/matdata';
import type { Completeness } from '@unitcell/contract/phase-diagram';
import { reducedFormula } from '@unitcell/crystal';
import type { FastifyInstance } from 'fastify';
import {
  boundedText,
  canonicalFormula,
  DEFAULT_FORMULA,
  parseElementQuery,
  readElements,
  readIon,
  wordsOf,
} from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { type OpenTo, readOpenGas, readPhaseTemperature } from '../../domain/thermodynamics/open-gas.ts';
import { elementsOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import type { Target } from '../../domain/thermodynamics/phase-hull.ts';
import { readReactantFormula } from '../../domain/thermodynamics/reactants.ts';
import { done, RawJson, serveCall } from '../../http/serve-call.ts';
import type { Caller } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Translate } from '../../messages/messages.ts';
import type * as ecwindowThread from './ecwindow.thread.ts';
import type { WindowOfMaterial, WindowRequest } from './ecwindow.thread.ts';
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { anyOf, columnsOf, currentStructId } from '../../infra/sql.ts';

// ── One electrochemical window in full, calculated from the stable phases around the material ──

const CACHED_WINDOWS = 500;

/**
 * A missing phase can only narrow the window of a stable compound or make it unstable. The limits of a
 * compound above the hull are those of its decomposition products and may move either way.
 */
const boundsOf = ({ e_above_hull, oxidation_onset }: WindowOfMaterial): Completeness['bounds'] => ({
  e_above_hull: 'lower',
  ...(e_above_hull > 0 ? {} : { reduction_onset: 'lower' }),
  ...(e_above_hull > 0 || oxidation_onset === null ? {} : { oxidation_onset: 'upper' }),
});

/**
 * Up to 10,000 rows are written as JSON directly, without validation by the schema. A test compares them with
 * the contract.
 */
function toJson(
  { rows, count, scale, completeness }: FoundWindows,
  t: Translate,
  extra: { formula?: string } = {},
): RawJson {
  const message = count > rows.length ? t('search.truncated', { count, limit: MAX_SEARCH_ROWS }) : '';
  return new RawJson(
    JSON.stringify({ error: 'false', message, ...extra, len: count, results: rows, completeness, ...scale }),
  );
}

export function ecwindowFeature(app: FastifyInstance, services: Services): void {
  const { phaseEntries: entries, completeness, scaleAccuracy, threads, catalogueCaches } = services;
  const handle = threads.open<typeof ecwindowThread>(new URL('./ecwindow.thread.ts', import.meta.url));
  const windows = catalogueCaches.create<WindowDetail>(CACHED_WINDOWS);
  const find = windowSearch(services);

  /** @throws AppError material.not-found, ecwindow.no-energy */
  async function targetOf(typedId: string | number, functional: string): Promise<Target> {
    const typed = parseStructId(typedId);
    const material = typed === null ? null : await entries.material(functional, typed);
    if (material === null) throw new AppError('material.not-found', { id: String(typedId).slice(0, 20) });
    const { structId, formulaReduced, formationEnergyPerAtom, spaceGroup } = material;
    if (formationEnergyPerAtom === null)
      throw new AppError('ecwindow.no-energy', { id: structId, functional });
    return { structId, formulaReduced, formationEnergyPerAtom, spaceGroup };
  }

  /** A compound of the user's own. @throws AppError ecwindow.no-material, interface.bad-reactant */
  function ownTarget(compound: string | undefined, energy: number | undefined): Target {
    if (compound === undefined || energy === undefined) throw new AppError('ecwindow.no-material');
    const formulaReduced = readReactantFormula(compound);
    return { structId: null, formulaReduced, formationEnergyPerAtom: energy, spaceGroup: '' };
  }

  async function make(
    target: Target,
    workingIon: string,
    scale: EnergyScale,
    caller: Caller,
    reservoir?: OpenTo,
    temperature?: number,
  ) {
    const { functional } = scale;
    const { formulaReduced } = target;
    const own = elementsOfFormula(formulaReduced);
    const open = Object.keys(reservoir?.potentials ?? {});
    if (reservoir && own.every((element) => element === workingIon || open.includes(element)))
      throw new AppError('ecwindow.nothing-left', {
        id: target.structId ?? formulaReduced,
        elements: [workingIon, ...open].join(', '),
      });
    const elements = [...new Set([...own, workingIon, ...open])];
    const request: WindowRequest = {
      target,
      workingIon,
      elements,
      phases: await entries.phasesAt(functional, elements, temperature),
      ...(reservoir ? { reservoir } : {}),
      ...(temperature === undefined
        ? {}
        : { at: { temperature, deviations: await scaleAccuracy.deviationsOf(functional) } }),
    };
    const window = await handle.run('windowOfMaterial', request, caller);
    const references = await entries.elementalEnergies(functional, [workingIon]);
    return {
      ...done,
      ...window,
      ref_miu: references.get(workingIon) ?? 0,
      ...(reservoir ? { reservoir } : {}),
      completeness: await completeness.of(functional, elements, (missing) =>
        // A more stable form of the same material may move the limits either way.
        missing.some(({ composition }) => reducedFormula(composition) === formulaReduced)
          ? {}
          : boundsOf(window),
      ),
      ...scale,
    } as const;
  }

  // An empty search box lists everything that fulfils the advanced options.
  serveCall(app, searchWindowsByElements, async ({ body, t }) => {
    const filters = readWindowFilters(body);
    const text = boundedText(body.include);
    if (text === '' && isNarrowed(filters))
      return toJson(await find({ kind: 'all' }, filters, body.functional), t);
    const { elements, isWildcard } = parseElementQuery(text);
    const kind = isWildcard ? 'at-least' : 'exactly';
    return toJson(await find({ kind, elements }, filters, body.functional), t);
  });

  serveCall(app, searchWindowsByFormula, async ({ body, t }) => {
    const { reduced: formulaReduced, shown } = canonicalFormula(boundedText(body.include) || DEFAULT_FORMULA);
    const filters = readWindowFilters(body);
    const found = await find({ kind: 'formula', formulaReduced }, filters, body.functional);
    return toJson(found, t, { formula: shown });
  });

  serveCall(app, searchWindowsById, async ({ body, t }) => {
    const text = boundedText(String(body.include));
    if (!/^\d+$/.test(text)) throw new AppError('search.bad-struct-id', { text: text.slice(0, 40) || '""' });
    // An id that is too large belongs to no material.
    const structId = parseStructId(text) ?? -1;
    return toJson(await find({ kind: 'id', structId }, readWindowFilters(body), body.functional), t);
  });

  serveCall(app, getEcwDetail, async ({ body, caller }) => {
    const { struct_id, compound, compound_energy, reservoir } = body;
    const [ion = '', ...others] = readWorkingIons(body.work_ion);
    if (others.length > 0)
      throw new AppError('ecwindow.unknown-ion', { text: [ion, ...others].join('-'), known: ion });
    const scale = await entries.scale(body.functional);
    const { functional } = scale;
    const temperature = readPhaseTemperature(body.temperature, reservoir);
    const gas = reservoir && readOpenGas(reservoir, functional, temperature);
    if (struct_id === undefined)
      return make(ownTarget(compound, compound_energy), ion, scale, caller, gas, temperature);
    const key = [Number(struct_id), ion, functional, temperature ?? '', gas ? JSON.stringify(gas) : ''];
    return windows.remember(key.join(' '), async () =>
      make(await targetOf(struct_id, functional), ion, scale, caller, gas, temperature),
    );
  });
}

/*
 * Code shared by the three window searches (spec §2.10; decisions "Searching", "ecwindow"): the advanced
 * options and the SQL statement. Rows are arrays in the order of the contract.
 */

interface ValueRange {
  readonly min: number;
  /** Null at the end of the slider: no maximum. */
  readonly max: number | null;
}

interface WindowFilters {
  readonly workingIons: readonly string[];
  readonly included: readonly string[];
  readonly excluded: readonly string[];
  /** The ranges of sliders that were moved. */
  readonly ranges: Readonly<Partial<Record<WindowFilterName, ValueRange>>>;
}

/** @throws AppError ecwindow.unknown-ion */
function readWorkingIons(text: string | null | undefined): string[] {
  const ions = [...new Set(wordsOf(text))];
  return ions.length > 0 ? ions.map(readIon) : [readIon('')];
}

/** Returns null if the value filters nothing: empty, 0, or the whole range of the slider. */
function readRange(field: WindowFilterName, given: WindowSearchRequest[WindowFilterName]): ValueRange | null {
  if (given === undefined || given === null || String(given).trim() === '0') return null;
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
  if (max !== whole.max) return { min, max };
  return min === whole.min ? null : { min, max: null };
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
const isNarrowed = ({ included, excluded, ranges }: WindowFilters): boolean =>
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

/** Query for the matching windows. A missing value is in no range, but a window without an end has no maximum. */
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
    if (!range) continue;
    const { min, max } = range;
    query = query.where((is) => {
      if (max !== null) return is.between(column, min, max);
      const isHigh = is(column, '>=', min);
      return name === 'collapse_Oxidation' ? is.or([isHigh, is(column, 'is', null)]) : isHigh;
    });
  }
  return query;
}

/** The chemical systems asked for. If nothing is found, the reason may be compounds missing from them. */
function askedSystems(subject: WindowSubject): readonly (readonly string[])[] {
  if (subject.kind === 'exactly') return [subject.elements];
  return subject.kind === 'formula' ? [elementsOfFormula(subject.formulaReduced)] : [];
}

type FoundWindows = WindowRows & {
  readonly scale: EnergyScale;
  readonly completeness: ListCompleteness;
};

function windowSearch({
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
