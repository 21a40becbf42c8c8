/** Materials of the seed as it ships, for tests that ask what a fresh install answers. */
import { readFileSync } from 'node:fs';
import type { ImportLine } from '@unitcell/contract/import-line';

const SEED = new URL('../../../../seed-data/generated/materials.jsonl', import.meta.url);

/** Lines of the import format by struct_id, in the order asked for. @throws Error naming the one the seed does not have */
export function seedLines(...structIds: readonly number[]): ImportLine[] {
  const lines = readFileSync(SEED, 'utf8').split('\n');
  return structIds.map((id) => {
    const found = lines.find((line) => line.startsWith(`{"struct_id":${id},`));
    if (found === undefined) throw new Error(`the seed has no struct_id ${id}`);
    return JSON.parse(found) as ImportLine;
  });
}
