/** Writing materials: a batch per transaction, with the progress of its file, so that both are there or neither. */
import { columnTypes, type EnergyFieldName, rowOf, type Scalars } from '@unitcell/material';
import type pg from 'pg';
import { ANNOUNCE_CATALOGUE_CHANGE } from '../infra/catalogue-cache.ts';
import { type Database, inTransaction } from '../infra/database.ts';
import { storeArrangements } from './derive/store-arrangements.ts';
import type { StandardMaterial } from './standardise.ts';

export interface StoredBatch {
  readonly accepted: number;
  readonly duplicates: number;
  /** Materials whose struct_id belongs to another material already. */
  readonly taken: readonly number[];
  readonly structIds: readonly number[];
}

export interface FileProgress {
  readonly id: number;
  readonly unitsDone: number;
  readonly accepted: number;
  readonly refused: number;
  readonly duplicates: number;
  readonly isFinished: boolean;
}

export type MaterialsRepository = ReturnType<typeof materialsRepository>;

/** Inserts objects as rows: the column list comes from SQL types, the values travel as one JSON parameter. */
async function insertRows(
  client: pg.PoolClient,
  table: string,
  columns: string,
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const names = columns
    .split(',')
    .map((column) => column.trim().split(' ')[0])
    .join(', ');
  await client.query(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM jsonb_to_recordset($1::jsonb) AS row (${columns})`,
    [JSON.stringify(rows)],
  );
}

const hex = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

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

type Numbered = readonly [structId: number, material: StandardMaterial];

async function insertDetails(client: pg.PoolClient, materials: readonly Numbered[]): Promise<void> {
  await insertRows(
    client,
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
    client,
    'powder_pattern',
    'struct_id int, pattern bytea',
    materials.map(([struct_id, { pattern }]) => ({ struct_id, pattern: hex(pattern) })),
  );
  await storeArrangements(
    client,
    materials.map(([structId, { arrangement }]) => [structId, arrangement]),
  );
  await insertRows(
    client,
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
  );
  await insertProperties(client, materials);
}

async function insertProperties(client: pg.PoolClient, materials: readonly Numbered[]): Promise<void> {
  const insert = <T>(
    table: string,
    columns: string,
    resultsOf: (properties: StandardMaterial['properties']) => readonly (T | null)[],
    row: (result: T) => object,
  ): Promise<void> => {
    const rows = materials.flatMap(([struct_id, { properties }]) =>
      resultsOf(properties).flatMap((result) => (result === null ? [] : [{ struct_id, ...row(result) }])),
    );
    return insertRows(client, table, `struct_id int, ${columns}`, rows);
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

export function materialsRepository({ pool }: Pick<Database, 'pool'>) {
  /** Which of these hashes and ids are there already. */
  async function known(client: pg.PoolClient, materials: readonly StandardMaterial[]) {
    const { rows } = await client.query<{ hash: string | null; struct_id: number | null }>(
      `SELECT encode(content_hash, 'hex') AS hash, struct_id FROM material
       WHERE content_hash = ANY($1::bytea[]) OR struct_id = ANY($2::int[])`,
      [
        materials.map((material) => Buffer.from(material.contentHash)),
        materials.flatMap((material) => (material.structId === null ? [] : [material.structId])),
      ],
    );
    return { hashes: new Set(rows.map((row) => row.hash)), ids: new Set(rows.map((row) => row.struct_id)) };
  }

  async function numberNew(client: pg.PoolClient, materials: readonly StandardMaterial[]) {
    const { hashes, ids } = await known(client, materials);
    const fresh: StandardMaterial[] = [];
    const taken: number[] = [];
    let duplicates = 0;
    for (const material of materials) {
      const hash = Buffer.from(material.contentHash).toString('hex');
      if (hashes.has(hash)) duplicates++;
      else if (material.structId !== null && ids.has(material.structId)) taken.push(material.structId);
      else {
        hashes.add(hash);
        if (material.structId !== null) ids.add(material.structId);
        fresh.push(material);
      }
    }
    const missing = fresh.filter((material) => material.structId === null).length;
    // Ids given by hand may lie in the way of the sequence; those are stepped over.
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM (SELECT nextval('material_struct_id') AS id FROM generate_series(1, $1)) AS made
       WHERE NOT EXISTS (SELECT FROM material WHERE struct_id = id)`,
      [missing],
    );
    const free = rows.map((row) => Number(row.id)).filter((id) => !ids.has(id));
    while (free.length < missing) {
      const { rows: more } = await client.query<{ id: string }>("SELECT nextval('material_struct_id') AS id");
      const id = Number(more[0]?.id);
      const used =
        ids.has(id) || (await client.query('SELECT FROM material WHERE struct_id = $1', [id])).rowCount;
      if (!used) free.push(id);
    }
    const numbered = fresh.map((material): Numbered => [material.structId ?? free.pop()!, material]);
    return { numbered, duplicates, taken };
  }

  return {
    /** The progress of a file read before, or a new row for it. */
    async openFile(fileKey: string, path: string): Promise<FileProgress> {
      const { rows } = await pool.query<{
        id: number;
        units_done: number;
        accepted: number;
        refused: number;
        duplicates: number;
        finished: boolean;
      }>(
        `INSERT INTO import_run (file_key, path) VALUES ($1, $2)
         ON CONFLICT (file_key) DO UPDATE SET path = excluded.path
         RETURNING id, units_done, accepted, refused, duplicates, finished_at IS NOT NULL AS finished`,
        [fileKey, path],
      );
      const row = rows[0]!;
      return { ...row, unitsDone: row.units_done, isFinished: row.finished };
    },

    async finishFile(id: number): Promise<void> {
      await pool.query('UPDATE import_run SET finished_at = now() WHERE id = $1', [id]);
    },

    /**
     * Stores new materials, marks their chemical systems dirty and moves the progress of the file on, in one
     * transaction. `defaultFunctional` is the scale a material shows when it has it.
     */
    storeBatch(
      materials: readonly StandardMaterial[],
      defaultFunctional: string,
      progress?: { readonly fileId: number; readonly units: number; readonly refused: number },
    ): Promise<StoredBatch> {
      return inTransaction(pool, async (client) => {
        const { numbered, duplicates, taken } = await numberNew(client, materials);
        await insertRows(
          client,
          'material',
          `${columnTypes()}, provenance jsonb, content_hash bytea`,
          numbered.map(([structId, material]) => ({
            ...rowOf({ ...material, ...shownEnergies(material, defaultFunctional), structId }),
            provenance: material.provenance,
            content_hash: hex(material.contentHash),
          })),
        );
        await insertDetails(client, numbered);
        await client.query(
          `INSERT INTO dirty_system (chemical_system, functional)
           SELECT DISTINCT chemical_system, functional FROM material_energy WHERE struct_id = ANY($1::int[])
           ON CONFLICT DO NOTHING`,
          [numbered.map(([id]) => id)],
        );
        await client.query(ANNOUNCE_CATALOGUE_CHANGE);
        if (progress)
          await client.query(
            `UPDATE import_run SET units_done = units_done + $2, refused = refused + $3, accepted = accepted + $4,
               duplicates = duplicates + $5 WHERE id = $1`,
            [progress.fileId, progress.units, progress.refused + taken.length, numbered.length, duplicates],
          );
        return { accepted: numbered.length, duplicates, taken, structIds: numbered.map(([id]) => id) };
      });
    },
  };
}
