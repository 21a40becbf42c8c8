/** Electrodes: search, profiles for comparison, and the conversion of a material. */
import { parseStructId } from '@unitcell/contract/common';
import {
  type Electrode,
  getConversion,
  getElectrodes,
  type ElectrodeState,
  STATE_LIMIT,
  ELECTRODE_PAGE,
  type ElectrodeRow,
  type ElectrodeSearchRequest,
  type ElectrodeSort,
  searchElectrodes,
} from '@unitcell/contract/electrodes';
import { atomCount, displayFormula, parseFormula, reducedFormula } from '@unitcell/crystal';
import { WORKING_ION_CHARGES } from '@unitcell/phase-equilibria';
import type { FastifyInstance } from 'fastify';
import { type Expression, sql, type Selectable } from 'kysely';
import { readIon, canonicalFormula, readElements } from '../../domain/query/query-text.ts';
import type { Services } from '../../domain/services.ts';
import { asFigure } from '../../domain/thermodynamics/phase-hull.ts';
import { elementsOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import { anyOf, columnsOf, currentStructId } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as electrodesThread from './electrodes.thread.ts';
import type { Db } from '../../infra/database.ts';
import type { DB } from '../../generated/tables/tables.ts';

const electrode = columnsOf('electrode');

/** Number of materials without energy that are read to explain a missing electrode. */
const MAX_READ = 200;

export function electrodesFeature(app: FastifyInstance, services: Services): void {
  const { database, phaseEntries, completeness, threads } = services;
  const { readDb } = database;
  const handle = threads.open<typeof electrodesThread>(new URL('./electrodes.thread.ts', import.meta.url));
  electrodeSearchRoute(app, services);

  /**
   * A material with an energy on the scale and elements besides the ion.
   * @throws AppError material.not-found, ecwindow.no-energy, electrodes.only-ion
   */
  async function materialOf(functional: string, typed: string | number, ion: string) {
    const id = parseStructId(typed);
    const material = id === null ? null : await phaseEntries.material(functional, id);
    if (material === null) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
    const { structId, formulaReduced, formationEnergyPerAtom } = material;
    if (formationEnergyPerAtom === null)
      throw new AppError('ecwindow.no-energy', { id: structId, functional });
    const elements = elementsOfFormula(formulaReduced);
    if (elements.every((element) => element === ion))
      throw new AppError('electrodes.only-ion', {
        formula: displayFormula(parseFormula(formulaReduced)),
        ion,
      });
    return { ...material, formationEnergyPerAtom, elements };
  }

  /** Materials of the same host with another ion content but without an energy on the scale: `MnO2 (107)`. */
  async function withoutEnergy(functional: string, formula: string, ion: string): Promise<string[]> {
    const { [ion]: ions = 0, ...host } = parseFormula(formula);
    const [hostFormula, elements] = [reducedFormula(host), Object.keys(host).sort()];
    const rows = await readDb
      .selectFrom('material')
      .leftJoin('material_energy as energy', (join) =>
        join.onRef('energy.struct_id', '=', 'material.struct_id').on('energy.functional', '=', functional),
      )
      .select(['material.struct_id', 'formula', 'formula_reduced'])
      .where(
        'material.chemical_system',
        '=',
        anyOf([elements.join('-'), [...elements, ion].sort().join('-')], 'text'),
      )
      .where('energy.formation_energy_per_atom', 'is', null)
      .orderBy('material.struct_id')
      .limit(MAX_READ)
      .execute();
    const content = ions / atomCount(host);
    return rows
      .flatMap((row) => {
        const { [ion]: others = 0, ...framework } = parseFormula(row.formula_reduced);
        const isHost = reducedFormula(framework) === hostFormula;
        const isOther = Math.abs(others / atomCount(framework) - content) > 1e-6;
        return isHost && isOther ? [`${row.formula} (${row.struct_id})`] : [];
      })
      .slice(0, 5);
  }

  /**
   * The electrode of a working ion in which the material is one of the states.
   * @throws AppError electrodes.no-partner, electrodes.partner-without-energy
   */
  async function electrodeOf(
    functional: string,
    typed: string | number,
    ion: string,
  ): Promise<FoundElectrode> {
    const id = parseStructId(typed) ?? -1;
    const found = await electrodesWithEnds(readDb)
      .where('electrode.functional', '=', functional)
      .where('electrode.working_ion', '=', ion)
      .where(sql<boolean>`${electrode('state_ids')} @> ARRAY[${currentStructId(id)}]`)
      .executeTakeFirst();
    if (found) return found;
    const { structId, formulaReduced } = await materialOf(functional, typed, ion);
    const { [ion]: _ions, ...framework } = parseFormula(formulaReduced);
    const named = {
      id: structId,
      formula: displayFormula(parseFormula(formulaReduced)),
      ion,
      framework: displayFormula(framework),
      functional,
    };
    const others = await withoutEnergy(functional, formulaReduced, ion);
    throw others.length > 0
      ? new AppError('electrodes.partner-without-energy', { ...named, others: others.join(', ') })
      : new AppError('electrodes.no-partner', { ...named, limit: STATE_LIMIT });
  }

  async function detailOf(found: FoundElectrode): Promise<Electrode> {
    const ids = found.states.map(({ structId }) => structId);
    const names = await readDb
      .selectFrom('material')
      .select(['struct_id', 'formula', 'space_group'])
      .where('struct_id', '=', anyOf(ids, 'int'))
      .execute();
    const byId = new Map(names.map((row) => [row.struct_id, row]));
    const span = found.discharged_content - found.charged_content;
    const states = found.states.flatMap(
      ({ structId, content, volume, aboveHull, aboveProfile, isOnProfile }): ElectrodeState[] => {
        // A material may have been removed since the last derivation.
        const name = byId.get(structId);
        if (!name) return [];
        const capacity = asFigure((found.capacity * (content - found.charged_content)) / span);
        return [
          {
            ...name,
            content,
            capacity,
            volume,
            above_hull: aboveHull,
            above_profile: aboveProfile,
            on_profile: isOnProfile,
          },
        ];
      },
    );
    return {
      ...rowOf(found),
      charge: WORKING_ION_CHARGES[found.working_ion] ?? 1,
      charged_content: found.charged_content,
      discharged_content: found.discharged_content,
      steps: [...found.steps],
      states,
      completeness: await completeness.of(found.functional, found.elements, {
        above_hull: 'lower',
        charged_above_hull: 'lower',
        discharged_above_hull: 'lower',
      }),
    };
  }

  serveCall(app, getElectrodes, async ({ body }) => {
    const scale = await phaseEntries.scale(body.functional);
    const found = await Promise.all(
      body.electrodes.map(({ struct_id, ion }) => electrodeOf(scale.functional, struct_id, readIon(ion))),
    );
    const unique = new Map(found.map((one) => [`${one.discharged_id} ${one.working_ion}`, one]));
    return { ...done, electrodes: await Promise.all(Array.from(unique.values(), detailOf)), ...scale };
  });

  serveCall(app, getConversion, async ({ body, caller }) => {
    const scale = await phaseEntries.scale(body.functional);
    const { functional } = scale;
    const ion = readIon(body.ion);
    const { elements: own, ...target } = await materialOf(functional, body.struct_id, ion);
    const elements = [...new Set([...own, ion])];
    const stablePhases = await phaseEntries.stablePhases(functional, elements);
    const conversion = await handle.run(
      'conversionOfMaterial',
      { target, ion, elements, stablePhases },
      caller,
    );
    return {
      ...done,
      ...conversion,
      // A missing phase takes part in the reaction and may move any of these values.
      completeness: await completeness.of(functional, elements, { above_hull: 'lower' }),
      ...scale,
    };
  });
}

// ── Search among insertion electrodes: the conditions, the SQL statement, and the row of an answer ──

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

const electrodeColumn = columnsOf('electrode');

/**
 * Whether the energy of a material on the scale of the electrode was calculated with Hubbard U. Of several
 * sources, the one with this energy counts; a material with a single source has no records.
 */
const usesHubbard = (id: Expression<number>, ofMaterial: Expression<boolean>) => sql<boolean>`coalesce(
  (SELECT bool_or(coalesce((record.line ->> 'is_hubbard')::boolean, false)) FROM material_record record
   WHERE record.struct_id = ${id} AND record.figures -> 'shown' ? ('energy:' || ${electrodeColumn('functional')})),
  ${ofMaterial})`;

/** Electrodes with the names of both ends. */
const electrodesWithEnds = (db: Db) =>
  db
    .selectFrom('electrode')
    .innerJoin('material as discharged', 'discharged.struct_id', 'electrode.discharged_id')
    .innerJoin('material as charged', 'charged.struct_id', 'electrode.charged_id')
    .selectAll('electrode')
    .select(['discharged.formula', 'discharged.space_group', 'charged.formula as charged_formula'])
    .select(({ ref }) => [
      usesHubbard(ref('discharged.struct_id'), ref('discharged.is_hubbard')).as('has_u'),
      usesHubbard(ref('charged.struct_id'), ref('charged.is_hubbard')).as('charged_has_u'),
    ]);

type FoundElectrode = Selectable<DB['electrode']> & {
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
  return functional.startsWith('PBE') && isOpen && isOxide && !(has_u && charged_has_u);
}

const rowOf = (found: FoundElectrode): ElectrodeRow => ({
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

/** Sort fields that are not columns of the table `electrode`. */
const OTHER_SORTS = {
  formula: sql.ref('discharged.formula'),
  charged_formula: sql.ref('charged.formula'),
  plateaus: sql`jsonb_array_length(${electrodeColumn('steps')})`,
};

const sortedBy = (name: ElectrodeSort) =>
  name in OTHER_SORTS ? OTHER_SORTS[name as keyof typeof OTHER_SORTS] : sql.ref(`electrode.${name}`);

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

function electrodeSearchRoute(
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
        : query.where(sql<boolean>`${electrodeColumn('state_ids')} @> ARRAY[${currentStructId(structId)}]`);
    if (framework !== null) query = query.where('electrode.framework', '=', framework);
    if (included.length > 0)
      query = query.where(sql<boolean>`${electrodeColumn('elements')} @> ${included}::text[]`);
    if (excluded.length > 0)
      query = query.where(sql<boolean>`NOT ${electrodeColumn('elements')} && ${excluded}::text[]`);
    for (const name of Object.keys(RANGES) as RangeName[]) {
      const { min, max } = readRange(body, name);
      if (min !== null) query = query.where(RANGES[name], '>=', min);
      if (max !== null) query = query.where(RANGES[name], '<=', max);
    }
    const { above_hull: limit = STATE_LIMIT } = body;
    if (limit < STATE_LIMIT) query = query.where('electrode.above_hull', '<=', limit);
    const rows = await query
      .select(sql<number>`count(*) OVER ()::int`.as('total'))
      .orderBy(sortedBy(body.sort ?? DEFAULT_SORT), body.ascending ? 'asc' : 'desc')
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

/** Counts all matches, because the rows of an empty page do not contain the total. */
async function countOf(query: ReturnType<typeof electrodesWithEnds>): Promise<number> {
  const { count } = await query
    .clearSelect()
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
