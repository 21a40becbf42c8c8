/**
 * Data migrations after an upgrade: interrupted runs resume, and one bad material does not stop the others.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../infra/database.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../open-catalogue-threads.ts';
import { arrangementsMigration, DATA_MIGRATIONS } from './migrations.ts';
import { type DataMigrationOptions, migrationStatus, migrateMaterials } from './migrate.ts';

let database: Database;
let threads: CatalogueThreads;
const IDS = [1, 2, 3, 4, 5];

beforeAll(async () => {
  database = await openTestDatabase();
  threads = openCatalogueThreads(1);
  await storeMaterials(database, [
    element('Ti', 2.9, { struct_id: 1 }),
    rockSalt('Ti', 'O', 4.18, { struct_id: 2 }),
    rutile('Ti', 4.594, 2.959, { struct_id: 3 }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 4 }),
    rockSalt('Na', 'Cl', 5.64, { struct_id: 5 }),
  ]);
});
afterAll(async () => {
  await threads.close();
  await database.close();
});
beforeEach(() => database.pool.query("DELETE FROM release WHERE kind = 'arrangements'"));

const migrate = (options?: DataMigrationOptions) =>
  migrateMaterials(database, threads, arrangementsMigration, options);
const status = () => migrationStatus(database, arrangementsMigration);
const stored = async () => (await database.pool.query('SELECT * FROM structure_arrangement ORDER BY 1')).rows;
const forget = (ids: readonly number[]) =>
  database.pool.query('DELETE FROM structure_arrangement WHERE struct_id = ANY($1)', [ids]);

describe('data migration', () => {
  it('does nothing and records no release if all imported data are current', async () => {
    for (const migration of DATA_MIGRATIONS) {
      expect(await migrationStatus(database, migration)).toEqual({
        kind: migration.kind,
        old: 0,
        last: null,
      });
      expect(await migrateMaterials(database, threads, migration)).toBeNull();
    }
  });

  it('migrates only what is missing or outdated, with the same result as an import', async () => {
    const before = await stored();
    await forget([2]);
    await database.pool.query("UPDATE structure_arrangement SET vector = '\\x00' WHERE struct_id = 4");
    expect((await status()).old).toBe(2);
    expect(await migrate()).toEqual({ kind: 'arrangements', materials: 2, changed: 2, left: [] });
    expect(await stored()).toEqual(before);
    expect(await status()).toMatchObject({ old: 0, last: { changed: 2, doneOn: expect.any(String) } });
  });

  it('resumes an interrupted run and records one release for both parts', async () => {
    const before = await stored();
    await forget(IDS);
    const stop = new AbortController();
    const stopped = migrate({
      signal: stop.signal,
      page: 2,
      onProgress: () => stop.abort(new Error('stopped')),
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await status()).toMatchObject({ old: 3, last: { materials: 2, doneOn: null } });
    expect(await migrate()).toMatchObject({ materials: 5, changed: 5 });
    expect(await stored()).toEqual(before);
    const { rows } = await database.pool.query("SELECT id FROM release WHERE kind = 'arrangements'");
    expect(rows).toHaveLength(1);
  });

  it('reports a material it cannot migrate, migrates the others, and does not retry it automatically', async () => {
    const before = await stored();
    const cell = 'SELECT primitive FROM material_structure WHERE struct_id = 3';
    const { rows } = await database.pool.query<{ primitive: object }>(cell);
    const set = 'UPDATE material_structure SET primitive = $1 WHERE struct_id = 3';
    const flat = { ...rows[0]!.primitive, lattice: [1, 0, 0, 0, 1, 0, 1, 1, 0] };
    await database.pool.query(set, [flat]);
    await forget(IDS);
    expect(await migrate()).toEqual({ kind: 'arrangements', materials: 5, changed: 4, left: [3] });
    expect(await status()).toMatchObject({ old: 0, last: { left: [3] } });
    expect(await migrate()).toBeNull();
    // An operator may have repaired the material and retries on demand.
    await database.pool.query(set, [rows[0]!.primitive]);
    expect(await migrate({ isOnDemand: true })).toMatchObject({ materials: 5, changed: 1, left: [] });
    expect(await stored()).toEqual(before);
  });
});
