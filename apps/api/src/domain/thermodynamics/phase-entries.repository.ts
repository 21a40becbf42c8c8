/** Energies of chemical systems as phase diagrams need them: only SQL. */
import { type NotNull, sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { anyOf, currentStructId } from '../../infra/sql.ts';

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

export function phaseEntriesRepository({ readDb }: Pick<Database, 'readDb'>) {
  const phasesOf = (functional: string) =>
    readDb
      .selectFrom('material_energy as energy')
      .innerJoin('material', 'material.struct_id', 'energy.struct_id')
      .select(['material.struct_id as structId', 'formula_reduced as formulaReduced'])
      .select(['space_group as spaceGroup', 'energy.formation_energy_per_atom as formationEnergyPerAtom'])
      .where('energy.functional', '=', functional)
      .where('energy.formation_energy_per_atom', 'is not', null)
      .$narrowType<{ formationEnergyPerAtom: NotNull }>();

  return {
    /** Every material of these chemical systems. */
    async phases(functional: string, systems: readonly string[]): Promise<StoredPhase[]> {
      return phasesOf(functional)
        .where('energy.chemical_system', '=', anyOf(systems, 'text'))
        .orderBy('material.struct_id')
        .execute();
    },

    /** The materials at most `tolerance` eV/atom above the hull of their own system, hence of every other. */
    async stablePhases(
      functional: string,
      systems: readonly string[],
      tolerance: number,
    ): Promise<StoredPhase[]> {
      return phasesOf(functional)
        .where('energy.chemical_system', '=', anyOf(systems, 'text'))
        .where('energy.energy_above_hull', '<=', tolerance)
        .orderBy('material.struct_id')
        .execute();
    },

    async lowestOfFormula(functional: string, formulaReduced: string): Promise<StoredPhase | null> {
      const lowest = await phasesOf(functional)
        .where('formula_reduced', '=', formulaReduced)
        .orderBy('energy.formation_energy_per_atom')
        .orderBy('material.struct_id')
        .limit(1)
        .executeTakeFirst();
      return lowest ?? null;
    },

    /** A material; its energy is null when this scale has none of it. */
    async material(functional: string, structId: number) {
      const found = await readDb
        .selectFrom('material')
        .leftJoin('material_energy as energy', (join) =>
          join.onRef('energy.struct_id', '=', 'material.struct_id').on('energy.functional', '=', functional),
        )
        .select(['material.struct_id as structId', 'formula_reduced as formulaReduced'])
        .select('space_group as spaceGroup')
        .select('energy.formation_energy_per_atom as formationEnergyPerAtom')
        .where('material.struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },

    /** Total energy per atom of the lowest entry of each element, where this scale has total energies. */
    async elementalEnergies(functional: string, elements: readonly string[]): Promise<Map<string, number>> {
      const rows = await readDb
        .selectFrom('material_energy')
        .select(({ fn }) => ['chemical_system', fn.min('energy_per_atom').as('energy')])
        .where('functional', '=', functional)
        .where('chemical_system', '=', anyOf(elements, 'text'))
        .where('energy_per_atom', 'is not', null)
        .groupBy('chemical_system')
        .$narrowType<{ energy: NotNull }>()
        .execute();
      return new Map(rows.map(({ chemical_system, energy }) => [chemical_system, energy]));
    },

    /** All scales that have energies, the largest first. */
    async scales(): Promise<readonly CountedScale[]> {
      return readDb
        .selectFrom('material_energy')
        .select(['functional', sql<number>`count(*)::int`.as('materials')])
        .groupBy('functional')
        .orderBy('materials', 'desc')
        .orderBy('functional')
        .execute();
    },

    /** The last finished rebuild of the hulls of each scale. */
    async releases(functionals: readonly string[]): Promise<Map<string, Release>> {
      const functional = sql<string>`summary ->> 'functional'`;
      const rows = await readDb
        .selectFrom('release')
        .distinctOn(functional)
        .select([functional.as('functional'), 'id'])
        .select(sql<string>`to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`.as('date'))
        .where('kind', '=', 'hulls')
        .where('finished_at', 'is not', null)
        .where(functional, '=', anyOf(functionals, 'text'))
        .orderBy(functional)
        .orderBy('id', 'desc')
        .execute();
      return new Map(rows.map((row) => [row.functional, { id: row.id, date: row.date }]));
    },
  };
}
