import type { MatchResult } from '@unitcell/contract/xrd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { openCatalogueThreads } from '../../catalogue/open-catalogue-threads.ts';
import { patternsMigration } from '../../catalogue/data-migrations/migrations.ts';
import { type DataMigrationOptions, migrateMaterials } from '../../catalogue/data-migrations/migrate.ts';
import { linesOf, measure } from './testing/synthetic-pattern.ts';

let test: TestApp;
const threads = openCatalogueThreads(1);
const halite = rockSalt('Na', 'Cl', 5.64);

beforeAll(async () => {
  test = await buildTestApp();
  await storeMaterials(test.database, [halite, rockSalt('Mg', 'O', 4.212), rutile('Ti', 4.594, 2.959)]);
});
afterAll(async () => {
  await threads.close();
  await test.close();
});

const stored = async () =>
  (
    await test.database.pool.query<{ struct_id: number; hex: string }>(
      "SELECT struct_id, encode(pattern, 'hex') AS hex FROM powder_pattern ORDER BY struct_id",
    )
  ).rows;

describe('the migration of stored patterns', () => {
  it('writes the same patterns as imports, and leaves valid patterns unchanged', async () => {
    const migrate = (options?: DataMigrationOptions) =>
      migrateMaterials(test.database, threads, patternsMigration, options);
    const before = await stored();
    expect(await migrate()).toBeNull();
    expect(await migrate({ isOnDemand: true })).toMatchObject({ materials: 3, changed: 0, left: [] });

    // One pattern is missing, and one has an outdated format.
    await test.database.pool.query('DELETE FROM powder_pattern WHERE struct_id = $1', [before[0]!.struct_id]);
    await test.database.pool.query("UPDATE powder_pattern SET pattern = '\\x0900' WHERE struct_id = $1", [
      before[1]!.struct_id,
    ]);
    const token = await test.signIn();
    const candidates = async () => {
      const body = { xrd_data: measure(linesOf(halite)) };
      return (await test.post('/api/xrd/xrd_match/', body, { token })).json<MatchResult>().candidates;
    };
    expect(await candidates()).toBe(1);
    expect(test.logLines.some((line) => line.includes('unitcell rebuild patterns'))).toBe(true);

    const progress: number[] = [];
    const options: DataMigrationOptions = { page: 1, onProgress: (done) => progress.push(done) };
    expect(await migrate(options)).toMatchObject({ materials: 2, changed: 2 });
    expect(progress).toEqual([1, 2]);
    expect(await stored()).toEqual(before);
    await expect.poll(candidates).toBe(3);
  });
});
