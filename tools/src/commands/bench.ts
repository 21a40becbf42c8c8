/**
 * `npm run bench [-- name … [argument …]]`: runs the benchmarks one after the other and prints their JSON lines; docs/benchmarks.md holds
 * a run with its machine. Without names all run; each file says in its header what it measures and what it needs. What follows the
 * names goes to the last of them.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { inRepository, root } from '../../lib/paths.mjs';
import { Sentence } from '../../lib/sentence.mjs';

/** Helpers that other benchmarks start or import. */
const PARTS = new Set([
  'search-client',
  'scale-rows',
  'fill-scale',
  'pg-from-api',
  'mp-patterns',
  'full-entries',
  'own-api',
  'phase-system',
  'import-lines',
]);

export async function main(wanted: readonly string[]): Promise<void> {
  const folder = inRepository('workshop/bench');
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.startsWith('.'))
    .map((name) => basename(name, '.ts'))
    .filter((name) => !PARTS.has(name))
    .sort();
  const end = wanted.findIndex((name) => !all.includes(name));
  const names = end === -1 ? wanted : wanted.slice(0, end);
  const given = end === -1 ? [] : wanted.slice(end);
  if (end === 0) throw new Sentence(`There is no benchmark ${wanted[0]}. There are: ${all.join(', ')}`);
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, memoryGiB };
  process.stdout.write(`${JSON.stringify(machine)}\n`);
  for (const name of names.length > 0 ? names : all) {
    process.stdout.write(`# ${name}\n`);
    const args = ['--import', 'tsx', join(folder, `${name}.ts`), ...(name === names.at(-1) ? given : [])];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root });
    if (status !== 0) process.exitCode = 1;
  }
}
