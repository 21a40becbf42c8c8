/** Materials of the seed data, for tests of the answers of a new installation. */
import { readFileSync } from 'node:fs';
import type { ImportLine } from '@unitcell/contract/import-line';

const SEED = new URL('../../../../seed-data/generated/materials.jsonl', import.meta.url);

/** Import lines by struct_id, in the given order. @throws Error naming a struct_id that the seed data lack */
export function seedLines(...structIds: readonly number[]): ImportLine[] {
  const lines = readFileSync(SEED, 'utf8').split('\n');
  return structIds.map((id) => {
    const found = lines.find((line) => line.startsWith(`{"struct_id":${id},`));
    if (found === undefined) throw new Error(`the seed has no struct_id ${id}`);
    return JSON.parse(found) as ImportLine;
  });
}
