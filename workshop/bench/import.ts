/**
 * Import of 10,000 structures with symmetry, powder patterns and hulls: `node --import tsx workshop/bench/import.ts [COUNT]`.
 *
 * Takes the first structures of the `mp-structures` dataset where it lies beside the checkout, otherwise the seed's crystals with
 * their cells scaled. A database of its own on a temporary embedded server. One JSON line: rows per second, peak memory of
 * the importing process (its threads included), refusals.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabaseCopy, ensureTemplate, startTestPostgres } from '@unitcell/tools/test-postgres';
import { writeImportLines } from './import-lines.ts';

const count = Number(process.argv[2] ?? 10_000);

const folder = mkdtempSync(join(tmpdir(), 'unitcell-bench-'));
const server = await startTestPostgres();
const database = await createDatabaseCopy(server.url, await ensureTemplate(server.url));
try {
  const file = join(folder, 'lines.jsonl');
  writeImportLines(file, count);
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      new URL('../../apps/api/src/cli.ts', import.meta.url).pathname,
      'import',
      '--json',
      file,
    ],
    {
      cwd: new URL('../../apps/api/', import.meta.url).pathname,
      env: {
        ...process.env,
        DATABASE_URL: database.url,
        JWT_SECRET: 'benchmark-secret-benchmark-secret-0001',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let report = '';
  child.stdout.on('data', (chunk: Buffer) => {
    report += chunk.toString();
  });
  let peakKiB = 0;
  const watch = setInterval(() => {
    const status = existsSync(`/proc/${child.pid}/status`)
      ? readFileSync(`/proc/${child.pid}/status`, 'utf8')
      : '';
    peakKiB = Math.max(peakKiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
  }, 200);
  await once(child, 'close');
  clearInterval(watch);
  const seconds = (performance.now() - start) / 1000;
  const [result] = JSON.parse(report) as [{ accepted: number; refused: number; duplicates: number }];
  console.log(
    JSON.stringify({
      case: `import of ${count} structures with hulls and windows`,
      accepted: result.accepted,
      refused: result.refused,
      duplicates: result.duplicates,
      seconds: Number(seconds.toFixed(1)),
      rowsPerSecond: Math.round(count / seconds),
      peakMiB: Math.round(peakKiB / 1024),
    }),
  );
} finally {
  await database.drop();
  await server.stop();
  rmSync(folder, { recursive: true });
}
