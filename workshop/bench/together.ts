/**
 * Workers that share: `npm run bench -- together [COUNT]`. Standardises, then derives hulls and windows of COUNT (default 10,000) real
 * structures, by one process alone and with one worker beside it, each on a processor of its own. One JSON line a kind of work: seconds, and
 * how many times as fast two are. Two that use two processors fully would be 2; what the database does is done by neither faster.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeImportLines } from './import-lines.ts';
import { openOwnDatabase, operate, startOwnWorker } from './own-api.ts';

const count = Number(process.argv[2] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), 'unitcell-bench-'));
const file = join(folder, 'lines.jsonl');
writeImportLines(file, count);
// What is started from here has the first processor, and as many threads as that.
process.env.BENCH_CPU = '0';

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return Number(((performance.now() - start) / 1000).toFixed(1));
}

async function measure(workers: number): Promise<{ imported: number; derived: number }> {
  const database = await openOwnDatabase();
  try {
    await operate(database.url, 'model', 'use', 'off');
    const ends = await Promise.all(
      Array.from({ length: workers }, () => startOwnWorker(database.url, { BENCH_CPU: '1' })),
    );
    const imported = await seconds(() =>
      operate(
        database.url,
        'import',
        '--json',
        '--no-hulls',
        ...(workers > 0 ? ['--with-workers'] : []),
        file,
      ),
    );
    const derived = await seconds(() => operate(database.url, 'rebuild', 'hulls'));
    await Promise.all(ends.map((end) => end()));
    return { imported, derived };
  } finally {
    await database.drop();
  }
}

try {
  const [alone, both] = [await measure(0), await measure(1)];
  for (const what of ['imported', 'derived'] as const)
    console.log(
      JSON.stringify({
        bench: 'together',
        what,
        structures: count,
        aloneSeconds: alone[what],
        withOneWorkerSeconds: both[what],
        timesAsFast: Number((alone[what] / both[what]).toFixed(2)),
      }),
    );
} finally {
  rmSync(folder, { recursive: true });
}
