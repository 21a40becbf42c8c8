/** SQL of compounds that are known to be stable but missing in the catalogue. */
import type { Database } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';

export interface MissingCompoundRow {
  readonly chemicalSystem: string;
  readonly formulaReduced: string;
  readonly isMarginal: boolean;
  /** Formation energies of the lowest known form and of the lowest form in the catalogue, eV/atom. */
  readonly energy: number | null;
  readonly lowest: number | null;
}

export type CompletenessRepository = ReturnType<typeof completenessRepository>;

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
     * Compounds that are stable on the scale but missing from the catalogue, or present only in a form more
     * than `within` (eV/atom) above the lowest known one; in these chemical systems or (null) in all.
     */
    async missing(
      functional: string,
      systems: readonly string[] | null,
      within: number,
    ): Promise<MissingCompoundRow[]> {
      return readDb
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
        .select([
          'known.is_marginal as isMarginal',
          'known.formation_energy_per_atom as energy',
          'held.lowest',
        ])
        .where('known.functional', '=', functional)
        .$if(systems !== null, (query) =>
          query.where('known.chemical_system', '=', anyOf(systems ?? [], 'text')),
        )
        .where(({ or, eb }) =>
          or([
            eb('held.lowest', 'is', null),
            eb('held.lowest', '>', eb('known.formation_energy_per_atom', '+', within)),
          ]),
        )
        .execute();
    },
  };
}
