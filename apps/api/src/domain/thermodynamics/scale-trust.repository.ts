/** Energies on two scales, and what is written of a scale's failures: only SQL. */
import type { NotNull } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';

export interface EnergyPairRow {
  readonly formulaReduced: string;
  /** eV/atom */
  readonly computed: number;
  /** eV/atom */
  readonly measured: number;
}

export type ScaleTrustRepository = ReturnType<typeof scaleTrustRepository>;

export function scaleTrustRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    /** Compounds with a formation energy on both scales. */
    async pairs(functional: string, measuredScale: string): Promise<EnergyPairRow[]> {
      return readDb
        .selectFrom('material_energy as measured')
        .innerJoin('material_energy as computed', 'computed.struct_id', 'measured.struct_id')
        .innerJoin('material', 'material.struct_id', 'measured.struct_id')
        .select('material.formula_reduced as formulaReduced')
        .select('computed.formation_energy_per_atom as computed')
        .select('measured.formation_energy_per_atom as measured')
        .where('measured.functional', '=', measuredScale)
        .where('computed.functional', '=', functional)
        .where('measured.formation_energy_per_atom', 'is not', null)
        .where('computed.formation_energy_per_atom', 'is not', null)
        .$narrowType<{ computed: NotNull; measured: NotNull }>()
        .execute();
    },

    /** `provenance.scale_failures` of these materials, as it was imported. */
    async failures(structIds: readonly number[]): Promise<unknown[]> {
      const rows = await readDb
        .selectFrom('material')
        .select(sql`provenance -> 'scale_failures'`.as('failures'))
        .where('struct_id', '=', anyOf(structIds, 'int'))
        .where(sql<boolean>`provenance ? 'scale_failures'`)
        .orderBy('struct_id')
        .execute();
      return rows.map(({ failures }) => failures);
    },
  };
}
