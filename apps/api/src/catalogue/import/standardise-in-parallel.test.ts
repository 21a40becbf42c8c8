/**
 * An import whose batches are standardised by several workers stores the same as an import by a single
 * process.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../infra/database.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { rockSalt } from '../../testing/material-factory.ts';
import { processCatalogueWork } from '../catalogue.jobs.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../open-catalogue-threads.ts';
import { importFiles } from './import-files.service.ts';
import { threadsAndWorkers } from './standardise-in-parallel.ts';

const CATIONS = 'Li Na K Rb Cs Be Mg Ca Sr Ba Ti Zr Mn Fe Co Ni'.split(' ');
const ANIONS = 'F Cl Br I O S Se Te N P As C H'.split(' ');

let threads: CatalogueThreads;
let folder: string;
let path: string;

beforeAll(async () => {
  threads = openCatalogueThreads(1);
  folder = await mkdtemp(join(tmpdir(), 'unitcell-import-'));
  path = join(folder, 'many.jsonl');
  const lines = CATIONS.flatMap((cation, i) =>
    ANIONS.map((anion, j) => JSON.stringify(rockSalt(cation, anion, 4 + i / 20 + j / 10))),
  );
  // This line is refused in every batch.
  await writeFile(path, lines.flatMap((line, at) => (at % 100 === 0 ? ['{}', line] : [line])).join('\n'));
});
afterAll(async () => {
  await threads.close();
  await rm(folder, { recursive: true });
});

async function stored({ pool }: Database) {
  const { rows } = await pool.query<object>(
    `SELECT struct_id, formula, encode(content_hash, 'hex') AS hash, encode(pattern, 'hex') AS pattern, given
     FROM material JOIN powder_pattern USING (struct_id) JOIN material_structure USING (struct_id) ORDER BY struct_id`,
  );
  return rows;
}

it('an import with helpers stores the same data as a single process, even if a helper dies during a batch', async () => {
  const [alone, shared] = [await openTestDatabase(), await openTestDatabase()];
  try {
    const options = { threads, defaultFunctional: 'PBE (MP 2018)' };
    const expected = await importFiles({ ...options, database: alone }).importPath(path);
    expect([expected.accepted, expected.refused]).toEqual([208, 3]);

    const help = processCatalogueWork(shared);
    const helping: Promise<number>[] = [];
    const standardiser = await threadsAndWorkers(shared, threads, {
      async enqueue() {
        const dead = await shared.pool.connect();
        await dead.query('BEGIN');
        await dead.query('SELECT FROM shared_task ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED');
        dead.release(true);
        helping.push(help('standardise', new AbortController().signal));
      },
    });
    const report = await importFiles({ ...options, database: shared, standardiser }).importPath(path);
    await Promise.all(helping);
    expect(report).toEqual(expected);
    expect(await stored(shared)).toEqual(await stored(alone));
    expect((await shared.pool.query('SELECT FROM shared_task')).rowCount).toBe(0);
  } finally {
    await alone.close();
    await shared.close();
  }
});
