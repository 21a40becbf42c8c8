/**
 * `pnpm bench [name…]`: runs the benchmarks one after the other and prints their JSON lines; docs/benchmarks.md holds a run with
 * its machine. Without names all run; each file says in its header what it measures and what it needs.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
/** Helpers that other benchmarks start or import. */
const PARTS = new Set([
  'search-client',
  'scale-rows',
  'pg-from-api',
  'mp-patterns',
  'full-entries',
  'own-api',
  'phase-system',
]);

const all = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !name.startsWith('.'))
  .map((name) => basename(name, '.ts'))
  .filter((name) => !PARTS.has(name))
  .sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}. There are: ${all.join(', ')}\n`);
  process.exit(2);
}

process.stdout.write(
  `${JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) })}\n`,
);
for (const name of wanted.length > 0 ? wanted : all) {
  process.stdout.write(`# ${name}\n`);
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', join(folder, `${name}.ts`)], {
    stdio: 'inherit',
    cwd: join(folder, '..', '..'),
  });
  if (status !== 0) process.exitCode = 1;
}
