/** SQL of the finder of coatings: the materials whose window and properties pass the filters. */
import { COATING_FILTERS, COATING_LIMITS, type CoatingFilter } from '@unitcell/contract/coatings';
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { anyOf, columnsOf } from '../../infra/sql.ts';

export interface CandidateFilters {
  readonly workingIon: string;
  /** V against the metal of the working ion. */
  readonly window_min: number | undefined;
  readonly window_max: number | undefined;
  /** eV */
  readonly min_band_gap: number | undefined;
  /** eV/atom */
  readonly max_energy_above_hull: number | undefined;
  readonly exclude_elements: readonly string[];
  readonly include_elements: readonly string[];
  readonly observed_only: boolean;
  readonly max_elements: number | undefined;
}

/** V. Upper limit assumed for windows without an upper limit, to order windows by width. */
const NO_LIMIT = COATING_LIMITS.voltage.max;

/**
 * Compounds of these elements alone are gases, liquids or molecular crystals: N2, H2O, CO2, SO3. None coats a particle.
 * Carbon and sulfur themselves are solids.
 */
const MOLECULAR = ['H', 'He', 'C', 'N', 'O', 'F', 'Ne', 'S', 'Cl', 'Ar', 'Br', 'Kr', 'Xe', 'Rn'];
const SOLID_ELEMENTS = ['C', 'S'];

export function candidateSearch({ readDb }: Pick<Database, 'readDb'>) {
  const material = columnsOf('material');
  const made = columnsOf('electrochemical_window', 'made');

  /** The condition of each filter that is set. */
  function conditions(filters: CandidateFilters) {
    const { window_min, window_max, min_band_gap, max_energy_above_hull, max_elements } = filters;
    const energy = columnsOf('material_energy', 'energy');
    const { include_elements: included, exclude_elements: excluded } = filters;
    const oxidation = sql`coalesce(${made('oxidation_onset')}, ${NO_LIMIT})`;
    const all = {
      window_min: window_min === undefined ? null : sql<boolean>`${made('reduction_onset')} <= ${window_min}`,
      window_max: window_max === undefined ? null : sql<boolean>`${oxidation} >= ${window_max}`,
      min_band_gap:
        min_band_gap === undefined ? null : sql<boolean>`${material('band_gap')} >= ${min_band_gap}`,
      max_energy_above_hull:
        max_energy_above_hull === undefined
          ? null
          : sql<boolean>`${energy('energy_above_hull')} <= ${max_energy_above_hull}`,
      exclude_elements:
        excluded.length === 0 ? null : sql<boolean>`NOT ${material('elements')} && ${excluded}::text[]`,
      include_elements:
        included.length === 0 ? null : sql<boolean>`${material('elements')} @> ${included}::text[]`,
      observed_only: filters.observed_only ? sql<boolean>`${material('observed')} = 'observed'` : null,
      max_elements:
        max_elements === undefined ? null : sql<boolean>`${material('nelements')} <= ${max_elements}`,
    } satisfies Record<CoatingFilter, unknown>;
    return all;
  }

  const windowsOf = (functional: string, filters: CandidateFilters) =>
    readDb
      .selectFrom('electrochemical_window as made')
      .innerJoin('material', 'material.struct_id', 'made.struct_id')
      .innerJoin('material_energy as energy', (join) =>
        join
          .onRef('energy.struct_id', '=', 'made.struct_id')
          .onRef('energy.functional', '=', 'made.functional'),
      )
      .where('made.functional', '=', functional)
      .where('made.working_ion', '=', filters.workingIon)
      .where('material.nelements', '<=', COATING_LIMITS.elements)
      .where((is) =>
        is.or([
          is.not(sql<boolean>`${material('elements')} <@ ${MOLECULAR}::text[]`),
          is('formula_reduced', 'in', SOLID_ELEMENTS),
        ]),
      );

  const passing = (functional: string, filters: CandidateFilters) =>
    Object.values(conditions(filters)).reduce(
      (query, condition) => (condition === null ? query : query.where(condition)),
      windowsOf(functional, filters),
    );

  return {
    /** The number of materials that pass the filters, and their formulas; widest windows first. */
    async formulas(functional: string, filters: CandidateFilters, without: readonly string[]) {
      const { materials, formulas } = await readDb
        .with('passing', () =>
          passing(functional, filters)
            .select(['made.struct_id as structId', 'formula_reduced as formula'])
            .select('energy.energy_above_hull as energyAboveHull')
            .select(
              sql<number>`coalesce(${made('oxidation_onset')}, ${NO_LIMIT}) - ${made('reduction_onset')}`.as(
                'width',
              ),
            ),
        )
        .with('best', (db) =>
          db
            .selectFrom('passing')
            .select(['structId', 'formula', 'width'])
            .where('formula', '<>', sql<string>`ALL(${without}::text[])`)
            .distinctOn('formula')
            .orderBy('formula')
            .orderBy('energyAboveHull')
            .orderBy('structId'),
        )
        .selectFrom('best')
        .select(sql<string | null>`string_agg(formula, ' ' ORDER BY width DESC, "structId")`.as('formulas'))
        .select((is) =>
          is.selectFrom('passing').select(sql<number>`count(*)::int`.as('count')).as('materials'),
        )
        .executeTakeFirstOrThrow();
      return { materials: materials ?? 0, formulas: formulas?.split(' ') ?? [] };
    },

    /** Of each of the formulas, the most stable material that passes the filters. */
    candidates: (functional: string, filters: CandidateFilters, formulas: readonly string[]) =>
      passing(functional, filters)
        .where('formula_reduced', '=', anyOf(formulas, 'text'))
        .select(['made.struct_id as structId', 'formula_reduced as formulaReduced'])
        .select(['energy.energy_above_hull as energyAboveHull'])
        .select(['made.reduction_onset as reductionOnset', 'made.oxidation_onset as oxidationOnset'])
        .select(['formula', 'space_group as spaceGroup', 'observed', 'band_gap as bandGap'])
        .select(sql<number>`(count(*) OVER (PARTITION BY formula_reduced))::int`.as('forms'))
        .distinctOn('formula_reduced')
        .orderBy('formula_reduced')
        .orderBy('energy.energy_above_hull')
        .orderBy('made.struct_id')
        .execute(),

    /**
     * For each filter, the number of materials that would pass if this filter were dropped, largest number
     * first; and the smallest group of filters without which any material passes (of equally small groups,
     * the one without which most pass; null if there are no materials at all). One query is enough:
     * PostgreSQL counts the materials by the set of filters that exclude them, a number with one bit per
     * filter. If a group of filters is dropped, the materials pass that no other filter excludes.
     */
    async waysOut(functional: string, filters: CandidateFilters) {
      const all = conditions(filters);
      const set = COATING_FILTERS.filter((name) => all[name] !== null);
      const bits = set.map((name, index) => sql`CASE WHEN ${all[name]} THEN 0 ELSE ${1 << index}::int END`);
      const excluded = await windowsOf(functional, filters)
        .select(
          bits.length === 0 ? sql<number>`0`.as('by') : sql<number>`${sql.join(bits, sql` + `)}`.as('by'),
        )
        .select(sql<number>`count(*)::int`.as('materials'))
        .groupBy('by')
        .execute();
      const groups = Array.from({ length: 1 << set.length }, (_, group) => ({
        names: set.filter((__, index) => (group & (1 << index)) !== 0),
        materials: excluded.reduce(
          (sum, { by, materials }) => ((by & ~group) === 0 ? sum + materials : sum),
          0,
        ),
      })).sort((one, other) => one.names.length - other.names.length || other.materials - one.materials);
      return {
        without: groups.flatMap(({ names: [filter, ...others], materials }) =>
          filter === undefined || others.length > 0 ? [] : [{ filter, materials }],
        ),
        wayOut: groups.find(({ names, materials }) => names.length > 0 && materials > 0) ?? null,
      };
    },

    /** eV/atom; null if unknown. */
    async energiesAboveHull(functional: string, structIds: readonly number[]) {
      const rows = await readDb
        .selectFrom('material_energy')
        .select(['struct_id', 'energy_above_hull'])
        .where('functional', '=', functional)
        .where('struct_id', '=', anyOf(structIds, 'int'))
        .execute();
      return new Map(rows.map(({ struct_id, energy_above_hull }) => [struct_id, energy_above_hull]));
    },
  };
}
