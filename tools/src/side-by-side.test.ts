import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRepository } from '../lib/paths.mjs';
import { readMigrations } from './migrations.ts';

// docs/operations.md, "Two versions side by side": what older processes cannot do on the newer schema, and what makes people wait.

const documented = /## Two versions side by side\n(.*?)\n## /s.exec(
  readFileSync(inRepository('docs/operations.md'), 'utf8'),
)?.[1];

/** Breaks older processes that read or write the table. */
const BREAKS =
  /\b(?:DROP (?:TABLE|COLUMN)|RENAME (?:TO|COLUMN)|SET NOT NULL|ALTER COLUMN "\w+" (?:SET DATA )?TYPE)\b|ADD COLUMN\s+"?\w+"? [^,;]*NOT NULL(?![^,;]*DEFAULT)/i;
/** Reads or writes every row of a table that others use meanwhile. */
const HOLDS = /^UPDATE /im;

/** Tables a migration makes itself are nobody's yet. */
function indexesOfOthers(sql: string): boolean {
  const own = new Set([...sql.matchAll(/CREATE (?:UNLOGGED )?TABLE "?(\w+)"?/gi)].map(([, name]) => name));
  return [...sql.matchAll(/CREATE (?:UNIQUE )?INDEX "?\w+"? ON "?(\w+)"?/gi)].some(
    ([, name]) => !own.has(name),
  );
}

describe('migrations after the first release', () => {
  // Those of 21 November came before anybody ran it.
  const later = readMigrations().filter(({ name }) => name >= '20261122');

  it.each(later)('$name only adds, or says in the documentation what waits', ({ name, sql }) => {
    const [, title = ''] = /^\d+_(.*)$/.exec(name) ?? [];
    const waits = BREAKS.test(sql) || HOLDS.test(sql) || indexesOfOthers(sql);
    expect([title, documented?.includes(`\`${title}\``)]).toEqual([title, waits]);
  });

  it('the rule finds what breaks', () => {
    for (const sql of [
      'ALTER TABLE "a" DROP COLUMN "b";',
      'ALTER TABLE "a" RENAME COLUMN "b" TO "c";',
      'ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;',
      'ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE TEXT;',
      'ALTER TABLE "a" ADD COLUMN     "b" INTEGER NOT NULL;',
    ])
      expect([sql, BREAKS.test(sql)]).toEqual([sql, true]);
    for (const sql of [
      'ALTER TABLE "a" ADD COLUMN "b" INTEGER NOT NULL DEFAULT 0;',
      'ALTER TABLE "a" ADD COLUMN "b" TEXT;',
      'ALTER TABLE "a" ALTER COLUMN "b" DROP NOT NULL;',
    ])
      expect([sql, BREAKS.test(sql)]).toEqual([sql, false]);
    const own = 'CREATE UNLOGGED TABLE "a" ("b" INTEGER);\nCREATE INDEX "c" ON "a"("b");';
    expect([indexesOfOthers(own), indexesOfOthers('CREATE INDEX "c" ON "a"("b");')]).toEqual([false, true]);
  });
});
