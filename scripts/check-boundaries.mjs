/** `npm run boundaries`: who may import whom. Prints each offending line with its remedy; needs nothing installed. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findViolations, formatViolation } from './lib/boundaries.mjs';
import { root } from './lib/paths.mjs';

const ROOTS = ['packages', 'apps', 'scripts', 'prisma', 'testing'];
const SKIPPED = new Set(['node_modules', 'dist', '.types', 'generated', 'data']);

function* sources(directory) {
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) yield* sources(path);
    } else if (/\.(ts|tsx|mts|mjs)$/.test(entry.name)) {
      yield path;
    }
  }
}

const files = new Map();
for (const directory of ROOTS) {
  if (!existsSync(join(root, directory))) continue;
  for (const path of sources(directory)) files.set(path, readFileSync(join(root, path), 'utf8'));
}
const violations = findViolations(files);
for (const violation of violations) process.stdout.write(`${formatViolation(violation)}\n`);
if (violations.length === 0) process.stdout.write(`${files.size} files keep to the boundaries.\n`);
process.exitCode = violations.length > 0 ? 1 : 0;
