/** Energies of chemical systems: only SQL. */
import { ANNOUNCE_CATALOGUE_CHANGE } from '../../plugins/catalogue-cache.ts';
import { type Database, inTransaction } from '../../plugins/database.ts';

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

export interface DerivedEnergy {
  readonly structId: number;
  readonly formationEnergyPerAtom: number | null;
  readonly energyAboveHull: number | null;
  readonly decomposition:
    | readonly { readonly structId: number; readonly formula: string; readonly fraction: number }[]
    | null;
}

/** A system that was derived, and whether other phases are stable in it now. */
export interface DerivedSystemMark {
  readonly chemicalSystem: string;
  readonly stableChanged: boolean;
}

export type HullRepository = ReturnType<typeof hullRepository>;

const COLUMNS = `energy.struct_id AS "structId", energy.chemical_system AS "chemicalSystem",
  material.formula_reduced AS "formulaReduced", energy.energy_per_atom AS "energyPerAtom",
  energy.given_formation_energy AS "givenFormationEnergy",
  energy.formation_energy_per_atom AS "formationEnergyPerAtom", energy.energy_above_hull AS "energyAboveHull"`;

const MARK_DIRTY =
  'INSERT INTO dirty_system (chemical_system, functional) SELECT unnest($1::text[]), $2 ON CONFLICT DO NOTHING';

const MARK_WINDOWS = `
  INSERT INTO dirty_window AS mark (chemical_system, functional, stable_changed)
  SELECT system, $1, changed FROM unnest($2::text[], $3::bool[]) AS derived (system, changed)
  ON CONFLICT (chemical_system, functional)
    DO UPDATE SET stable_changed = mark.stable_changed OR excluded.stable_changed`;

const SAVE_DERIVED = `
  WITH derived AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS row ("structId" int, "formationEnergyPerAtom" float8,
      "energyAboveHull" float8, decomposition jsonb)
  ), saved AS (
    UPDATE material_energy AS energy SET formation_energy_per_atom = derived."formationEnergyPerAtom",
      energy_above_hull = derived."energyAboveHull", decomposition = derived.decomposition, release_id = $3
    FROM derived WHERE energy.struct_id = derived."structId" AND energy.functional = $2
  )
  UPDATE material SET formation_energy_per_atom = derived."formationEnergyPerAtom",
    energy_above_hull = derived."energyAboveHull", updated_at = now()
  FROM derived WHERE material.struct_id = derived."structId" AND material.functional = $2
    AND (material.formation_energy_per_atom, material.energy_above_hull)
      IS DISTINCT FROM (derived."formationEnergyPerAtom", derived."energyAboveHull")`;

export function hullRepository({ pool }: Pick<Database, 'pool'>) {
  return {
    async dirtyFunctionals(): Promise<string[]> {
      const { rows } = await pool.query<{ functional: string }>(
        'SELECT DISTINCT functional FROM dirty_system ORDER BY 1',
      );
      return rows.map((row) => row.functional);
    },

    async dirtySystems(functional: string): Promise<string[]> {
      const { rows } = await pool.query<{ chemical_system: string }>(
        'SELECT chemical_system FROM dirty_system WHERE functional = $1 ORDER BY 1',
        [functional],
      );
      return rows.map((row) => row.chemical_system);
    },

    /** Every chemical system that has an energy on this scale. */
    async systems(functional: string): Promise<string[]> {
      const { rows } = await pool.query<{ chemical_system: string }>(
        'SELECT DISTINCT chemical_system FROM material_energy WHERE functional = $1',
        [functional],
      );
      return rows.map((row) => row.chemical_system);
    },

    async entries(functional: string, systems: readonly string[]): Promise<EnergyRow[]> {
      const { rows } = await pool.query<EnergyRow>(
        `SELECT ${COLUMNS} FROM material_energy AS energy JOIN material USING (struct_id)
         WHERE energy.functional = $1 AND energy.chemical_system = ANY($2::text[]) ORDER BY energy.struct_id`,
        [functional, systems],
      );
      return rows;
    },

    /** The materials on the hull of each of these systems, as the last derivation left them. */
    async stable(functional: string, systems: readonly string[], tolerance: number): Promise<EnergyRow[]> {
      const { rows } = await pool.query<EnergyRow>(
        `SELECT ${COLUMNS} FROM material_energy AS energy JOIN material USING (struct_id)
         WHERE energy.functional = $1 AND energy.chemical_system = ANY($2::text[])
           AND energy.energy_above_hull <= $3 ORDER BY energy.struct_id`,
        [functional, systems, tolerance],
      );
      return rows;
    },

    /**
     * Writes derived energies to the scale's rows and to the materials that show this scale, and marks the hulls
     * and windows that must follow, in one transaction: an interrupted run loses no mark.
     */
    save(
      functional: string,
      releaseId: number,
      derived: readonly DerivedEnergy[],
      newlyDirty: readonly string[],
      systems: readonly DerivedSystemMark[],
    ): Promise<void> {
      const rows = derived.map(({ structId, formationEnergyPerAtom, energyAboveHull, decomposition }) => ({
        structId,
        formationEnergyPerAtom,
        energyAboveHull,
        decomposition,
      }));
      return inTransaction(pool, async (client) => {
        await client.query(SAVE_DERIVED, [JSON.stringify(rows), functional, releaseId]);
        await client.query(MARK_DIRTY, [newlyDirty, functional]);
        await client.query(MARK_WINDOWS, [
          functional,
          systems.map(({ chemicalSystem }) => chemicalSystem),
          systems.map(({ stableChanged }) => stableChanged),
        ]);
        await client.query(ANNOUNCE_CATALOGUE_CHANGE);
      });
    },

    async markDirty(functional: string, systems: readonly string[]): Promise<void> {
      await pool.query(MARK_DIRTY, [systems, functional]);
    },

    async clearDirty(functional: string, systems: readonly string[]): Promise<void> {
      await pool.query(
        'DELETE FROM dirty_system WHERE functional = $1 AND chemical_system = ANY($2::text[])',
        [functional, systems],
      );
    },

    async openRelease(kind: string): Promise<number> {
      const { rows } = await pool.query<{ id: number }>(
        'INSERT INTO release (kind) VALUES ($1) RETURNING id',
        [kind],
      );
      return rows[0]!.id;
    },

    async closeRelease(id: number, summary: object): Promise<void> {
      await pool.query('UPDATE release SET finished_at = now(), summary = $2 WHERE id = $1', [
        id,
        JSON.stringify(summary),
      ]);
      await pool.query(ANNOUNCE_CATALOGUE_CHANGE);
    },

    /**
     * One derivation at a time, in all processes; null when another is under way. The lock lives as long as its session: a
     * connection that was cut has given it back, and is thrown away here so that nobody waits for its return.
     */
    async tryLock(): Promise<(() => Promise<void>) | null> {
      const client = await pool.connect();
      try {
        const { rows } = await client.query<{ locked: boolean }>(
          "SELECT pg_try_advisory_lock(hashtext('unitcell:rederive')) AS locked",
        );
        if (!rows[0]?.locked) {
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
