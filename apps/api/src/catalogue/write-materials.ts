/** The rows of materials: all tables of one, inserted or replaced. Only SQL. */
import {
  columnTypes,
  type EnergyFieldName,
  rowOf,
  type Scalars,
  type FieldName,
  FIELD_NAMES,
  fieldOf,
} from '@unitcell/material';
import type { Db } from '../infra/database.ts';
import { run } from '../infra/sql.ts';
import { storeArrangements } from './renew/store-arrangements.ts';
import type { StandardMaterial } from './standardise.ts';

/** Inserts objects as rows: the column list comes from SQL types, the values travel as one JSON parameter. */
export async function insertRows(
  tx: Db,
  table: string,
  columns: string,
  rows: readonly object[],
  onConflict = '',
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns
    .split(',')
    .map((column) => column.trim().split(' ')[0])
    .join(', ');
  await run(
    tx,
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM jsonb_to_recordset($1::jsonb) AS row (${columns}) ${onConflict}`,
    [JSON.stringify(rows)],
  );
}

export const hex = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

/** The energies a material is shown with: those of one of its scales. Those of the hull are derived later. */
function shownEnergies(
  { energies, nAtoms }: StandardMaterial,
  defaultFunctional: string,
): Pick<Scalars, EnergyFieldName> {
  const own = energies.find((energy) => energy.functional === defaultFunctional) ?? energies[0];
  const energyPerAtom = own?.energyPerAtom ?? null;
  return {
    functional: own?.functional ?? null,
    energy: energyPerAtom === null ? null : energyPerAtom * nAtoms,
    energyPerAtom,
    formationEnergyPerAtom: own?.formationEnergyPerAtom ?? null,
    energyAboveHull: null,
  };
}

export type Numbered = readonly [structId: number, material: StandardMaterial];

async function insertDetails(tx: Db, materials: readonly Numbered[]): Promise<void> {
  await insertRows(
    tx,
    'material_structure',
    `struct_id int, given jsonb, rotation jsonb, primitive jsonb, conventional jsonb, wyckoffs text[], symprec float8,
     stated jsonb, is_given_kept boolean`,
    materials.map(([struct_id, { given, rotation, primitive, conventional, wyckoffs, symprec, stated }]) => ({
      struct_id,
      given,
      rotation,
      primitive,
      conventional,
      wyckoffs,
      symprec,
      stated,
      is_given_kept: true,
    })),
  );
  await insertRows(
    tx,
    'powder_pattern',
    'struct_id int, pattern bytea',
    materials.map(([struct_id, { pattern }]) => ({ struct_id, pattern: hex(pattern) })),
  );
  await storeArrangements(
    tx,
    materials.map(([structId, { arrangement }]) => [structId, arrangement]),
  );
  await insertProperties(tx, materials);
}

/**
 * The energies of materials. What was derived of one that is there already stays until its hull is derived again, so that the
 * derivation sees what changed; but for elements, whose own derived energies stay 0 when the corner they are moves.
 */
async function putEnergies(tx: Db, materials: readonly Numbered[]): Promise<void> {
  await run(
    tx,
    `DELETE FROM material_energy AS energy WHERE struct_id = ANY($1::int[]) AND NOT EXISTS (
       SELECT FROM unnest($2::int[], $3::text[]) AS kept (struct_id, functional)
       WHERE kept.struct_id = energy.struct_id AND kept.functional = energy.functional)`,
    [
      materials.map(([structId]) => structId),
      materials.flatMap(([structId, { energies }]) => energies.map(() => structId)),
      materials.flatMap(([, { energies }]) => energies.map(({ functional }) => functional)),
    ],
  );
  await insertRows(
    tx,
    'material_energy',
    `struct_id int, functional text, chemical_system text, energy_per_atom float8, given_formation_energy float8,
     formation_energy_per_atom float8, source jsonb`,
    materials.flatMap(([struct_id, material]) =>
      material.energies.map((energy) => ({
        struct_id,
        functional: energy.functional,
        chemical_system: material.chemicalSystem,
        energy_per_atom: energy.energyPerAtom,
        given_formation_energy: energy.formationEnergyPerAtom,
        formation_energy_per_atom: energy.formationEnergyPerAtom,
        source: energy.source,
      })),
    ),
    `ON CONFLICT (struct_id, functional) DO UPDATE SET energy_per_atom = excluded.energy_per_atom,
       given_formation_energy = excluded.given_formation_energy, source = excluded.source,
       energy_above_hull = CASE WHEN material_energy.chemical_system ~ '-' THEN material_energy.energy_above_hull END`,
  );
}

async function insertProperties(tx: Db, materials: readonly Numbered[]): Promise<void> {
  const insert = <T>(
    table: string,
    columns: string,
    resultsOf: (properties: StandardMaterial['properties']) => readonly (T | null)[],
    row: (result: T) => object,
  ): Promise<void> => {
    const rows = materials.flatMap(([struct_id, { properties }]) =>
      resultsOf(properties).flatMap((result) => (result === null ? [] : [{ struct_id, ...row(result) }])),
    );
    return insertRows(tx, table, `struct_id int, ${columns}`, rows);
  };
  const byFunctional = (result: { readonly functional: string }) => ({
    functional: result.functional,
    data: result,
  });
  await insert('band_structure', 'functional text, data jsonb', ({ bands }) => bands, byFunctional);
  await insert('density_of_states', 'functional text, data jsonb', ({ dos }) => dos, byFunctional);
  await insert(
    'elastic_tensor',
    'tensor jsonb',
    ({ tensors }) => [tensors.elastic],
    (tensor) => ({ tensor }),
  );
  await insert(
    'dielectric_tensor',
    'electronic jsonb, total jsonb',
    ({ tensors }) => [tensors.dielectric],
    (tensors) => tensors,
  );
  await insert(
    'piezoelectric_tensor',
    'total jsonb',
    ({ tensors }) => [tensors.piezoelectric],
    (total) => ({ total }),
  );
  await insert(
    'topology',
    'labels text[], rows jsonb',
    ({ topology }) => [topology],
    (table) => table,
  );
}

const rowsOf = (materials: readonly Numbered[], defaultFunctional: string) =>
  materials.map(([structId, material]) => ({
    ...rowOf({ ...material, ...shownEnergies(material, defaultFunctional), structId }),
    provenance: material.provenance,
    content_hash: hex(material.contentHash),
  }));

/** @param defaultFunctional the scale a material shows when it has it */
export async function insertMaterials(
  tx: Db,
  materials: readonly Numbered[],
  defaultFunctional: string,
): Promise<void> {
  await insertRows(
    tx,
    'material',
    `${columnTypes()}, provenance jsonb, content_hash bytea`,
    rowsOf(materials, defaultFunctional),
  );
  await insertDetails(tx, materials);
  await putEnergies(tx, materials);
}

/** What is written of a material besides its row and its energies; windows are derived again when its systems are. */
const DETAILS = [
  'material_structure',
  'powder_pattern',
  'material_prediction',
  'band_structure',
  'density_of_states',
  'elastic_tensor',
  'dielectric_tensor',
  'piezoelectric_tensor',
  'topology',
] as const;

const SET_COLUMNS = FIELD_NAMES.filter((name: FieldName) => name !== 'structId')
  .map((name) => `${fieldOf(name).column} = row.${fieldOf(name).column}`)
  .join(', ');

/** Everything of these materials anew, their hash but: it is what their first line is known by. */
export async function replaceMaterials(
  tx: Db,
  materials: readonly Numbered[],
  defaultFunctional: string,
): Promise<void> {
  const ids = materials.map(([structId]) => structId);
  await run(
    tx,
    `UPDATE material SET ${SET_COLUMNS}, provenance = row.provenance, updated_at = now()
     FROM jsonb_to_recordset($1::jsonb) AS row (${columnTypes()}, provenance jsonb)
     WHERE material.struct_id = row.struct_id`,
    [JSON.stringify(rowsOf(materials, defaultFunctional))],
  );
  for (const table of DETAILS) await run(tx, `DELETE FROM ${table} WHERE struct_id = ANY($1::int[])`, [ids]);
  await insertDetails(tx, materials);
  await putEnergies(tx, materials);
  await run(
    tx,
    `UPDATE material SET formation_energy_per_atom = energy.formation_energy_per_atom,
       energy_above_hull = energy.energy_above_hull
     FROM material_energy AS energy
     WHERE energy.struct_id = material.struct_id AND energy.functional = material.functional
       AND material.struct_id = ANY($1::int[])`,
    [ids],
  );
}

/**
 * What is about to lose energies: the hulls of its systems, and of all around those it is stable in, are to be derived again.
 * A derivation finds out by itself what came and what moved, not what is gone.
 */
export async function markAround(tx: Db, ids: readonly number[]): Promise<void> {
  await markSystemsOf(tx, ids);
  await run(
    tx,
    `INSERT INTO dirty_system (chemical_system, functional)
     SELECT DISTINCT outer_system.chemical_system, outer_system.functional
     FROM (SELECT DISTINCT chemical_system, functional FROM material_energy
           WHERE struct_id = ANY($1::int[]) AND energy_above_hull <= 1e-6) AS stable
     JOIN (SELECT DISTINCT chemical_system, functional FROM material_energy) AS outer_system
       ON outer_system.functional = stable.functional
      AND string_to_array(outer_system.chemical_system, '-') @> string_to_array(stable.chemical_system, '-')
     ON CONFLICT DO NOTHING`,
    [ids],
  );
}

/** The hulls of all systems these materials have an energy in are to be derived again. */
export async function markSystemsOf(tx: Db, ids: readonly number[]): Promise<void> {
  await run(
    tx,
    `INSERT INTO dirty_system (chemical_system, functional)
     SELECT DISTINCT chemical_system, functional FROM material_energy WHERE struct_id = ANY($1::int[])
     ON CONFLICT DO NOTHING`,
    [ids],
  );
}
