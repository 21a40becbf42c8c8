/**
 * Writes migrations, and checks that schema and migrations agree.
 *
 * npx tsx prisma/author.ts dev <name>   after a change of schema.prisma: writes migrations/<time>_<name>/migration.sql
 * npx tsx prisma/author.ts diff         exit code 1 and the missing SQL if a change of the schema has no migration
 *
 * Works on a scratch database of the test server (TEST_DATABASE_URL, DATABASE_URL, a container, or the embedded one);
 * no other database is touched. Objects that the schema language cannot express (expression and partial indexes,
 * functions, sequences) are written into the migration by hand; this program ignores them. Review the SQL before you
 * commit it.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withClient, withDatabase } from '@unitcell/tools/database';
import { startTestPostgres } from '@unitcell/tools/test-postgres';
import { readMigrations } from '@unitcell/tools/migrations';
import { sqlFromDatabaseToSchema } from './schema-engine.ts';

const SCHEMA = fileURLToPath(new URL('./schema.prisma', import.meta.url));
const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const NAME = /^[a-z][a-z0-9_]*$/;

/** The SQL that is missing in the migrations, found on a scratch database that is dropped afterwards. */
async function missingSql(): Promise<string> {
  const server = await startTestPostgres();
  const scratch = `unitcell_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const url = withDatabase(server.url, scratch);
  try {
    await withClient(server.url, (client) => client.query(`CREATE DATABASE ${scratch}`));
    await withClient(url, async (client) => {
      for (const { sql } of readMigrations()) await client.query(sql);
    });
    return await sqlFromDatabaseToSchema(url, SCHEMA);
  } finally {
    await withClient(server.url, (client) => client.query(`DROP DATABASE IF EXISTS ${scratch} WITH (FORCE)`));
    await server.stop();
  }
}

async function dev(name: string | undefined): Promise<number> {
  if (name === undefined || !NAME.test(name)) {
    process.stderr.write(
      'Name the migration in snake_case: npx tsx prisma/author.ts dev add_band_gap_index\n',
    );
    return 1;
  }
  const sql = await missingSql();
  if (sql === '') {
    process.stdout.write('The migrations already match schema.prisma.\n');
    return 0;
  }
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const directory = `${MIGRATIONS}/${time}_${name}`;
  mkdirSync(directory);
  writeFileSync(`${directory}/migration.sql`, sql);
  process.stdout.write(`Wrote ${directory}/migration.sql. Read it before you commit it.\n`);
  const drops = sql.split('\n').filter((line) => /\bDROP (TABLE|COLUMN|TYPE)\b/.test(line));
  if (drops.length > 0) process.stdout.write(`It deletes data:\n${drops.join('\n')}\n`);
  return 0;
}

async function diff(): Promise<number> {
  const sql = await missingSql();
  if (sql === '') return 0;
  process.stdout.write(`schema.prisma and the migrations differ. Missing:\n${sql}\n`);
  return 1;
}

const [command, name] = process.argv.slice(2);
if (command === 'dev') process.exitCode = await dev(name);
else if (command === 'diff') process.exitCode = await diff();
else {
  process.stderr.write('Usage: npx tsx prisma/author.ts dev <name> | diff\n');
  process.exitCode = 1;
}
