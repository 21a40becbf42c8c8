import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, stampDirectory } from './paths.mjs';

const SKIPPED_DIRECTORIES = new Set([
  'node_modules',
  'dist',
  '.types',
  'generated',
  '.git',
  'e2e',
  'testing',
]);
/**
 * Files that no build reads: tests, and what the compiler of types leaves behind.
 * @param {string} name
 */
const isIgnored = (name) => /\.(test|e2e)\.(ts|tsx|mjs)$|\.tsbuildinfo$/.test(name);

/** @param {string} path @returns {Generator<string>} */
function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) {
      if (!SKIPPED_DIRECTORIES.has(entry.name)) yield* filesUnder(join(path, entry.name));
    } else if (!isIgnored(entry.name)) {
      yield join(path, entry.name);
    }
  }
}

/**
 * One hash over names and contents of files and directories (tests, build results and dependencies left out).
 * @param {readonly string[]} paths
 * @param {unknown[]} extra
 */
export function hashOf(paths, ...extra) {
  const hash = createHash('sha256');
  for (const path of paths) {
    for (const file of filesUnder(path)) hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.update(JSON.stringify(extra)).digest('hex');
}

/**
 * Does the work only when its inputs changed since it last succeeded, or an output is missing.
 * @param {string} name
 * @param {{ inputs: readonly string[], extra?: readonly unknown[], outputs?: readonly string[] }} what
 * @param {() => Promise<void>} work
 * @returns {Promise<string | undefined>} 'up to date' when nothing was done
 */
export async function whenChanged(name, { inputs, extra = [], outputs = [] }, work) {
  const file = join(stampDirectory, name);
  const hash = hashOf(inputs, process.version, process.platform, process.arch, ...extra);
  const fresh =
    existsSync(file) && readFileSync(file, 'utf8') === hash && outputs.every((path) => existsSync(path));
  if (fresh) return 'up to date';
  await work();
  mkdirSync(stampDirectory, { recursive: true });
  writeFileSync(file, hash);
  return undefined;
}
