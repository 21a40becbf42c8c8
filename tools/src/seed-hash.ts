import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '../lib/paths.mjs';
import { hashOf } from '../lib/stamp.mjs';

/** Changes whenever anything the seed command loads, or the code that loads it, changes. */
export function seedHash(): string {
  const folder = inRepository('seed-data');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jsonl|gz|json|md|txt)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const texts = files.map((file) => readFileSync(file).toString('base64'));
  return hashOf([inRepository('apps/api/src/catalogue'), inRepository('apps/api/src/cli')], texts);
}
