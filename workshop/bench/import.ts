/** Import of 10,000 structures (or the given number) to hulls and windows: rows per second, peak memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeImportLines } from './data.ts';
import { operate, print, withDatabase } from './harness.ts';

const count = Number(process.argv[2] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), 'unitcell-bench-'));
const file = join(folder, 'lines.jsonl');
writeImportLines(file, count);
await withDatabase(async (url) => {
  const begun = performance.now();
  const { printed, peakMiB } = await operate(url, 'import', '--json', file);
  const seconds = (performance.now() - begun) / 1000;
  const [{ accepted, refused, duplicates }] = JSON.parse(printed) as [Record<string, number>];
  print({
    case: `import of ${count} structures with hulls and windows`,
    accepted,
    refused,
    duplicates,
    seconds: Number(seconds.toFixed(1)),
    rowsPerSecond: Math.round(count / seconds),
    peakMiB,
  });
}).finally(() => rmSync(folder, { recursive: true }));
