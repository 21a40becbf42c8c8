/** Energies of materials without crystals, for tests and benchmarks of large chemical systems. */
import { chemicalSystem, displayFormula, parseFormula, reducedFormula } from '@unitcell/crystal';
import type { Database } from '../infra/database.ts';

export interface BareEnergy {
  readonly structId: number;
  readonly formula: string;
  /** eV/atom */
  readonly formationEnergyPerAtom: number;
}

const STORE = `
  WITH row AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS row (id int, shown text, reduced text, system text, energy float8)
  ), stored AS (
    INSERT INTO material (struct_id, formula, formula_reduced, formula_anonymous, chemical_system, elements, nelements,
      nsites, space_group_number, space_group, hall, point_group, crystal_system, lattice_type, volume, density,
      functional, source_name, source_id, source_licence, content_hash)
    SELECT id, shown, reduced, '', system, string_to_array(system, '-'),
      cardinality(string_to_array(system, '-')), 1, 1, 'P1', 'P 1', '1', 'triclinic', 'triclinic', 1, 1,
      $2, 'test', '', 'CC0', int4send(id)
    FROM row
  ), energies AS (
    INSERT INTO material_energy (struct_id, functional, chemical_system, given_formation_energy)
    SELECT id, $2, system, energy FROM row
  )
  INSERT INTO dirty_system (chemical_system, functional) SELECT DISTINCT system, $2 FROM row ON CONFLICT DO NOTHING`;

/** Stores energies and marks their systems, but derives nothing. */
export async function storeEnergies(
  database: Pick<Database, 'pool'>,
  functional: string,
  energies: readonly BareEnergy[],
): Promise<void> {
  const rows = energies.map(({ structId, formula, formationEnergyPerAtom }) => {
    const composition = parseFormula(formula);
    return {
      id: structId,
      shown: displayFormula(composition),
      reduced: reducedFormula(composition),
      system: chemicalSystem(composition),
      energy: formationEnergyPerAtom,
    };
  });
  await database.pool.query(STORE, [JSON.stringify(rows), functional]);
}
