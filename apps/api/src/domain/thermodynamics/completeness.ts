/**
 * Completeness of chemical systems: compares the catalogue with compositions known to be stable, one list per
 * energy scale. A scale without a list is "not known", never "complete".
 */
import { setImmediate } from 'node:timers/promises';
import { type Completeness, MAX_MISSING_NAMED } from '@unitcell/contract/phase-diagram';
import { type ListCompleteness, MAX_MISSING_IN_LISTS } from '@unitcell/contract/common';
import { displayFormula, parseFormula, reducedComposition } from '@unitcell/crystal';
import { type RawBuilder, sql } from 'kysely';
import {
  DEEPEST_WITHIN,
  MAX_SYSTEM_ELEMENTS,
  type MissingPhase,
  simplestFirst,
  subsystems,
} from '@unitcell/phase-equilibria';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, prepared } from '../../infra/sql.ts';

// SQL of compounds that are known to be stable but missing in the catalogue.

interface MissingCompoundRow {
  readonly chemicalSystem: string;
  readonly formulaReduced: string;
  readonly isMarginal: boolean;
  /** Formation energies of the lowest known form and of the lowest form in the catalogue, eV/atom. */
  readonly energy: number | null;
  readonly lowest: number | null;
}

const missingCompounds = (
  on: Db,
  functional: RawBuilder<string>,
  systems: RawBuilder<readonly string[]> | null,
) =>
  on
    .selectFrom('stable_composition as known')
    .leftJoin(
      (query) =>
        query
          .selectFrom('material_energy as energy')
          .innerJoin('material', 'material.struct_id', 'energy.struct_id')
          .select(['energy.chemical_system', 'material.formula_reduced'])
          .select(({ fn }) => fn.min('energy.formation_energy_per_atom').as('lowest'))
          .where('energy.functional', '=', functional)
          .where('energy.formation_energy_per_atom', 'is not', null)
          .$if(systems !== null, (inner) =>
            inner.where('energy.chemical_system', '=', anyOf(systems ?? [], 'text')),
          )
          .groupBy(['energy.chemical_system', 'material.formula_reduced'])
          .as('held'),
      (join) =>
        join
          .onRef('held.chemical_system', '=', 'known.chemical_system')
          .onRef('held.formula_reduced', '=', 'known.formula_reduced'),
    )
    .select(['known.chemical_system as chemicalSystem', 'known.formula_reduced as formulaReduced'])
    .select(['known.is_marginal as isMarginal', 'known.formation_energy_per_atom as energy', 'held.lowest'])
    .where('known.functional', '=', functional)
    .$if(systems !== null, (query) => query.where('known.chemical_system', '=', anyOf(systems ?? [], 'text')))
    .where(({ or, eb }) =>
      or([
        eb('held.lowest', 'is', null),
        eb('held.lowest', '>', eb('known.formation_energy_per_atom', '+', DEEPEST_WITHIN)),
      ]),
    );
const missingInSystems = prepared(
  'missing-compounds-of-systems',
  (on, functional: RawBuilder<string>, systems: RawBuilder<readonly string[]>) =>
    missingCompounds(on, functional, systems),
);

type CompletenessRepository = ReturnType<typeof completenessRepository>;

export function completenessRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    /** Source of the list of a scale; null when there is none. */
    async source(functional: string): Promise<string | null> {
      const list = await readDb
        .selectFrom('stable_list')
        .select('source')
        .where('functional', '=', functional)
        .executeTakeFirst();
      return list?.source ?? null;
    },

    /** Scales with energies, largest first. */
    async scales(): Promise<string[]> {
      const rows = await readDb
        .selectFrom('material_energy')
        .select('functional')
        .where('formation_energy_per_atom', 'is not', null)
        .groupBy('functional')
        .orderBy(({ fn }) => fn.countAll(), 'desc')
        .execute();
      return rows.map(({ functional }) => functional);
    },

    /** Chemical systems that contain compounds on the scale. */
    async systems(functional: string): Promise<string[]> {
      const rows = await readDb
        .selectFrom('material_energy')
        .select('chemical_system')
        .distinct()
        .where('functional', '=', functional)
        .where('formation_energy_per_atom', 'is not', null)
        .where('chemical_system', 'like', '%-%')
        .orderBy('chemical_system')
        .execute();
      return rows.map(({ chemical_system }) => chemical_system);
    },

    /**
     * Compounds that are stable on the scale but missing from the catalogue, or present only in a form more than
     * `DEEPEST_WITHIN` (eV/atom) above the lowest known form; in the given chemical systems, or in all if `systems` is null.
     */
    async missing(functional: string, systems: readonly string[] | null): Promise<MissingCompoundRow[]> {
      return systems === null
        ? missingCompounds(readDb, sql`${functional}`, null).execute()
        : missingInSystems(readDb, functional, systems);
    },
  };
}

// Converts rows of missing compounds to phases, individually and by chemical system. Pure.

/** Missing compounds of each chemical system, excluding the missing compounds of its subsystems. */
interface Gaps {
  of(chemicalSystem: string): readonly MissingPhase[];
}

function toPhase({ formulaReduced, isMarginal, energy, lowest }: MissingCompoundRow): MissingPhase {
  // Stored formulas of peroxides contain two formula units (Li2O2).
  const composition = reducedComposition(parseFormula(formulaReduced));
  return {
    composition,
    isMarginal,
    formationEnergyPerAtom: energy,
    formula: displayFormula(composition),
    heldAbove: lowest === null || energy === null ? null : lowest - energy,
  };
}

/** Sorts compounds, simplest first. */
const toPhases = (rows: readonly MissingCompoundRow[]): readonly MissingPhase[] =>
  rows.map(toPhase).sort(simplestFirst);

/** Formulas are parsed on demand, because 35,700 compounds of a scale may be missing. */
function gapsOf(rows: readonly MissingCompoundRow[]): Gaps {
  const unread = new Map<string, MissingCompoundRow[]>();
  for (const row of rows) {
    const others = unread.get(row.chemicalSystem);
    if (others === undefined) unread.set(row.chemicalSystem, [row]);
    else others.push(row);
  }
  const read = new Map<string, readonly MissingPhase[]>();
  return {
    of(chemicalSystem) {
      const known = read.get(chemicalSystem);
      if (known !== undefined) return known;
      const missing = unread.get(chemicalSystem);
      if (missing === undefined) return NOTHING;
      const phases = missing.map(toPhase);
      read.set(chemicalSystem, phases);
      return phases;
    },
  };
}

const NOTHING: readonly MissingPhase[] = [];

/**
 * Missing compounds of a system and of all systems within it, simplest first; for more than twelve elements
 * only of the first twelve.
 */
const missingIn = (gaps: Gaps, elements: readonly string[]): readonly MissingPhase[] =>
  subsystems(elements.slice(0, MAX_SYSTEM_ELEMENTS))
    .flatMap((system) => gaps.of(system))
    .sort(simplestFirst);

// Reports of missing compounds, for operators: for one chemical system, and for a whole energy scale.

/** Number of systems and compounds listed. */
const NAMED = 5;

export interface GapReport {
  readonly functional: string;
  /** Chemical systems that contain compounds on this scale. */
  readonly systems: number;
  readonly incomplete: number;
  /** The systems with the most missing compounds. */
  readonly worst: readonly { readonly system: string; readonly missing: number }[];
  /** The compounds that are missing in the largest number of systems. */
  readonly wanted: readonly { readonly formula: string; readonly systems: number }[];
}

/** Missing compounds, simplest first; null when the scale has no list or there are too many elements. */
export async function missingOfSystem(
  repository: CompletenessRepository,
  functional: string,
  elements: readonly string[],
): Promise<readonly MissingPhase[] | null> {
  if (elements.length > MAX_SYSTEM_ELEMENTS || (await repository.source(functional)) === null) return null;
  return toPhases(await repository.missing(functional, subsystems(elements)));
}

/** Null when the scale has no list. */
export async function gapReport(
  repository: CompletenessRepository,
  functional: string,
): Promise<GapReport | null> {
  if ((await repository.source(functional)) === null) return null;
  const gaps = gapsOf(await repository.missing(functional, null));
  const systems = await repository.systems(functional);
  const worst: { system: string; missing: number }[] = [];
  const wanted = new Map<string, number>();
  for (const system of systems) {
    const missing = missingIn(gaps, system.split('-'));
    if (missing.length > 0) worst.push({ system, missing: missing.length });
    for (const { formula } of missing) wanted.set(formula, (wanted.get(formula) ?? 0) + 1);
  }
  return {
    functional,
    systems: systems.length,
    incomplete: worst.length,
    worst: worst.sort((one, other) => other.missing - one.missing).slice(0, NAMED),
    wanted: [...wanted]
      .map(([formula, count]) => ({ formula, systems: count }))
      .sort((one, other) => other.systems - one.systems)
      .slice(0, NAMED),
  };
}

/** Numbers of answers that are cached until the catalogue changes. */
const CACHED_SYSTEMS = 5000;
const CACHED_SCALES = 8;
/** Systems looked up before yielding to the event loop: 5 to 25 ms. */
const SYSTEMS_AT_ONCE = 50;

type Lacking = ListCompleteness['incomplete'][string];

/** A short summary of the compounds missing in a system; null if no compound is missing. */
const lackingOf = (missing: readonly MissingPhase[]): Lacking | null =>
  missing.length === 0
    ? null
    : {
        missing: missing.slice(0, MAX_MISSING_IN_LISTS).map(({ formula }) => formula),
        missing_count: missing.length,
      };

export interface Completenesses {
  /**
   * @param isOfInterest excludes irrelevant missing compounds, such as those outside the plane of a
   * diagram
   */
  of(
    functional: string,
    elements: readonly string[],
    bounds: Completeness['bounds'] | ((missing: readonly MissingPhase[]) => Completeness['bounds']),
    isOfInterest?: (missing: MissingPhase) => boolean,
  ): Promise<Completeness>;
  /** Summaries for the rows of a list; a row is given by its elements. */
  ofEach(functional: string, rows: readonly (readonly string[])[]): Promise<ListCompleteness>;
}

export function completenesses(repository: CompletenessRepository, caches: CatalogueCaches): Completenesses {
  const single = caches.create<{ readonly missing: readonly MissingPhase[] | null }>(CACHED_SYSTEMS);
  const whole = caches.create<{ readonly gaps: Gaps; readonly lists: Map<string, Lacking | null> }>(
    CACHED_SCALES,
  );
  const sources = caches.create<{ readonly source: string | null }>(CACHED_SCALES);

  const sourceOf = async (functional: string): Promise<string | null> =>
    (await sources.remember(functional, async () => ({ source: await repository.source(functional) })))
      .source;

  async function missingOf(functional: string, elements: readonly string[]) {
    // A search may already have cached the missing compounds of all systems.
    const all = elements.length > MAX_SYSTEM_ELEMENTS ? undefined : whole.known(functional);
    if (all) return missingIn(all.gaps, elements);
    const { missing } = await single.remember(`${functional} ${elements.join('-')}`, async () => ({
      missing: await missingOfSystem({ ...repository, source: sourceOf }, functional, elements),
    }));
    return missing;
  }

  return {
    async of(functional, elements, bounds, isOfInterest = () => true) {
      const distinct = [...new Set(elements)].sort();
      const all = await missingOf(functional, distinct);
      const missing = (all ?? []).filter(isOfInterest);
      const status = all === null ? 'not-known' : missing.length === 0 ? 'complete' : 'incomplete';
      return {
        status,
        chemical_system: distinct.join('-'),
        missing: missing.slice(0, MAX_MISSING_NAMED).map(({ formula, isMarginal, heldAbove }) => ({
          formula,
          marginal: isMarginal,
          held_above: heldAbove === null ? null : Number(heldAbove.toFixed(4)),
        })),
        missing_count: missing.length,
        bounds: status !== 'incomplete' ? {} : typeof bounds === 'function' ? bounds(missing) : bounds,
        source: await sourceOf(functional),
      };
    },

    async ofEach(functional, rows) {
      const source = await sourceOf(functional);
      if (source === null) return { status: 'not-known', incomplete: {}, source };
      const systems = new Map(rows.map((elements) => [[...new Set(elements)].sort().join('-'), elements]));
      // A list has many systems, so the missing compounds of all systems are read at once.
      const { gaps, lists } = await whole.remember(functional, async () => ({
        gaps: gapsOf(await repository.missing(functional, null)),
        lists: new Map<string, Lacking | null>(),
      }));
      const incomplete: ListCompleteness['incomplete'] = {};
      let looked = 0;
      for (const [system, elements] of systems) {
        let lacking = lists.get(system);
        if (lacking === undefined) {
          if (++looked % SYSTEMS_AT_ONCE === 0) await setImmediate();
          lacking = lackingOf(missingIn(gaps, elements));
          lists.set(system, lacking);
        }
        if (lacking !== null) incomplete[system] = lacking;
      }
      return { status: 'known', incomplete, source };
    },
  };
}
