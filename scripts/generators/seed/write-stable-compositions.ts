/**
 * Writes `seed-data/stable-compositions.txt` from the table of computed ground states.
 * Run: `node --import tsx scripts/generators/seed/write-stable-compositions.ts <ground_states.csv.gz>`
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SEED_DIRECTORY } from './seed-files.ts';
import { stableCompositionsText } from './stable-compositions.ts';

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('Which table? Give the path of ground_states.csv.gz.');
  process.exitCode = 1;
} else {
  const text = stableCompositionsText(gunzipSync(readFileSync(path)).toString('utf8'));
  writeFileSync(join(SEED_DIRECTORY, 'stable-compositions.txt'), text);
  console.log(`${(Buffer.byteLength(text) / 1e3).toFixed(0)} kB`);
}
