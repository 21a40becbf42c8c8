/** Writing materials: a batch per transaction, with the progress of its file, so that both are there or neither. */
import type pg from 'pg';
import { ANNOUNCE_CATALOGUE_CHANGE } from '../../plugins/catalogue-cache.ts';
import { type Database, inTransaction } from '../../plugins/database.ts';
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

const MATERIAL_COLUMNS = `struct_id int, formula text, formula_reduced text, formula_anonymous text, chemical_system text,
  elements text[], nelements int, nsites int, space_group_number int, space_group text, hall text, point_group text,
  crystal_system text, lattice_type text, volume float8, density float8, functional text, energy float8,
  energy_per_atom float8, formation_energy_per_atom float8, band_gap float8, band_gap_type text, fermi_energy float8,
  total_magnetization float8, has_band boolean, is_hubbard boolean, has_hse boolean, has_epsilon boolean,
  has_piezo boolean, has_elastic boolean, has_topology boolean, name_en text, name_zh text, source_name text,
  source_id text, source_licence text, source_url text, provenance jsonb, content_hash bytea`;

function materialRow(structId: number, material: StandardMaterial, functional: string | null) {
  const own = material.energies.find((energy) => energy.functional === functional);
  const { properties } = material;
  const bands = properties.bands ?? [];
  return {
    struct_id: structId,
    formula: material.formula,
    formula_reduced: material.formulaReduced,
    formula_anonymous: material.formulaAnonymous,
    chemical_system: material.chemicalSystem,
    elements: material.elements,
    nelements: material.elements.length,
    nsites: material.nSites,
    space_group_number: material.spaceGroupNumber,
    space_group: material.spaceGroup,
    hall: material.hall,
    point_group: material.pointGroup,
    crystal_system: material.crystalSystem,
    lattice_type: material.latticeType,
    volume: material.volume,
    density: material.density,
    functional,
    energy: own && own.energyPerAtom !== null ? own.energyPerAtom * material.nSites : null,
    energy_per_atom: own?.energyPerAtom ?? null,
    formation_energy_per_atom: own?.formationEnergyPerAtom ?? null,
    band_gap: material.bandGap,
    band_gap_type: material.bandGapType,
    fermi_energy: material.fermiEnergy,
    total_magnetization: material.totalMagnetization,
    has_band: bands.length > 0,
    is_hubbard: material.isHubbard,
    has_hse: bands.some((band) => band.functional.startsWith('HSE')),
    has_epsilon: properties.dielectric !== undefined,
    has_piezo: properties.piezoelectric_total !== undefined,
    has_elastic: properties.elastic_tensor !== undefined,
    has_topology: properties.topology !== undefined,
    name_en: material.names.en,
    name_zh: material.names.zh,
    source_name: material.source.name,
    source_id: material.source.id,
    source_licence: material.source.licence,
    source_url: material.source.url,
    provenance: material.provenance,
    content_hash: hex(material.contentHash),
  };
}

type Numbered = readonly [structId: number, material: StandardMaterial];

async function insertDetails(client: pg.PoolClient, materials: readonly Numbered[]): Promise<void> {
  await insertRows(
    client,
    'material_structure',
    'struct_id int, primitive jsonb, conventional jsonb, wyckoffs text[], symprec float8',
    materials.map(([struct_id, { primitive, conventional, wyckoffs, symprec }]) => ({
      struct_id,
      primitive,
      conventional,
      wyckoffs,
      symprec,
    })),
  );
  await insertRows(
    client,
    'powder_pattern',
    'struct_id int, pattern bytea',
    materials.map(([struct_id, { pattern }]) => ({ struct_id, pattern: hex(pattern) })),
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
  const rowsOf = <T>(pick: (properties: StandardMaterial['properties']) => readonly T[]) =>
    materials.flatMap(([struct_id, { properties }]) =>
      pick(properties).map((value) => ({ struct_id, value })),
    );
  const data = ({ struct_id, value }: { struct_id: number; value: { functional: string } }) => ({
    struct_id,
    functional: value.functional,
    data: value,
  });
  await insertRows(
    client,
    'band_structure',
    'struct_id int, functional text, data jsonb',
    rowsOf((p) => p.bands ?? []).map(data),
  );
  await insertRows(
    client,
    'density_of_states',
    'struct_id int, functional text, data jsonb',
    rowsOf((p) => p.dos ?? []).map(data),
  );
  await insertRows(
    client,
    'elastic_tensor',
    'struct_id int, tensor jsonb',
    rowsOf((p) => (p.elastic_tensor ? [p.elastic_tensor] : [])).map(({ struct_id, value }) => ({
      struct_id,
      tensor: value,
    })),
  );
  await insertRows(
    client,
    'dielectric_tensor',
    'struct_id int, electronic jsonb, total jsonb',
    rowsOf((p) => (p.dielectric ? [p.dielectric] : [])).map(({ struct_id, value }) => ({
      struct_id,
      ...value,
    })),
  );
  await insertRows(
    client,
    'piezoelectric_tensor',
    'struct_id int, total jsonb',
    rowsOf((p) => (p.piezoelectric_total ? [p.piezoelectric_total] : [])).map(({ struct_id, value }) => ({
      struct_id,
      total: value,
    })),
  );
  await insertRows(
    client,
    'topology',
    'struct_id int, labels text[], rows jsonb',
    rowsOf((p) => (p.topology ? [p.topology] : [])).map(({ struct_id, value }) => ({ struct_id, ...value })),
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
        const functionalOf = ({ energies }: StandardMaterial): string | null =>
          (energies.find((energy) => energy.functional === defaultFunctional) ?? energies[0])?.functional ??
          null;
        await insertRows(
          client,
          'material',
          MATERIAL_COLUMNS,
          numbered.map(([id, material]) => materialRow(id, material, functionalOf(material))),
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
