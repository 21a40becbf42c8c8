/** Electrochemical windows and their marks: only SQL. */
import { ANNOUNCE_CATALOGUE_CHANGE } from '../../plugins/catalogue-cache.ts';
import { type Database, inTransaction } from '../../plugins/database.ts';

/** A material near the hull, to be given windows. */
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

/** Systems around a changed one: those that hold all its elements, a working ion aside, which any window adds. */
const MARK = `INSERT INTO dirty_window (chemical_system, functional, stable_changed)
  SELECT unnest($2::text[]), $1, false ON CONFLICT DO NOTHING`;

const SAVE = `INSERT INTO electrochemical_window
    (struct_id, working_ion, functional, reduction_onset, oxidation_onset, release_id)
  SELECT struct_id, working_ion, $1, reduction_onset, oxidation_onset, $2
  FROM unnest($3::int[], $4::text[], $5::float8[], $6::float8[])
    AS made (struct_id, working_ion, reduction_onset, oxidation_onset)`;

export function windowRepository({ pool }: Pick<Database, 'pool'>) {
  return {
    async markedFunctionals(): Promise<string[]> {
      const { rows } = await pool.query<{ functional: string }>(
        'SELECT DISTINCT functional FROM dirty_window ORDER BY 1',
      );
      return rows.map((row) => row.functional);
    },

    async marks(
      functional: string,
    ): Promise<readonly { readonly chemicalSystem: string; readonly stableChanged: boolean }[]> {
      const { rows } = await pool.query<{ chemicalSystem: string; stableChanged: boolean }>(
        `SELECT chemical_system AS "chemicalSystem", stable_changed AS "stableChanged"
         FROM dirty_window WHERE functional = $1 ORDER BY 1`,
        [functional],
      );
      return rows;
    },

    /** Marks the systems around those whose stable phases changed; from then on every mark stands for itself. */
    spreadMarks(functional: string, around: readonly string[]): Promise<void> {
      return inTransaction(pool, async (client) => {
        await client.query(MARK, [functional, around]);
        await client.query(
          'UPDATE dirty_window SET stable_changed = false WHERE functional = $1 AND stable_changed',
          [functional],
        );
      });
    },

    async markAll(): Promise<void> {
      await pool.query(
        `INSERT INTO dirty_window (chemical_system, functional, stable_changed)
         SELECT DISTINCT chemical_system, functional, false FROM material_energy ON CONFLICT DO NOTHING`,
      );
    },

    async systems(functional: string): Promise<string[]> {
      const { rows } = await pool.query<{ chemical_system: string }>(
        'SELECT DISTINCT chemical_system FROM material_energy WHERE functional = $1',
        [functional],
      );
      return rows.map((row) => row.chemical_system);
    },

    /** Those of `ions` that something on this scale is made of. */
    async availableIons(functional: string, ions: readonly string[]): Promise<string[]> {
      const { rows } = await pool.query<{ ion: string }>(
        `SELECT ion FROM unnest($2::text[]) WITH ORDINALITY AS wanted (ion, place)
         WHERE EXISTS (SELECT FROM material_energy WHERE functional = $1 AND chemical_system = ion
                       AND energy_above_hull IS NOT NULL)
            OR EXISTS (SELECT FROM material JOIN material_energy AS energy USING (struct_id)
                       WHERE elements @> ARRAY[ion] AND energy.functional = $1
                       AND energy.energy_above_hull IS NOT NULL)
         ORDER BY place`,
        [functional, ions],
      );
      return rows.map((row) => row.ion);
    },

    /** Materials of these systems at most `aboveHull` eV/atom above the hull. */
    async targets(
      functional: string,
      systems: readonly string[],
      aboveHull: number,
    ): Promise<WindowTargetRow[]> {
      const { rows } = await pool.query<WindowTargetRow>(
        `SELECT struct_id AS "structId", energy.chemical_system AS "chemicalSystem",
                formula_reduced AS "formulaReduced"
         FROM material_energy AS energy JOIN material USING (struct_id)
         WHERE energy.functional = $1 AND energy.chemical_system = ANY($2::text[])
           AND energy.energy_above_hull <= $3 ORDER BY struct_id`,
        [functional, systems, aboveHull],
      );
      return rows;
    },

    async stable(
      functional: string,
      systems: readonly string[],
      tolerance: number,
    ): Promise<StablePhaseRow[]> {
      const { rows } = await pool.query<StablePhaseRow>(
        `SELECT struct_id AS "structId", energy.chemical_system AS "chemicalSystem",
                formula_reduced AS "formulaReduced",
                energy.formation_energy_per_atom AS "formationEnergyPerAtom"
         FROM material_energy AS energy JOIN material USING (struct_id)
         WHERE energy.functional = $1 AND energy.chemical_system = ANY($2::text[])
           AND energy.energy_above_hull <= $3 ORDER BY struct_id`,
        [functional, systems, tolerance],
      );
      return rows;
    },

    /** Replaces the windows of these systems against these ions and takes their marks away, in one transaction. */
    replace(
      functional: string,
      releaseId: number,
      replaced: ReadonlyMap<string, readonly string[]>,
      windows: readonly WindowRow[],
    ): Promise<void> {
      const pairs = [...replaced].flatMap(([system, ions]) => ions.map((ion) => [system, ion] as const));
      return inTransaction(pool, async (client) => {
        await client.query(
          `DELETE FROM electrochemical_window AS made
           USING material_energy AS energy, unnest($2::text[], $3::text[]) AS old (chemical_system, working_ion)
           WHERE energy.functional = $1 AND energy.chemical_system = old.chemical_system
             AND made.struct_id = energy.struct_id AND made.functional = $1 AND made.working_ion = old.working_ion`,
          [functional, pairs.map(([system]) => system), pairs.map(([, ion]) => ion)],
        );
        await client.query(SAVE, [
          functional,
          releaseId,
          windows.map((row) => row.structId),
          windows.map((row) => row.workingIon),
          windows.map((row) => row.reductionOnset),
          windows.map((row) => row.oxidationOnset),
        ]);
        await client.query(
          'DELETE FROM dirty_window WHERE functional = $1 AND chemical_system = ANY($2::text[])',
          [functional, [...replaced.keys()]],
        );
        await client.query(ANNOUNCE_CATALOGUE_CHANGE);
      });
    },
  };
}
