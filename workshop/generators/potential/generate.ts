/**
 * Writes the model of @unitcell/potential from an export of the checkpoint: `POTENTIAL_DATA=FOLDER npm run generate potential`. Without a
 * folder the weights stay as they are. `--check` compares the weights with their manifest.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ModelManifest } from '@unitcell/potential';
import { writeOrCheck } from '../write-or-check.ts';
import { convertModel } from './convert-model.ts';

const MODEL = new URL('../../../packages/potential/model/', import.meta.url);

const folder = process.env.POTENTIAL_DATA;
if (folder) {
  const { manifest, binary, licence } = convertModel(folder);
  writeOrCheck(new URL('model.json', MODEL), `${JSON.stringify(manifest)}\n`);
  writeOrCheck(new URL('LICENSE', MODEL), licence);
  if (!process.argv.includes('--check')) writeFileSync(new URL('model.bin', MODEL), binary);
}
const { sha256 } = JSON.parse(readFileSync(new URL('model.json', MODEL), 'utf8')) as ModelManifest;
const found = createHash('sha256')
  .update(readFileSync(new URL('model.bin', MODEL)))
  .digest('hex');
if (found !== sha256) {
  console.error(`packages/potential/model/model.bin has the SHA-256 ${found}; model.json names ${sha256}`);
  process.exitCode = 1;
}
