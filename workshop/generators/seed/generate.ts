/**
 * Writes `seed-data/generated/materials.jsonl` from the tables in `seed-data/`.
 * Run: `node --import tsx workshop/generators/seed/generate.ts`. The same tables give the same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSeed } from './build-seed.ts';
import {
  readCompounds,
  readElectronicResults,
  readOwnEnergies,
  readProperties,
  readScaleFailures,
  SEED_DIRECTORY,
} from './seed-files.ts';

try {
  const lines = buildSeed({
    compounds: readCompounds(),
    properties: readProperties(),
    electronic: readElectronicResults(),
    ownEnergies: readOwnEnergies(),
    scaleFailures: readScaleFailures(),
  });
  const text = `${lines.join('\n')}\n`;
  mkdirSync(join(SEED_DIRECTORY, 'generated'), { recursive: true });
  writeFileSync(join(SEED_DIRECTORY, 'generated', 'materials.jsonl'), text);
  console.log(`${lines.length} materials, ${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
