/** SQL for the energies of chemical systems. */
import { sql } from 'kysely';
import { z } from 'zod';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, batch, checkedRows, json, now, rowVersion } from '../../infra/sql.ts';

/** One energy of one material on one scale. */
export interface EnergyRow {
  readonly structId: number;
  readonly chemicalSystem: string;
  readonly formulaReduced: string;
  /** eV/atom */
  readonly energyPerAtom: number | null;
  readonly givenFormationEnergy: number | null;
  readonly formationEnergyPerAtom: number | null;
  readonly energyAboveHull: number | null;
}

export interface DecompositionProduct {
  readonly structId: number;
  readonly formula: string;
  /** Fraction of the atoms. */
  readonly fraction: number;
}

export interface DerivedEnergy {
  readonly structId: number;
  readonly formationEnergyPerAtom: number | null;
  readonly energyAboveHull: number | null;
  readonly decomposition: readonly DecompositionProduct[] | null;
}

/** A derived system, and whether its set of stable phases changed. */
export interface DerivedSystemMark {
  readonly chemicalSystem: string;
  readonly stableChanged: boolean;
}

/** A mark on a system whose hull must be derived again. Setting the mark again changes its version. */
export interface Mark {
  readonly chemicalSystem: string;
  readonly version: string;
}

/** Tables of systems whose hulls, windows or electrodes must be derived again. */
export type MarkTable = 'dirty_system' | 'dirty_window' | 'dirty_electrode';

export type HullRepository = ReturnType<typeof hullRepository>;

/** Writes derived energies to the rows of the scale and to the materials whose lists show this scale. */
async function saveEnergies(
  tx: Db,
  functional: string,
  releaseId: number,
  derived: readonly DerivedEnergy[],
): Promise<void> {
  const rows = batch(
    'made',
    'material_energy',
    derived.map(({ structId, formationEnergyPerAtom, energyAboveHull, decomposition }) => ({
      struct_id: structId,
      formation_energy_per_atom: formationEnergyPerAtom,
      energy_above_hull: energyAboveHull,
      decomposition,
    })),
  );
  // A single statement: the rows are sent and read once, and one plan is made.
  await tx
    .with('derived', (query) => query.selectFrom(rows).selectAll())
    .with('saved', (query) =>
      query
        .updateTable('material_energy as energy')
        .from('derived')
        .set(({ ref }) => ({
          formation_energy_per_atom: ref('derived.formation_energy_per_atom'),
          energy_above_hull: ref('derived.energy_above_hull'),
          decomposition: ref('derived.decomposition'),
          release_id: releaseId,
        }))
        .whereRef('energy.struct_id', '=', 'derived.struct_id')
        .where('energy.functional', '=', functional),
    )
    .updateTable('material')
    .from('derived')
    .set(({ ref }) => ({
      formation_energy_per_atom: ref('derived.formation_energy_per_atom'),
      energy_above_hull: ref('derived.energy_above_hull'),
      updated_at: now,
    }))
    .whereRef('material.struct_id', '=', 'derived.struct_id')
    .where('material.functional', '=', functional)
    .where((is) =>
      is.or([
        is(
          'material.formation_energy_per_atom',
          'is distinct from',
          is.ref('derived.formation_energy_per_atom'),
        ),
        is('material.energy_above_hull', 'is distinct from', is.ref('derived.energy_above_hull')),
      ]),
    )
    .execute();
}

async function markDirty(on: Db, functional: string, systems: readonly string[]): Promise<void> {
  if (systems.length === 0) return;
  // Sorted: a fixed lock order prevents deadlocks between concurrent markers.
  const marks = systems.toSorted().map((chemical_system) => ({ chemical_system, functional }));
  await on
    .insertInto('dirty_system')
    .columns(['chemical_system', 'functional'])
    .expression(({ selectFrom }) =>
      selectFrom(batch('marks', 'dirty_system', marks))
        .select(['marks.chemical_system', 'marks.functional'])
        // Skips existing marks. An import may have locked one and may wait for rows of this transaction: a
        // deadlock.
        .where(({ not, exists, selectFrom: from }) =>
          not(
            exists(
              from('dirty_system as held')
                .select('held.functional')
                .whereRef('held.chemical_system', '=', 'marks.chemical_system')
                .whereRef('held.functional', '=', 'marks.functional'),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function markWindowsAndElectrodes(
  on: Db,
  functional: string,
  systems: readonly DerivedSystemMark[],
): Promise<void> {
  if (systems.length === 0) return;
  const electrodes = systems.map(({ chemicalSystem }) => ({ chemical_system: chemicalSystem, functional }));
  await on
    .insertInto('dirty_electrode')
    .columns(['chemical_system', 'functional'])
    .expression(({ selectFrom }) =>
      selectFrom(batch('marks', 'dirty_electrode', electrodes)).select([
        'marks.chemical_system',
        'marks.functional',
      ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const marks = systems.map(({ chemicalSystem, stableChanged }) => ({
    chemical_system: chemicalSystem,
    functional,
    stable_changed: stableChanged,
  }));
  await on
    .insertInto('dirty_window')
    .columns(['chemical_system', 'functional', 'stable_changed'])
    .expression(({ selectFrom }) =>
      selectFrom(batch('marks', 'dirty_window', marks)).select([
        'marks.chemical_system',
        'marks.functional',
        'marks.stable_changed',
      ]),
    )
    .onConflict((conflict) =>
      conflict.columns(['chemical_system', 'functional']).doUpdateSet(({ ref }) => ({
        stable_changed: sql<boolean>`${ref('dirty_window.stable_changed')} OR ${ref('excluded.stable_changed')}`,
      })),
    )
    .execute();
}

export function hullRepository({ db, pool }: Pick<Database, 'db' | 'pool'>) {
  const entriesOf = (functional: string, systems: readonly string[]) =>
    db
      .selectFrom('material_energy as energy')
      .innerJoin('material', 'material.struct_id', 'energy.struct_id')
      .select(['energy.struct_id as structId', 'energy.chemical_system as chemicalSystem'])
      .select(['formula_reduced as formulaReduced', 'energy.energy_per_atom as energyPerAtom'])
      .select(['energy.given_formation_energy as givenFormationEnergy'])
      .select(['energy.formation_energy_per_atom as formationEnergyPerAtom'])
      .select(['energy.energy_above_hull as energyAboveHull'])
      .where('energy.functional', '=', functional)
      .where('energy.chemical_system', '=', anyOf(systems, 'text'))
      .orderBy('energy.struct_id');

  return {
    async markedScales(marks: MarkTable): Promise<string[]> {
      const rows = await db.selectFrom(marks).select('functional').distinct().orderBy('functional').execute();
      return rows.map((row) => row.functional);
    },

    async dirtySystems(functional: string): Promise<string[]> {
      const rows = await db
        .selectFrom('dirty_system')
        .select('chemical_system')
        .where('functional', '=', functional)
        .orderBy('chemical_system')
        .execute();
      return rows.map((row) => row.chemical_system);
    },

    /** Every chemical system that has an energy on this scale. */
    async systems(functional: string): Promise<string[]> {
      const rows = await db
        .selectFrom('material_energy')
        .select('chemical_system')
        .distinct()
        .where('functional', '=', functional)
        .execute();
      return rows.map((row) => row.chemical_system);
    },

    async entries(functional: string, systems: readonly string[]): Promise<EnergyRow[]> {
      return entriesOf(functional, systems).execute();
    },

    /** Entries of a scale that have an energy above hull. */
    async countDerived(functional: string): Promise<number> {
      const { count } = await db
        .selectFrom('material_energy')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('functional', '=', functional)
        .where('energy_above_hull', 'is not', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** The materials on the hull of each of these systems according to the last derivation. */
    async stable(functional: string, systems: readonly string[], tolerance: number): Promise<EnergyRow[]> {
      return entriesOf(functional, systems).where('energy.energy_above_hull', '<=', tolerance).execute();
    },

    /**
     * Writes derived energies and marks the dependent hulls, windows and electrodes in one transaction, so no mark is lost
     * when a run is interrupted.
     */
    save(
      functional: string,
      releaseId: number,
      derived: readonly DerivedEnergy[],
      newlyDirty: readonly string[],
      systems: readonly DerivedSystemMark[],
    ): Promise<void> {
      return db.transaction().execute(async (tx) => {
        await saveEnergies(tx, functional, releaseId, derived);
        await markDirty(tx, functional, newlyDirty);
        await markWindowsAndElectrodes(tx, functional, systems);
        await announceCatalogueChange(tx);
      });
    },

    markDirty: (functional: string, systems: readonly string[]): Promise<void> =>
      markDirty(db, functional, systems),

    /** The marks on these systems. Read them before the entries of the systems. */
    async marks(functional: string, systems: readonly string[]): Promise<Mark[]> {
      return db
        .selectFrom('dirty_system')
        .select(['chemical_system as chemicalSystem', rowVersion('dirty_system').as('version')])
        .where('functional', '=', functional)
        .where('chemical_system', '=', anyOf(systems, 'text'))
        .execute();
    },

    /**
     * Removes marks, except those that were set again since they were read: their systems have newer entries.
     * A mark that another transaction has locked is skipped, because it is being set again.
     */
    async clearDirty(functional: string, marks: readonly Mark[]): Promise<void> {
      const read = sql<Mark>`unnest(
        ${marks.map(({ chemicalSystem }) => chemicalSystem)}::text[], ${marks.map((mark) => mark.version)}::text[])`;
      const unchanged = db
        .selectFrom('dirty_system as mark')
        .innerJoin(read.as<'read'>(sql`read ("chemicalSystem", version)`), (join) =>
          join
            .onRef('read.chemicalSystem', '=', 'mark.chemical_system')
            .on(rowVersion('mark'), '=', sql.ref<string>('read.version')),
        )
        .select('mark.chemical_system')
        .where('mark.functional', '=', functional)
        .forUpdate('mark')
        .skipLocked();
      await db
        .deleteFrom('dirty_system')
        .where('functional', '=', functional)
        .where('chemical_system', 'in', unchanged)
        .execute();
    },

    async openRelease(kind: string): Promise<number> {
      const { id } = await db
        .insertInto('release')
        .values({ kind })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async closeRelease(id: number, summary: object): Promise<void> {
      await db
        .updateTable('release')
        .set({ finished_at: now, summary: json(summary) })
        .where('id', '=', id)
        .execute();
      await announceCatalogueChange(db);
    },

    /**
     * Allows one derivation at a time over all processes; null when another one is running. The lock belongs
     * to the database session. If the connection was cut, PostgreSQL has released the lock already, and the
     * connection is destroyed instead of returned to the pool.
     */
    async tryLock(): Promise<(() => Promise<void>) | null> {
      const client = await pool.connect();
      try {
        const [lock] = await checkedRows(
          client,
          "SELECT pg_try_advisory_lock(hashtext('unitcell:rederive')) AS taken",
          z.object({ taken: z.boolean() }),
        );
        if (!lock?.taken) {
          client.release();
          return null;
        }
      } catch (error) {
        client.release(error as Error);
        throw error;
      }
      return async () => {
        const unlocked = client.query("SELECT pg_advisory_unlock(hashtext('unitcell:rederive'))");
        client.release(
          await unlocked.then(
            () => undefined,
            (error: Error) => error,
          ),
        );
      };
    },
  };
}
