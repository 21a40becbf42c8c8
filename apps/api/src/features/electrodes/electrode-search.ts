/** Search among insertion electrodes: the conditions, the SQL statement, and the row of an answer. */
import {
  ELECTRODE_PAGE,
  type ElectrodeRow,
  type ElectrodeSearchRequest,
  type ElectrodeSort,
  searchElectrodes,
  STATE_LIMIT,
} from '@unitcell/contract/electrodes';
import { parseStructId } from '@unitcell/contract/common';
import { displayFormula, parseFormula, reducedFormula } from '@unitcell/crystal';
import type { FastifyInstance } from 'fastify';
import { type Selectable, sql } from 'kysely';
import { canonicalFormula, readElements, readIon } from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Db } from '../../infra/database.ts';
import type { DB } from '../../generated/tables/tables.ts';
import { columnsOf, currentStructId } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

/**
 * The stored notation of a host.
 * @throws AppError search.formula-start, search.bad-formula, electrodes.ion-in-framework
 */
function readFramework(text: string | undefined, ion: string): string | null {
  const typed = text?.trim() ?? '';
  if (typed === '') return null;
  const { reduced, shown } = canonicalFormula(typed);
  const { [ion]: ions = 0, ...rest } = parseFormula(reduced);
  if (ions > 0 && Object.keys(rest).length > 0)
    throw new AppError('electrodes.ion-in-framework', { formula: shown, ion, without: displayFormula(rest) });
  return reducedFormula(rest);
}

const RANGES = {
  voltage: 'electrode.average_voltage',
  capacity: 'electrode.capacity',
  volume_change: 'electrode.volume_change',
} as const satisfies Partial<Record<keyof ElectrodeSearchRequest, string>>;
type RangeName = keyof typeof RANGES;

/** @throws AppError electrodes.bad-range */
function readRange(request: ElectrodeSearchRequest, field: RangeName) {
  const [min = null, max = null] = request[field] ?? [];
  if (min !== null && max !== null && min > max)
    throw new AppError('electrodes.bad-range', { field, text: `[${min}, ${max}]` });
  return { min, max };
}

const electrode = columnsOf('electrode');

/** Electrodes with the names of both ends. */
export const electrodesWithEnds = (db: Db) =>
  db
    .selectFrom('electrode')
    .innerJoin('material as discharged', 'discharged.struct_id', 'electrode.discharged_id')
    .innerJoin('material as charged', 'charged.struct_id', 'electrode.charged_id')
    .selectAll('electrode')
    .select(['discharged.formula', 'discharged.space_group', 'charged.formula as charged_formula'])
    .select(['discharged.is_hubbard as has_u', 'charged.is_hubbard as charged_has_u']);

export type FoundElectrode = Selectable<DB['electrode']> & {
  readonly formula: string;
  readonly space_group: string;
  readonly charged_formula: string;
  readonly has_u: boolean;
  readonly charged_has_u: boolean;
};

/** Metals to which the Materials Project applies Hubbard U in oxides and fluorides. */
const U_METALS: ReadonlySet<string> = new Set(['Co', 'Cr', 'Fe', 'Mn', 'Mo', 'Ni', 'V', 'W']);

function lacksHubbard({ functional, elements, has_u, charged_has_u }: FoundElectrode): boolean {
  const isOpen = elements.some((symbol) => U_METALS.has(symbol));
  const isOxide = elements.includes('O') || elements.includes('F');
  return functional.startsWith('PBE') && isOpen && isOxide && !has_u && !charged_has_u;
}

export const rowOf = (found: FoundElectrode): ElectrodeRow => ({
  struct_id: found.discharged_id,
  formula: found.formula,
  charged_id: found.charged_id,
  charged_formula: found.charged_formula,
  ion: found.working_ion,
  framework: displayFormula(parseFormula(found.framework)),
  space_group: found.space_group,
  average_voltage: found.average_voltage,
  min_voltage: found.min_voltage,
  max_voltage: found.max_voltage,
  plateaus: found.steps.length,
  capacity: found.capacity,
  charged_capacity: found.charged_capacity,
  volume_capacity: found.volume_capacity,
  specific_energy: found.specific_energy,
  energy_density: found.energy_density,
  volume_change: found.volume_change,
  above_hull: found.above_hull,
  charged_above_hull: found.charged_above_hull,
  discharged_above_hull: found.discharged_above_hull,
  without_hubbard: lacksHubbard(found),
});

const DEFAULT_SORT: ElectrodeSort = 'specific_energy';

/** Number of electrodes by working ion. */
async function countByIon(db: Db, functional: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('electrode')
    .select(['working_ion', sql<number>`count(*)::int`.as('count')])
    .where('functional', '=', functional)
    .groupBy('working_ion')
    .execute();
  return Object.fromEntries(rows.map(({ working_ion, count }) => [working_ion, count]));
}

export function electrodeSearchRoute(
  app: FastifyInstance,
  { database: { readDb }, phaseEntries, completeness }: Services,
): void {
  serveCall(app, searchElectrodes, async ({ body }) => {
    const scale = await phaseEntries.scale(body.functional);
    const { functional } = scale;
    const ion = readIon(body.ion);
    const structId = body.struct_id === undefined ? null : (parseStructId(body.struct_id) ?? -1);
    const framework = readFramework(body.framework, ion);
    const [included, excluded] = [readElements(body.elements), readElements(body.without)];
    const counts = await countByIon(readDb, functional);
    if (structId === null && !counts[ion])
      throw new AppError('electrodes.none-of-ion', {
        ion,
        functional,
        known: Object.keys(counts).sort().join(', ') || '–',
      });
    let query = electrodesWithEnds(readDb).where('electrode.functional', '=', functional);
    query =
      structId === null
        ? query.where('electrode.working_ion', '=', ion)
        : query.where(sql<boolean>`${electrode('state_ids')} @> ARRAY[${currentStructId(structId)}]`);
    if (framework !== null) query = query.where('electrode.framework', '=', framework);
    if (included.length > 0)
      query = query.where(sql<boolean>`${electrode('elements')} @> ${included}::text[]`);
    if (excluded.length > 0)
      query = query.where(sql<boolean>`NOT ${electrode('elements')} && ${excluded}::text[]`);
    for (const name of Object.keys(RANGES) as RangeName[]) {
      const { min, max } = readRange(body, name);
      if (min !== null) query = query.where(RANGES[name], '>=', min);
      if (max !== null) query = query.where(RANGES[name], '<=', max);
    }
    const { above_hull: limit = STATE_LIMIT } = body;
    if (limit < STATE_LIMIT) query = query.where('electrode.above_hull', '<=', limit);
    const rows = await query
      .select(sql<number>`count(*) OVER ()::int`.as('total'))
      .orderBy(`electrode.${body.sort ?? DEFAULT_SORT}`, body.ascending ? 'asc' : 'desc')
      .orderBy('electrode.discharged_id')
      .orderBy('electrode.working_ion')
      .offset(body.offset ?? 0)
      .limit(body.limit ?? ELECTRODE_PAGE.standard)
      .execute();
    return {
      ...done,
      results: rows.map(rowOf),
      len: rows[0]?.total ?? (body.offset ? await countOf(query) : 0),
      counts,
      completeness: await completeness.ofEach(
        functional,
        rows.map(({ elements }) => elements),
      ),
      ...scale,
    };
  });
}

/** Matches of a query whose page is empty. */
async function countOf(query: ReturnType<typeof electrodesWithEnds>): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
