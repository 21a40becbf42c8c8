/**
 * Writes `seed-data/stable-compositions.txt` from the public data sets.
 * Run: `node --import tsx workshop/generators/seed/write-stable-compositions.ts <folder of the data sets>`
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stableCompositionsFrom } from './facts/stable-compositions-from.ts';
import { SEED_DIRECTORY } from './seed-files.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Where are the data sets? Give their folder.');
  process.exitCode = 1;
} else {
  const text = stableCompositionsFrom(folder);
  writeFileSync(join(SEED_DIRECTORY, 'stable-compositions.txt'), text);
  console.log(`${(Buffer.byteLength(text) / 1e3).toFixed(0)} kB`);
}
