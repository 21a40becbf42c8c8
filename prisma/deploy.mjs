import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withClient } from '../scripts/lib/database.mjs';

/**
 * Applies the migrations that a database lacks, in the bookkeeping of Prisma's own `migrate deploy` (table
 * `_prisma_migrations`), so that either tool can continue where the other stopped. Prisma's command needs an engine binary
 * from its download host; this needs only `pg`. Each migration is one transaction.
 *
 *   DATABASE_URL=… node prisma/deploy.mjs
 */

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const PRISMA_MIGRATE_LOCK = 72707369; // the advisory lock Prisma itself takes

const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

/** The migrations of a directory, in order: `{ name, sql, checksum }`. */
export function readMigrations(directory = MIGRATIONS) {
  const names = readdirSync(directory).filter((name) => existsSync(join(directory, name, 'migration.sql')));
  return names.sort().map((name) => {
    const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

async function apply(client, { name, sql, checksum }) {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await client.query(
      'INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ($1, $2, now(), $3, 1)',
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${name} failed and was rolled back: ${error.message}`, { cause: error });
  }
}

/**
 * @param {string} url database to migrate
 * @param {{ directory?: string }} [options]
 * @returns {Promise<string[]>} the names applied now
 * @throws when an applied migration was edited, or one fails (its changes are rolled back; earlier ones stay)
 */
export function deployMigrations(url, { directory } = {}) {
  const migrations = readMigrations(directory);
  return withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATE_LOCK]);
    await client.query("SET client_min_messages TO 'warning'");
    await client.query(BOOKKEEPING);
    const { rows } = await client.query(
      'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    );
    const done = new Map(rows.map((row) => [row.migration_name, row.checksum]));
    const applied = [];
    for (const migration of migrations) {
      const known = done.get(migration.name);
      if (known === undefined) {
        await apply(client, migration);
        applied.push(migration.name);
      } else if (known !== migration.checksum) {
        throw new Error(
          `Migration ${migration.name} was edited after it was applied. Restore the file and put the change into a new migration.`,
        );
      }
    }
    return applied;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const url = process.env.DATABASE_URL;
  if (!url) {
    process.stderr.write('Set DATABASE_URL=postgresql://user:password@host:5432/database\n');
    process.exitCode = 1;
  } else {
    const applied = await deployMigrations(url);
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to apply\n');
  }
}
