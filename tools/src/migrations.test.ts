import { describe, expect, it } from 'vitest';
import { readMigrations } from './migrations.ts';

/** Migrations that make others wait, or that older processes cannot work with: docs/operating/operations.md says what to do for each. */
const DISRUPTIVE = new Set([
  'structure_as_given',
  'material_observed',
  'collections_and_tensor_means',
  'optimade_formulas',
  'optimade_formulas_of_elements',
  'figures',
  'administrators',
  'audit_by_event',
]);

const BREAKS_OLDER_PROCESSES =
  /\b(?:DROP (?:TABLE|COLUMN)|RENAME (?:TO|COLUMN)|SET NOT NULL|ALTER COLUMN "\w+" (?:SET DATA )?TYPE)\b|ADD COLUMN\s+"?\w+"? [^,;]*NOT NULL(?![^,;]*DEFAULT)/i;
const REWRITES_A_TABLE = /^UPDATE /im;

/** An index on a table that the migration does not make itself blocks writers. */
function blocksWriters(sql: string): boolean {
  const own = new Set([...sql.matchAll(/CREATE (?:UNLOGGED )?TABLE "?(\w+)"?/gi)].map(([, name]) => name));
  return [...sql.matchAll(/CREATE (?:UNIQUE )?INDEX "?\w+"? ON "?(\w+)"?/gi)].some(
    ([, name]) => !own.has(name),
  );
}

describe('migrations after the first release', () => {
  const later = readMigrations().filter(({ name }) => name >= '20261122');

  it.each(later)('$name leaves older processes at work, or is known as disruptive', ({ name, sql }) => {
    const title = name.replace(/^\d+_/, '');
    const isDisruptive = BREAKS_OLDER_PROCESSES.test(sql) || REWRITES_A_TABLE.test(sql) || blocksWriters(sql);
    expect(isDisruptive).toBe(DISRUPTIVE.has(title));
  });
});
