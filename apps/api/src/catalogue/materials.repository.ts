/** Writing materials: a batch per transaction, with the progress of its file, so that both are there or neither. */
import type pg from 'pg';
import { ANNOUNCE_CATALOGUE_CHANGE } from '../infra/catalogue-cache.ts';
import { type Database, inTransaction } from '../infra/database.ts';
import { assignCrystals } from './records/assign-crystals.ts';
import { addRecords } from './records/records.repository.ts';
import { lockCrystals, placeOf } from './records/place-crystals.ts';
import { mergeRecords } from './records/merge-records.ts';
import { DEFAULT_SOURCE_ORDER, type SourceOrder } from './records/source-order.ts';
import type { StandardMaterial } from './standardise.ts';
import { insertMaterials, markSystemsOf, type Numbered } from './write-materials.ts';

export interface StoredBatch {
  /** New materials, and those that became a further source of one. */
  readonly accepted: number;
  readonly duplicates: number;
  /** Of the accepted, those that a material was there for. */
  readonly merged: number;
  /** Materials whose struct_id belongs to another material already. */
  readonly taken: readonly number[];
  /** Where each accepted material is now, in their order. */
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

/** What takes time while a batch is stored: in worker threads where there are some. */
export interface CrystalWork {
  assignCrystals(...given: Parameters<typeof assignCrystals>): Promise<ReturnType<typeof assignCrystals>>;
  mergeRecords(...given: Parameters<typeof mergeRecords>): Promise<ReturnType<typeof mergeRecords>>;
}

const HERE: CrystalWork = {
  assignCrystals: async (groups) => assignCrystals(groups),
  mergeRecords: async (requests) => mergeRecords(requests),
};

export interface MaterialsOptions {
  readonly work?: CrystalWork;
  readonly order?: SourceOrder;
}

/** Whose ids these are: of materials, and of those that are retired. */
async function holdersOf(client: pg.PoolClient, ids: readonly number[]) {
  const { rows } = await client.query<{ id: number; target: number | null }>(
    `SELECT struct_id AS id, struct_id AS target FROM material WHERE struct_id = ANY($1::int[])
     UNION ALL SELECT struct_id, target_id FROM retired_id WHERE struct_id = ANY($1::int[])`,
    [ids],
  );
  return new Map(rows.map(({ id, target }) => [id, target]));
}

/** Those that are not there yet; of lines that are the same, the first. */
async function withoutDuplicates(client: pg.PoolClient, materials: readonly StandardMaterial[]) {
  const { rows } = await client.query<{ hash: string }>(
    `SELECT encode(content_hash, 'hex') AS hash FROM material WHERE content_hash = ANY($1::bytea[])
     UNION ALL SELECT encode(content_hash, 'hex') FROM material_record WHERE content_hash = ANY($1::bytea[])`,
    [materials.map((material) => Buffer.from(material.contentHash))],
  );
  const seen = new Set(rows.map((row) => row.hash));
  return materials.filter(({ contentHash }) => {
    const hash = Buffer.from(contentHash).toString('hex');
    return !seen.has(hash) && seen.add(hash);
  });
}

/** Ids nobody has or had. Ids given by hand may lie in the way of the sequence; those are stepped over. */
async function freeIds(client: pg.PoolClient, count: number, given: ReadonlySet<number>): Promise<number[]> {
  const free: number[] = [];
  while (free.length < count) {
    const { rows } = await client.query<{ id: number }>(
      `SELECT id::int FROM (SELECT nextval('material_struct_id') AS id FROM generate_series(1, $1)) AS made
       WHERE NOT EXISTS (SELECT FROM material WHERE struct_id = id)
         AND NOT EXISTS (SELECT FROM retired_id WHERE struct_id = id)`,
      [count - free.length],
    );
    free.push(...rows.map(({ id }) => id).filter((id) => !given.has(id)));
  }
  return free;
}

export function materialsRepository(
  { pool }: Pick<Database, 'pool'>,
  { work = HERE, order = DEFAULT_SOURCE_ORDER }: MaterialsOptions = {},
) {
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
     * Stores materials: new crystals, and further sources of those that are there. Marks their chemical systems dirty and
     * moves the progress of the file on, in one transaction. Two imports at once wait for each other only where both bring
     * the same compound.
     * @param defaultFunctional the scale a material shows when it has it
     */
    storeBatch(
      materials: readonly StandardMaterial[],
      defaultFunctional: string,
      progress?: { readonly fileId: number; readonly units: number; readonly refused: number },
    ): Promise<StoredBatch> {
      return inTransaction(pool, async (client) => {
        await lockCrystals(client, materials);
        const fresh = await withoutDuplicates(client, materials);
        const places = await placeOf(client, fresh, work);
        const ids = fresh.flatMap(({ structId }) => (structId === null ? [] : [structId]));
        const holders = await holdersOf(client, ids);
        const given = new Set(ids);
        const free = await freeIds(client, fresh.filter(({ structId }) => structId === null).length, given);
        const used = new Set<number>();
        const taken: number[] = [];
        /** Where each is put; null: its id is another's. */
        const homes: (number | null)[] = [];
        const created: Numbered[] = [];
        const added: { structId: number; ownId: number | null; record: StandardMaterial }[] = [];
        fresh.forEach((record, position) => {
          const place = places[position] ?? null;
          const home = place === null ? null : 'structId' in place ? place.structId : homes[place.fresh]!;
          const { structId } = record;
          const holder = structId === null ? undefined : holders.get(structId);
          const isTaken =
            structId !== null &&
            (used.has(structId) || (holder !== undefined && (home === null || holder !== home)));
          if (isTaken) {
            taken.push(structId);
            homes.push(null);
          } else if (home === null) {
            const id = structId ?? free.pop()!;
            used.add(id);
            created.push([id, record]);
            homes.push(id);
          } else {
            if (structId !== null) used.add(structId);
            added.push({ structId: home, ownId: holder === undefined ? structId : null, record });
            homes.push(home);
          }
        });
        await insertMaterials(client, created, defaultFunctional);
        await addRecords(client, added, { work, order, defaultFunctional });
        const structIds = homes.filter((id) => id !== null);
        await markSystemsOf(client, structIds);
        await client.query(ANNOUNCE_CATALOGUE_CHANGE);
        const duplicates = materials.length - fresh.length;
        if (progress)
          await client.query(
            `UPDATE import_run SET units_done = units_done + $2, refused = refused + $3, accepted = accepted + $4,
               duplicates = duplicates + $5 WHERE id = $1`,
            [progress.fileId, progress.units, progress.refused + taken.length, structIds.length, duplicates],
          );
        return { accepted: structIds.length, duplicates, merged: added.length, taken, structIds };
      });
    },
  };
}
