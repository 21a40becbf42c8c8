/** Electrochemical windows and their marks: only SQL. */
import { type NotNull, sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
import { anyOf, batch, columnsOf } from '../../infra/sql.ts';

/** A material near the hull that gets windows. */
export interface WindowTargetRow {
  readonly structId: number;
  readonly chemicalSystem: string;
  readonly formulaReduced: string;
}

export interface StablePhaseRow extends WindowTargetRow {
  readonly formationEnergyPerAtom: number;
}

export interface WindowRow {
  readonly structId: number;
  readonly workingIon: string;
  readonly reductionOnset: number;
  readonly oxidationOnset: number | null;
}

export type WindowRepository = ReturnType<typeof windowRepository>;

export function windowRepository({ db }: Pick<Database, 'db'>) {
  /** Materials of these systems at most `aboveHull` eV/atom above the hull. */
  const near = (functional: string, systems: readonly string[], aboveHull: number) =>
    db
      .selectFrom('material_energy as energy')
      .innerJoin('material', 'material.struct_id', 'energy.struct_id')
      .select(['material.struct_id as structId', 'energy.chemical_system as chemicalSystem'])
      .select('formula_reduced as formulaReduced')
      .where('energy.functional', '=', functional)
      .where('energy.chemical_system', '=', anyOf(systems, 'text'))
      .where('energy.energy_above_hull', '<=', aboveHull)
      .orderBy('material.struct_id');

  return {
    async markedFunctionals(): Promise<string[]> {
      const rows = await db
        .selectFrom('dirty_window')
        .select('functional')
        .distinct()
        .orderBy('functional')
        .execute();
      return rows.map((row) => row.functional);
    },

    async marks(functional: string) {
      return db
        .selectFrom('dirty_window')
        .select(['chemical_system as chemicalSystem', 'stable_changed as stableChanged'])
        .where('functional', '=', functional)
        .orderBy('chemical_system')
        .execute();
    },

    /**
     * Marks the larger systems around those whose stable phases changed. Afterwards each mark stands for its
     * own system only.
     */
    spreadMarks(functional: string, around: readonly string[]): Promise<void> {
      const marks = around.map((chemical_system) => ({ chemical_system }));
      return db.transaction().execute(async (tx) => {
        await tx
          .insertInto('dirty_window')
          .columns(['chemical_system', 'functional', 'stable_changed'])
          .expression(({ selectFrom, val }) =>
            selectFrom(batch('marks', 'dirty_window', marks)).select([
              'marks.chemical_system',
              val(functional).as('functional'),
              sql<boolean>`false`.as('stable_changed'),
            ]),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await tx
          .updateTable('dirty_window')
          .set({ stable_changed: false })
          .where('functional', '=', functional)
          .where('stable_changed', '=', true)
          .execute();
      });
    },

    async markAll(): Promise<void> {
      await db
        .insertInto('dirty_window')
        .columns(['chemical_system', 'functional', 'stable_changed'])
        .expression(({ selectFrom }) =>
          selectFrom('material_energy')
            .select(['chemical_system', 'functional', sql<boolean>`false`.as('stable_changed')])
            .distinct(),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** The ions for which this scale has an entry. */
    async availableIons(functional: string, ions: readonly string[]): Promise<string[]> {
      const material = columnsOf('material');
      const has = db
        .selectFrom('material_energy as energy')
        .innerJoin('material', 'material.struct_id', 'energy.struct_id')
        .select('energy.struct_id')
        .where(sql<boolean>`${material('elements')} @> ARRAY[ion]`)
        .where('energy.functional', '=', functional)
        .where('energy.energy_above_hull', 'is not', null);
      const some = sql<
        string[]
      >`array(SELECT ion FROM unnest(${[...ions]}::text[]) AS ion WHERE EXISTS ${has})`;
      const { available } = await db.selectNoFrom(some.as('available')).executeTakeFirstOrThrow();
      return available;
    },

    targets: (
      functional: string,
      systems: readonly string[],
      aboveHull: number,
    ): Promise<WindowTargetRow[]> => near(functional, systems, aboveHull).execute(),

    async stable(
      functional: string,
      systems: readonly string[],
      tolerance: number,
    ): Promise<StablePhaseRow[]> {
      return near(functional, systems, tolerance)
        .select('energy.formation_energy_per_atom as formationEnergyPerAtom')
        .where('energy.formation_energy_per_atom', 'is not', null)
        .$narrowType<{ formationEnergyPerAtom: NotNull }>()
        .execute();
    },

    /** Replaces the windows of these systems with these ions and removes their marks in one transaction. */
    replace(
      functional: string,
      releaseId: number,
      replaced: ReadonlyMap<string, readonly string[]>,
      windows: readonly WindowRow[],
    ): Promise<void> {
      const pairs = [...replaced].flatMap(([system, ions]) => ions.map((ion) => [system, ion] as const));
      const old = sql<{ system: string; ion: string }>`unnest(
        ${pairs.map(([system]) => system)}::text[], ${pairs.map(([, ion]) => ion)}::text[])`.as<'old'>(
        sql`old (system, ion)`,
      );
      const made = windows.map(({ structId, workingIon, reductionOnset, oxidationOnset }) => ({
        struct_id: structId,
        working_ion: workingIon,
        reduction_onset: reductionOnset,
        oxidation_onset: oxidationOnset,
      }));
      return db.transaction().execute(async (tx) => {
        await tx
          .deleteFrom('electrochemical_window as window')
          .using(['material_energy as energy'])
          .using(old)
          .where('energy.functional', '=', functional)
          .whereRef('energy.chemical_system', '=', 'old.system')
          .whereRef('window.struct_id', '=', 'energy.struct_id')
          .where('window.functional', '=', functional)
          .whereRef('window.working_ion', '=', 'old.ion')
          .execute();
        await tx
          .insertInto('electrochemical_window')
          .columns([
            'struct_id',
            'working_ion',
            'reduction_onset',
            'oxidation_onset',
            'functional',
            'release_id',
          ])
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
    },
  };
}
