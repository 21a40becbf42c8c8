/** Energies of chemical systems as phase diagrams need them: only SQL. */
import type { Database } from './database.ts';

/** One material on one energy scale. */
export interface StoredPhase {
  readonly structId: number;
  readonly formulaReduced: string;
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
  readonly spaceGroup: string;
}

export interface CountedScale {
  readonly functional: string;
  /** Materials with an energy on it. */
  readonly materials: number;
}

/** A rebuild of hulls, with the day it was finished. */
export interface Release {
  readonly id: number;
  readonly date: string;
}

export type PhaseEntriesRepository = ReturnType<typeof phaseEntriesRepository>;

const PHASES = `SELECT struct_id AS "structId", formula_reduced AS "formulaReduced", space_group AS "spaceGroup",
    energy.formation_energy_per_atom AS "formationEnergyPerAtom"
  FROM material_energy AS energy JOIN material USING (struct_id)
  WHERE energy.functional = $1 AND energy.formation_energy_per_atom IS NOT NULL`;

export function phaseEntriesRepository({ readPool }: Pick<Database, 'readPool'>) {
  return {
    /** Every material of these chemical systems. */
    async phases(functional: string, systems: readonly string[]): Promise<StoredPhase[]> {
      const { rows } = await readPool.query<StoredPhase>(
        `${PHASES} AND energy.chemical_system = ANY($2::text[]) ORDER BY struct_id`,
        [functional, systems],
      );
      return rows;
    },

    /** The materials at most `tolerance` eV/atom above the hull of their own system, hence of every other. */
    async stablePhases(
      functional: string,
      systems: readonly string[],
      tolerance: number,
    ): Promise<StoredPhase[]> {
      const { rows } = await readPool.query<StoredPhase>(
        `${PHASES} AND energy.chemical_system = ANY($2::text[]) AND energy.energy_above_hull <= $3
         ORDER BY struct_id`,
        [functional, systems, tolerance],
      );
      return rows;
    },

    async lowestOfFormula(functional: string, formulaReduced: string): Promise<StoredPhase | null> {
      const { rows } = await readPool.query<StoredPhase>(
        `${PHASES} AND formula_reduced = $2 ORDER BY energy.formation_energy_per_atom, struct_id LIMIT 1`,
        [functional, formulaReduced],
      );
      return rows[0] ?? null;
    },

    /** A material; its energy is null when this scale has none of it. */
    async material(
      functional: string,
      structId: number,
    ): Promise<{
      readonly formulaReduced: string;
      readonly spaceGroup: string;
      readonly formationEnergyPerAtom: number | null;
    } | null> {
      const { rows } = await readPool.query<{
        formulaReduced: string;
        spaceGroup: string;
        formationEnergyPerAtom: number | null;
      }>(
        `SELECT formula_reduced AS "formulaReduced", space_group AS "spaceGroup",
                energy.formation_energy_per_atom AS "formationEnergyPerAtom"
         FROM material LEFT JOIN material_energy AS energy
           ON energy.struct_id = material.struct_id AND energy.functional = $1
         WHERE material.struct_id = $2`,
        [functional, structId],
      );
      return rows[0] ?? null;
    },

    /** Total energy per atom of the lowest entry of each element, where this scale has total energies. */
    async elementalEnergies(functional: string, elements: readonly string[]): Promise<Map<string, number>> {
      const { rows } = await readPool.query<{ element: string; energy: number }>(
        `SELECT chemical_system AS element, min(energy_per_atom) AS energy FROM material_energy
         WHERE functional = $1 AND chemical_system = ANY($2::text[]) AND energy_per_atom IS NOT NULL GROUP BY 1`,
        [functional, elements],
      );
      return new Map(rows.map(({ element, energy }) => [element, energy]));
    },

    /** All scales that have energies, the largest first. */
    async scales(): Promise<readonly CountedScale[]> {
      const { rows } = await readPool.query<CountedScale>(
        'SELECT functional, count(*)::int AS materials FROM material_energy GROUP BY 1 ORDER BY 2 DESC, 1',
      );
      return rows;
    },

    /** The last finished rebuild of the hulls of each scale. */
    async releases(functionals: readonly string[]): Promise<Map<string, Release>> {
      const { rows } = await readPool.query<Release & { readonly functional: string }>(
        `SELECT DISTINCT ON (1) summary ->> 'functional' AS functional, id,
                to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date
         FROM release
         WHERE kind = 'hulls' AND finished_at IS NOT NULL AND summary ->> 'functional' = ANY($1::text[])
         ORDER BY 1, id DESC`,
        [functionals],
      );
      return new Map(rows.map(({ functional, id, date }) => [functional, { id, date }]));
    },
  };
}
