/**
 * Applies the missing migrations of a database, with the bookkeeping of Prisma's own `migrate deploy` (table
 * `_prisma_migrations`), so that either tool can continue. Prisma's command needs an engine binary from its
 * download host; this needs only `pg`. Each migration is one transaction.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { inRepository } from '../lib/paths.mjs';
import { codeOf, UserError } from '../lib/user-error.mjs';
import { withClient } from './database.ts';

const MIGRATIONS = inRepository('prisma', 'migrations');
const PRISMA_MIGRATE_LOCK = 72707369; // the advisory lock that Prisma takes

/** While a change waits for a table, all queries on it wait too; a site tolerates LIMIT_LOCK_SECONDS (3). */
const LOCK_MILLISECONDS = 2_000;
/** Pause between attempts, in which waiting queries run. */
const PAUSE_MILLISECONDS = 1_000;
/** A backup or an export may read every table for its whole duration. */
const TIMEOUT_MILLISECONDS = 3_600_000;
const LOCK_NOT_AVAILABLE = '55P03';

const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export function readMigrations(directory = MIGRATIONS): Migration[] {
  const names = readdirSync(directory).filter((name) => existsSync(join(directory, name, 'migration.sql')));
  return names.sort().map((name) => {
    const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8');
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
}

async function applyOnce(
  client: pg.Client,
  { name, sql, checksum }: Migration,
  lockMilliseconds: number,
): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL lock_timeout = ${lockMilliseconds}`);
    await client.query(sql);
    await client.query(
      'INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ($1, $2, now(), $3, 1)',
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    if (codeOf(error) === LOCK_NOT_AVAILABLE) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Migration ${name} failed and was rolled back: ${reason}`, { cause: error });
  }
}

/** Sessions with an open transaction, longest first, for the operator. */
async function whoIsThere(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ who: string }>(
    `SELECT format('%s (process %s, since %s)', coalesce(nullif(left(query, 60), ''), 'somebody'), pid, date_trunc('second', xact_start)) AS who
     FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
     ORDER BY xact_start LIMIT 3`,
  );
  return rows.map(({ who }) => who).join('; ') || 'by no one now';
}

/** Applies a migration when its tables are unlocked for long enough. */
async function apply(client: pg.Client, migration: Migration, options: Waiting): Promise<void> {
  const until = performance.now() + options.timeoutMilliseconds;
  for (;;) {
    try {
      await applyOnce(client, migration, options.lockMilliseconds);
      return;
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      const reason = `migration ${migration.name} is waiting for tables that are in use: ${await whoIsThere(client)}`;
      if (performance.now() > until)
        throw new UserError(
          `The ${reason}. Nothing was changed: stop that work, or wait until it ends, and start again.`,
        );
      options.onWait(reason);
      await pause(options.lockMilliseconds / (LOCK_MILLISECONDS / PAUSE_MILLISECONDS));
    }
  }
}

const PATIENT = {
  lockMilliseconds: LOCK_MILLISECONDS,
  timeoutMilliseconds: TIMEOUT_MILLISECONDS,
  /** Called with the reason each time a migration must be retried. */
  onWait: (_reason: string): void => undefined,
};
type Waiting = Readonly<typeof PATIENT>;

/** Older code on a newer schema would fail midway, or write data that the newer version does not expect. */
function refuseNewer(unknown: readonly string[]): never {
  throw new UserError(
    `The database was migrated by a newer version of Unitcell (it has ${unknown.join(', ')}, which this version does not know). Run the newer version, or restore a backup made with this one; --force starts anyway, at your own risk.`,
  );
}

/**
 * @param url database to migrate
 * @param options `force` accepts a database with unknown migrations; the other options limit the waiting for
 * tables in use
 * @returns the names applied now
 * @throws UserError when the database is newer than this version
 * @throws when an applied migration was edited, or one fails (it is rolled back; earlier ones stay)
 */
export function deployMigrations(
  url: string,
  { directory, force = false, ...waiting }: { directory?: string; force?: boolean } & Partial<Waiting> = {},
): Promise<string[]> {
  const patient = { ...PATIENT, ...waiting };
  const migrations = readMigrations(directory);
  return withClient(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_MIGRATE_LOCK]);
    await client.query("SET client_min_messages TO 'warning'");
    await client.query(BOOKKEEPING);
    const { rows } = await client.query<{ migration_name: string; checksum: string }>(
      'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    );
    const done = new Map(rows.map((row) => [row.migration_name, row.checksum]));
    const names = new Set(migrations.map(({ name }) => name));
    const unknown = [...done.keys()].filter((name) => !names.has(name));
    if (unknown.length > 0 && !force) refuseNewer(unknown);
    const applied: string[] = [];
    for (const migration of migrations) {
      const known = done.get(migration.name);
      if (known === undefined) {
        await apply(client, migration, patient);
        applied.push(migration.name);
      } else if (known !== migration.checksum) {
        throw new UserError(
          `Migration ${migration.name} was edited after it was applied. Restore the file and put the change into a new migration.`,
        );
      }
    }
    return applied;
  });
}
