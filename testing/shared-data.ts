/**
 * Access to the reference cases and public datasets that lie beside a development checkout (`../shared`).
 * They are not part of the project: a test that wants them asks here and is skipped, with the reason in its
 * name, where they are absent.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const sharedRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'shared');

/** True when the shared folder lies beside this checkout. */
export const hasSharedData = existsSync(join(sharedRoot, 'reference'));

/** Absolute path of a file or folder below the shared folder. */
export const sharedPath = (...parts: string[]): string => join(sharedRoot, ...parts);

/** One reference case: see the README of the reference folder for the meaning of each family's fields. */
export interface ReferenceCase<Input, Expected, Tolerance = Record<string, number>> {
  schema: string;
  family: string;
  id: string;
  title: string;
  source: unknown;
  oracle: unknown;
  notes: string[];
  input: Input;
  expected: Expected;
  tolerance: Tolerance;
}

/** All cases of one family, sorted by file name; an empty list where the shared folder is absent. */
export function referenceCases<Input, Expected, Tolerance = Record<string, number>>(
  family: string,
): ReferenceCase<Input, Expected, Tolerance>[] {
  const folder = sharedPath('reference', family);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map(
      (name) =>
        JSON.parse(readFileSync(join(folder, name), 'utf8')) as ReferenceCase<Input, Expected, Tolerance>,
    )
    .filter((entry) => entry.schema === 'reference-case/1');
}

/** The parsed lines of a gzipped JSONL dataset below the shared folder. */
export function* sharedJsonLines<Row>(...parts: string[]): Generator<Row> {
  const text = gunzipSync(readFileSync(sharedPath(...parts))).toString('utf8');
  for (const line of text.split('\n')) if (line.trim() !== '') yield JSON.parse(line) as Row;
}
