/**
 * The reference cases of `tools/fixtures/reference`, and of the large data collection beside a checkout
 * (`../shared`), which is not part of the project: tests that need it check `hasSharedData` first.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { inRepository } from '../lib/paths.mjs';

const sharedRoot = inRepository('..', 'shared');

export const hasSharedData = existsSync(join(sharedRoot, 'reference'));

/** Absolute path of a file or folder below the shared folder. */
export const sharedPath = (...parts: string[]): string => resolve(sharedRoot, ...parts);

/** One reference case: see the README of the reference folder for the meaning of each family's fields. */
export interface ReferenceCase<Input, Expected, Tolerance = Record<string, number>> {
  schema: string;
  id: string;
  input: Input;
  expected: Expected;
  tolerance: Tolerance;
}

/** The cases of one family: first the cases of the repository, then the files of the shared folder. */
export function referenceCases<Input, Expected, Tolerance = Record<string, number>>(
  family: string,
): ReferenceCase<Input, Expected, Tolerance>[] {
  const own = inRepository('tools', 'fixtures', 'reference', `${family}.json`);
  const folder = sharedPath('reference', family);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return [own, ...names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name))]
    .filter((file) => existsSync(file))
    .flatMap(
      (file): ReferenceCase<Input, Expected, Tolerance>[] => JSON.parse(readFileSync(file, 'utf8')), // One case, or a list.
    )
    .filter(({ schema }) => schema === 'reference-case/1');
}

/** The parsed lines of a gzipped JSONL dataset below the shared folder. */
export function* sharedJsonLines<Row>(...parts: string[]): Generator<Row> {
  const text = gunzipSync(readFileSync(sharedPath(...parts))).toString('utf8');
  for (const line of text.split('\n')) if (line.trim() !== '') yield JSON.parse(line) as Row;
}
