import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fieldOf } from './fields/fields.ts';
import { placedNames } from './places.ts';

const page = readFileSync(new URL('../../../docs/import-format.md', import.meta.url), 'utf8');
/** What the first cells of the table's rows name. */
const documented = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => line.split('|')[1]?.match(/[a-z_]+/g) ?? []);

it('explains every field a line may give', () => {
  const heads = placedNames('line').map((name) => fieldOf(name).line?.split('.')[0] ?? '');
  expect(heads.filter((head) => !documented.includes(head))).toEqual([]);
});
