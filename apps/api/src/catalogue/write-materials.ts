/** Inserts or replaces the rows of materials in all tables. Only SQL. */
import {
  type EnergyFieldName,
  FIELD_NAMES,
  type FieldName,
  fields,
  ON_HULL,
  rowOf,
  type Scalars,
} from '@unitcell/material';
import { type OnConflictBuilder, sql } from 'kysely';
import type { DB } from '../generated/tables/tables.ts';
import type { Db } from '../infra/database.ts';
import { anyOf, batch, columnsOf, insertRows, now } from '../infra/sql.ts';
import type { StandardMaterial } from './standardise.ts';
import type { StoredArrangement } from './data-migrations/migrate-cells.ts';

/** The energies shown for a material; all are on the same scale. Hull energies are derived later. */
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

const idsOf = (materials: readonly Numbered[]): number[] => materials.map(([structId]) => structId);

async function insertDetails(tx: Db, materials: readonly Numbered[]): Promise<void> {
  await insertRows(
    tx,
    'material_structure',
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
    materials.map(([struct_id, { pattern }]) => ({ struct_id, pattern: Buffer.from(pattern) })),
  );
  await storeArrangements(
    tx,
    materials.map(([structId, { arrangement }]) => [structId, arrangement]),
  );
  await insertProperties(tx, materials);
}

/**
 * Writes the energies of materials. Derived values of an existing entry stay until its hull is derived again,
 * so that the derivation detects the change. Elements are the exception: their derived energies stay 0 when the
 * corner of the hull moves.
 */
async function putEnergies(tx: Db, materials: readonly Numbered[]): Promise<void> {
  const rows = materials.flatMap(([struct_id, material]) =>
    material.energies.map((energy) => ({
      struct_id,
      functional: energy.functional,
      chemical_system: material.chemicalSystem,
      energy_per_atom: energy.energyPerAtom,
      given_formation_energy: energy.formationEnergyPerAtom,
      formation_energy_per_atom: energy.formationEnergyPerAtom,
      source: energy.source,
    })),
  );
  const kept = batch(
    'kept',
    'material_energy',
    rows.map(({ struct_id, functional }) => ({ struct_id, functional })),
  );
  await tx
    .deleteFrom('material_energy as energy')
    .where('struct_id', '=', anyOf(idsOf(materials), 'int'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(kept)
            .select('kept.struct_id')
            .whereRef('kept.struct_id', '=', 'energy.struct_id')
            .whereRef('kept.functional', '=', 'energy.functional'),
        ),
      ),
    )
    .execute();
  if (rows.length === 0) return;
  const columns = [
    'struct_id',
    'functional',
    'chemical_system',
    'energy_per_atom',
    'given_formation_energy',
    'formation_energy_per_atom',
    'source',
  ] as const;
  await tx
    .insertInto('material_energy')
    .columns(columns)
    .expression(({ selectFrom }) => selectFrom(batch('made', 'material_energy', rows)).select(columns))
    .onConflict((conflict) =>
      conflict.columns(['struct_id', 'functional']).doUpdateSet(({ ref, eb }) => ({
        energy_per_atom: ref('excluded.energy_per_atom'),
        given_formation_energy: ref('excluded.given_formation_energy'),
        source: ref('excluded.source'),
        energy_above_hull: eb
          .case()
          .when('material_energy.chemical_system', '~', '-')
          .then(ref('material_energy.energy_above_hull'))
          .end(),
      })),
    )
    .execute();
}

type Properties = StandardMaterial['properties'];

async function insertProperties(tx: Db, materials: readonly Numbered[]): Promise<void> {
  /** The details of one kind for each material, with its id. */
  const each = <T>(
    resultsOf: (properties: Properties) => readonly (T | null)[],
  ): readonly (readonly [struct_id: number, result: T])[] =>
    materials.flatMap(([structId, { properties }]) =>
      resultsOf(properties).flatMap((result) => (result === null ? [] : [[structId, result] as const])),
    );
  const bands = each(({ bands: results }) => results);
  await insertRows(
    tx,
    'band_structure',
    bands.map(([struct_id, data]) => ({ struct_id, functional: data.functional, data })),
  );
  const dos = each(({ dos: results }) => results);
  await insertRows(
    tx,
    'density_of_states',
    dos.map(([struct_id, data]) => ({ struct_id, functional: data.functional, data })),
  );
  const phonons = each(({ phonons: results }) => results);
  await insertRows(
    tx,
    'phonon_spectrum',
    phonons.map(([struct_id, data]) => ({ struct_id, functional: data.functional, data })),
  );
  const elastic = each(({ tensors }) => [tensors.elastic]);
  await insertRows(
    tx,
    'elastic_tensor',
    elastic.map(([struct_id, tensor]) => ({ struct_id, tensor })),
  );
  const dielectric = each(({ tensors }) => [tensors.dielectric]);
  await insertRows(
    tx,
    'dielectric_tensor',
    dielectric.map(([struct_id, { electronic, total }]) => ({ struct_id, electronic, total: total ?? null })),
  );
  const piezoelectric = each(({ tensors }) => [tensors.piezoelectric]);
  await insertRows(
    tx,
    'piezoelectric_tensor',
    piezoelectric.map(([struct_id, total]) => ({ struct_id, total })),
  );
  const tables = each(({ topology }) => [topology]);
  await insertRows(
    tx,
    'topology',
    tables.map(([struct_id, { labels, rows }]) => ({ struct_id, labels, rows })),
  );
}

/** The row of a material: one column per scalar. */
type ScalarRow = { readonly [Name in FieldName as (typeof fields)[Name]['column']]: Scalars[Name] };

const rowsOf = (materials: readonly Numbered[], defaultFunctional: string) =>
  materials.map(([structId, material]) => ({
    ...(rowOf({ ...material, ...shownEnergies(material, defaultFunctional), structId }) as ScalarRow),
    provenance: material.provenance,
    content_hash: Buffer.from(material.contentHash),
  }));

/** @param defaultFunctional the scale on which a material is listed if it has an energy on that scale */
export async function insertMaterials(
  tx: Db,
  materials: readonly Numbered[],
  defaultFunctional: string,
): Promise<void> {
  await insertRows(tx, 'material', rowsOf(materials, defaultFunctional));
  await insertDetails(tx, materials);
  await putEnergies(tx, materials);
}

/**
 * Tables whose rows are deleted and inserted again when a material is replaced. Its windows are derived again
 * with their systems.
 */
const DETAILS = [
  'material_structure',
  'powder_pattern',
  'material_prediction',
  'potential_prediction',
  'band_structure',
  'density_of_states',
  'phonon_spectrum',
  'elastic_tensor',
  'dielectric_tensor',
  'piezoelectric_tensor',
  'topology',
] as const;

const SET_COLUMNS = FIELD_NAMES.filter((name) => name !== 'structId').map((name) => fields[name].column);

/**
 * Replaces everything of these materials except the hash, which identifies the first imported line of each
 * material.
 */
export async function replaceMaterials(
  tx: Db,
  materials: readonly Numbered[],
  defaultFunctional: string,
): Promise<void> {
  const ids = idsOf(materials);
  await tx
    .updateTable('material')
    .from(batch('row', 'material', rowsOf(materials, defaultFunctional)))
    .set(({ ref }) => ({
      ...(Object.fromEntries(SET_COLUMNS.map((column) => [column, ref(`row.${column}`)])) as Record<
        (typeof SET_COLUMNS)[number],
        never
      >),
      provenance: ref('row.provenance'),
      updated_at: now,
    }))
    .whereRef('material.struct_id', '=', 'row.struct_id')
    .execute();
  for (const table of DETAILS)
    await tx.deleteFrom(table).where('struct_id', '=', anyOf(ids, 'int')).execute();
  await insertDetails(tx, materials);
  await putEnergies(tx, materials);
  await tx
    .updateTable('material')
    .from('material_energy as energy')
    .set(({ ref }) => ({
      formation_energy_per_atom: ref('energy.formation_energy_per_atom'),
      energy_above_hull: ref('energy.energy_above_hull'),
    }))
    .whereRef('energy.struct_id', '=', 'material.struct_id')
    .whereRef('energy.functional', '=', 'material.functional')
    .where('material.struct_id', '=', anyOf(ids, 'int'))
    .execute();
}

/**
 * A mark that exists gets another version, so that a derivation that read it before does not remove it. Marks are set in
 * a fixed order, because they stay locked until the transaction ends.
 */
const markedAgain = (conflict: OnConflictBuilder<DB, 'dirty_system'>) =>
  conflict
    .columns(['chemical_system', 'functional'])
    .doUpdateSet(({ ref }) => ({ marked_at: ref('dirty_system.marked_at') }));

/**
 * Marks hulls before energies are deleted: the hulls of the material's own systems and, where it is stable, of
 * all larger systems. A derivation detects new and changed entries by itself, but not deleted ones.
 */
export async function markAround(tx: Db, ids: readonly number[]): Promise<void> {
  await markSystemsOf(tx, ids);
  const systems = tx.selectFrom('material_energy').select(['chemical_system', 'functional']).distinct();
  const [stable, around] = [columnsOf('material_energy', 'stable'), columnsOf('material_energy', 'around')];
  await tx
    .insertInto('dirty_system')
    .columns(['chemical_system', 'functional'])
    .expression(({ selectFrom }) =>
      selectFrom(
        systems
          .where('struct_id', '=', anyOf(ids, 'int'))
          .where('energy_above_hull', '<=', ON_HULL)
          .as('stable'),
      )
        .innerJoin(systems.as('around'), (join) =>
          join
            .onRef('around.functional', '=', 'stable.functional')
            .on(
              sql<boolean>`string_to_array(${around('chemical_system')}, '-') @> string_to_array(${stable('chemical_system')}, '-')`,
            ),
        )
        .select(['around.chemical_system', 'around.functional'])
        .distinct()
        .orderBy('around.chemical_system')
        .orderBy('around.functional'),
    )
    .onConflict(markedAgain)
    .execute();
}

/** Marks the hulls of all systems in which these materials have an energy. */
export async function markSystemsOf(tx: Db, ids: readonly number[]): Promise<void> {
  await tx
    .insertInto('dirty_system')
    .columns(['chemical_system', 'functional'])
    .expression(({ selectFrom }) =>
      selectFrom('material_energy')
        .select(['chemical_system', 'functional'])
        .distinct()
        .where('struct_id', '=', anyOf(ids, 'int'))
        .orderBy('chemical_system')
        .orderBy('functional'),
    )
    .onConflict(markedAgain)
    .execute();
}

/** Writes arrangements and replaces older ones. @returns the number of arrangements that are new or changed */
export async function storeArrangements(
  db: Db,
  arrangements: readonly (readonly [structId: number, arrangement: StoredArrangement])[],
): Promise<number> {
  const rows = arrangements.map(([struct_id, { prototype, vector, landmarks }]) => ({
    struct_id,
    prototype,
    vector: Buffer.from(vector),
    to_close: landmarks[0],
    to_diamond: landmarks[1],
    to_salt: landmarks[2],
  }));
  const columns = ['struct_id', 'prototype', 'vector', 'to_close', 'to_diamond', 'to_salt'] as const;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('structure_arrangement')
    .columns(columns)
    .expression(({ selectFrom }) => selectFrom(batch('made', 'structure_arrangement', rows)).select(columns))
    .onConflict((conflict) =>
      conflict
        .column('struct_id')
        .doUpdateSet(({ ref }) => ({
          prototype: ref('excluded.prototype'),
          vector: ref('excluded.vector'),
          to_close: ref('excluded.to_close'),
          to_diamond: ref('excluded.to_diamond'),
          to_salt: ref('excluded.to_salt'),
        }))
        .where(sql<boolean>`(structure_arrangement.*) IS DISTINCT FROM (excluded.*)`),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0);
}
