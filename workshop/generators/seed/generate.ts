/** Writes `seed-data/generated/materials.jsonl`: the same tables give the same bytes. */
import { writeOrCheck } from '../write-or-check.ts';
import { buildSeed } from './build-seed.ts';
import { readTables } from './seed-files.ts';

try {
  const lines = buildSeed(readTables());
  const text = `${lines.join('\n')}\n`;
  writeOrCheck(new URL('../../../seed-data/generated/materials.jsonl', import.meta.url), text);
  console.log(`${lines.length} materials, ${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
