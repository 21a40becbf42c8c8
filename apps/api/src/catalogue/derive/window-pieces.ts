/**
 * One piece of a scale's stability under conditions: some chemical systems, each with the surroundings
 * (working ions, or oxygen and water) for which its stability is derived again.
 */
import { atomicFractions, type Composition, parseFormula } from '@unitcell/crystal';
import { CONDITIONS_ABOVE_HULL, ON_HULL } from '@unitcell/material';
import { type NotNull, sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, batch, columnsOf } from '../../infra/sql.ts';
import type { StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';
import {
  isDissolvable,
  referenceEnergies,
  referenceFormula,
} from '../../domain/thermodynamics/water-species.ts';
import {
  AIR_AND_WATER,
  type DerivedConditions,
  type DerivedWindows,
  deriveWindows,
  type StablePhase,
  systemOf,
  unionWith,
  type WindowTarget,
  type WindowWork,
  WORKING_IONS,
} from './derive-windows.ts';
import type { HullRepository } from './hull.repository.ts';
import { systemIndex } from './system-index.ts';

/** Name of this kind of work in the table of work pieces. */
export const WINDOWS = 'windows';

/** Largest energy above the hull, eV/atom, at which a material gets windows. Such phases are commonly synthesised. */
export const METASTABLE_LIMIT = CONDITIONS_ABOVE_HULL;

export interface WindowPiece {
  readonly functional: string;
  readonly releaseId: number;
  readonly affected: readonly (readonly [system: string, surroundings: readonly string[]])[];
}

export interface WindowPieceReport {
  readonly windows: number;
}

/** Materials of these systems that are at most `aboveHull` eV/atom above the hull. */
const near = (db: Db, functional: string, systems: readonly string[], aboveHull: number) =>
  db
    .selectFrom('material_energy as energy')
    .innerJoin('material', 'material.struct_id', 'energy.struct_id')
    .select(['material.struct_id as structId', 'energy.chemical_system as chemicalSystem'])
    .select('formula_reduced as formulaReduced')
    .where('energy.functional', '=', functional)
    .where('energy.chemical_system', '=', anyOf(systems, 'text'))
    .where('energy.energy_above_hull', '<=', aboveHull)
    .where('energy.formation_energy_per_atom', 'is not', null)
    .select('energy.formation_energy_per_atom as formationEnergyPerAtom')
    .$narrowType<{ formationEnergyPerAtom: NotNull }>()
    .orderBy('material.struct_id');

/** The lowest-energy phase of every formula of these systems. */
const lowestPhases = (db: Db, functional: string, systems: readonly string[]) =>
  db
    .selectFrom('material_energy as energy')
    .innerJoin('material', 'material.struct_id', 'energy.struct_id')
    .distinctOn(['energy.chemical_system', 'formula_reduced'])
    .select(['material.struct_id as structId', 'energy.chemical_system as chemicalSystem'])
    .select(['formula_reduced as formulaReduced', 'space_group as spaceGroup'])
    .select('energy.formation_energy_per_atom as formationEnergyPerAtom')
    .where('energy.functional', '=', functional)
    .where('energy.chemical_system', '=', anyOf(systems, 'text'))
    .where('energy.formation_energy_per_atom', 'is not', null)
    .$narrowType<{ formationEnergyPerAtom: NotNull }>()
    .orderBy('energy.chemical_system')
    .orderBy('formula_reduced')
    .orderBy('energy.formation_energy_per_atom')
    .orderBy('material.struct_id');

/** The ions for which this scale has an entry. */
async function availableIons(db: Db, functional: string, ions: readonly string[]): Promise<string[]> {
  const material = columnsOf('material');
  const has = db
    .selectFrom('material_energy as energy')
    .innerJoin('material', 'material.struct_id', 'energy.struct_id')
    .select('energy.struct_id')
    .where(sql<boolean>`${material('elements')} @> ARRAY[ion]`)
    .where('energy.functional', '=', functional)
    .where('energy.energy_above_hull', 'is not', null);
  const some = sql<string[]>`array(SELECT ion FROM unnest(${[...ions]}::text[]) AS ion WHERE EXISTS ${has})`;
  const { available } = await db.selectNoFrom(some.as('available')).executeTakeFirstOrThrow();
  return available;
}

/**
 * Updates changed conditions of the materials of `systems`. Materials without an entry in `conditions` get
 * null.
 */
function saveConditions(
  tx: Db,
  functional: string,
  systems: readonly string[],
  conditions: readonly DerivedConditions[],
) {
  const made = batch(
    'made',
    'material_energy',
    conditions.map((condition) => ({
      struct_id: condition.structId,
      oxygen_potential_min: condition.oxygenPotentialMin,
      oxygen_potential_max: condition.oxygenPotentialMax,
      decomposition_energy_in_water: condition.decompositionEnergyInWater,
    })),
  );
  const columns = ['oxygen_potential_min', 'oxygen_potential_max', 'decomposition_energy_in_water'] as const;
  return tx
    .updateTable('material_energy as energy')
    .from(({ selectFrom }) =>
      selectFrom('material_energy as own')
        .leftJoin(made, 'made.struct_id', 'own.struct_id')
        .select(['own.struct_id', 'made.oxygen_potential_min', 'made.oxygen_potential_max'])
        .select('made.decomposition_energy_in_water')
        .where('own.functional', '=', functional)
        .where('own.chemical_system', '=', anyOf(systems, 'text'))
        .as('derived'),
    )
    .set(({ ref }) => ({
      oxygen_potential_min: ref('derived.oxygen_potential_min'),
      oxygen_potential_max: ref('derived.oxygen_potential_max'),
      decomposition_energy_in_water: ref('derived.decomposition_energy_in_water'),
    }))
    .whereRef('energy.struct_id', '=', 'derived.struct_id')
    .where('energy.functional', '=', functional)
    .where((is) =>
      is.or(columns.map((column) => is(`energy.${column}`, 'is distinct from', is.ref(`derived.${column}`)))),
    )
    .execute();
}

/** Replaces the windows and conditions of these systems and removes their marks in one transaction. */
function replaceWindows(
  db: Db,
  functional: string,
  releaseId: number,
  replaced: ReadonlyMap<string, readonly string[]>,
  { windows, conditions }: DerivedWindows,
): Promise<void> {
  const pairs = [...replaced].flatMap(([system, ions]) => ions.map((ion) => [system, ion] as const));
  const replacedPairs = sql<{ system: string; ion: string }>`unnest(
    ${pairs.map(([system]) => system)}::text[], ${pairs.map(([, ion]) => ion)}::text[])`.as<'pair'>(
    sql`pair (system, ion)`,
  );
  const made = windows.map(({ structId, workingIon, reductionOnset, oxidationOnset }) => ({
    struct_id: structId,
    working_ion: workingIon,
    reduction_onset: reductionOnset,
    oxidation_onset: oxidationOnset,
  }));
  const derived = [...replaced].flatMap(([system, of]) => (of.includes(AIR_AND_WATER) ? [system] : []));
  return db.transaction().execute(async (tx) => {
    await saveConditions(tx, functional, derived, conditions);
    // Materialised, because before the tables have statistics PostgreSQL would join all windows of an ion with
    // all systems.
    await tx
      .with(
        (cte) => cte('old').materialized(),
        (query) =>
          query
            .selectFrom('material_energy as energy')
            .innerJoin(replacedPairs, 'pair.system', 'energy.chemical_system')
            .select(['energy.struct_id', 'pair.ion'])
            .where('energy.functional', '=', functional),
      )
      .deleteFrom('electrochemical_window as window')
      .using('old')
      .whereRef('window.struct_id', '=', 'old.struct_id')
      .whereRef('window.working_ion', '=', 'old.ion')
      .where('window.functional', '=', functional)
      .execute();
    await tx
      .insertInto('electrochemical_window')
      .columns(['struct_id', 'working_ion', 'reduction_onset', 'oxidation_onset', 'functional', 'release_id'])
      .expression(({ selectFrom, val }) =>
        selectFrom(batch('made', 'electrochemical_window', made))
          .select(['made.struct_id', 'made.working_ion', 'made.reduction_onset', 'made.oxidation_onset'])
          .select([val(functional).as('functional'), sql<number>`${releaseId}::int`.as('release_id')]),
      )
      .execute();
    await tx
      .deleteFrom('dirty_window')
      .where('functional', '=', functional)
      .where('chemical_system', '=', anyOf([...replaced.keys()], 'text'))
      .execute();
    await announceCatalogueChange(tx);
  });
}

/** Derives pieces. Stable phases read for one piece are cached for later pieces of the same release. */
export function windowPieces(
  { db }: Pick<Database, 'db'>,
  hulls: HullRepository,
  work: WindowWork = async (request) => deriveWindows(request),
): (piece: WindowPiece) => Promise<WindowPieceReport> {
  const known = new Map<string, Composition>();
  const fractionsOf = (formula: string): Composition => {
    let fractions = known.get(formula);
    if (!fractions) {
      fractions = atomicFractions(parseFormula(formula));
      known.set(formula, fractions);
    }
    return fractions;
  };

  const openRelease = async (functional: string) => {
    const all = await hulls.systems(functional);
    return {
      existing: new Set(all),
      index: systemIndex(all),
      available: await availableIons(db, functional, [...WORKING_IONS, 'O']),
      /** Stable phases by system, read on first use. */
      stable: new Map<string, readonly StablePhase[]>(),
      /** The lowest-energy phase of every formula by system, read on first use. */
      lowest: new Map<string, readonly StoredPhase[]>(),
    };
  };
  /** Reads phases of systems that are not in the cache, and adds them. */
  async function remember<Row extends { readonly chemicalSystem: string }, Phase>(
    cache: Map<string, readonly Phase[]>,
    systems: readonly string[],
    read: (systems: readonly string[]) => Promise<readonly Row[]>,
    phaseOf: (row: Row) => Phase,
  ): Promise<void> {
    const found = new Map<string, Phase[]>();
    for (const name of systems) if (!cache.has(name)) found.set(name, []);
    const rows = found.size === 0 ? [] : await read([...found.keys()]);
    for (const row of rows) found.get(row.chemicalSystem)?.push(phaseOf(row));
    for (const [name, phases] of found) cache.set(name, phases);
  }
  let last: { readonly releaseId: number; readonly opened: ReturnType<typeof openRelease> } | null = null;

  return async ({ functional, releaseId, affected }) => {
    if (last?.releaseId !== releaseId) last = { releaseId, opened: openRelease(functional) };
    const { existing, index, available, stable, lowest } = await last.opened;
    const surroundings = new Map(affected);
    const ionsOf = (system: string): readonly string[] =>
      available.filter((ion) => surroundings.get(system)?.includes(ion));
    /** The system itself, if it exists, and all systems within it. */
    const within = (union: string): string[] => [
      ...(existing.has(union) ? [union] : []),
      ...index.properSubsets(union),
    ];

    const targets = new Map<string, WindowTarget[]>();
    for (const row of await near(db, functional, [...surroundings.keys()], METASTABLE_LIMIT).execute()) {
      const target = { ...row, fractions: fractionsOf(row.formulaReduced) };
      const list = targets.get(row.chemicalSystem);
      if (list) list.push(target);
      else targets.set(row.chemicalSystem, [target]);
    }
    const parts = new Map<string, readonly string[]>();
    const partsOf = (union: string): readonly string[] => {
      const names = parts.get(union) ?? within(union);
      parts.set(union, names);
      return names;
    };
    const conditioned = [...targets.keys()].filter((system) =>
      surroundings.get(system)?.includes(AIR_AND_WATER),
    );
    const exchanging = [
      ...[...targets.keys()].flatMap((system) =>
        ionsOf(system).flatMap((ion) => partsOf(unionWith(system, ion))),
      ),
      ...conditioned.flatMap((system) => partsOf(unionWith(system, 'O'))),
    ];
    await remember(
      stable,
      exchanging,
      (systems) => near(db, functional, systems, ON_HULL).execute(),
      ({ structId, formulaReduced, formationEnergyPerAtom }) => ({
        structId,
        fractions: fractionsOf(formulaReduced),
        formationEnergyPerAtom,
      }),
    );

    const dissolved = [...new Set(conditioned.flatMap((system) => system.split('-').filter(isDissolvable)))];
    const inWater = [
      ...conditioned.flatMap((system) => partsOf(unionWith(system, 'O', 'H'))),
      ...dissolved.flatMap((element) => systemOf(referenceFormula(element) ?? '')),
    ];
    await remember(
      lowest,
      inWater,
      (systems) => lowestPhases(db, functional, systems).execute(),
      (row): StoredPhase => row,
    );
    const references = referenceEnergies(
      dissolved,
      (formula) =>
        lowest.get(systemOf(formula))?.find(({ formulaReduced }) => formulaReduced === formula)
          ?.formationEnergyPerAtom,
    );

    const made = await work({
      systems: [...targets].map(([system, list]) => [system, list, ionsOf(system)]),
      parts,
      stable: new Map(exchanging.map((name) => [name, stable.get(name) ?? []])),
      conditions: {
        systems: new Set(conditioned),
        hasOxygen: available.includes('O'),
        lowest: new Map(inWater.map((name) => [name, lowest.get(name) ?? []])),
        references,
      },
    });
    await replaceWindows(db, functional, releaseId, surroundings, made);
    return { windows: made.windows.length };
  };
}
