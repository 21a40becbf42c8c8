/**
 * Verifies a backup by restoring it into a scratch database on the same server and comparing the contents.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { checkedRows } from '../../infra/sql.ts';
import { BackupRefused, backupText, inSnapshot, LEFT_OUT, linesOf, restore, textLines } from './backup.ts';

const END_OF_BLOCK = '\\.';
const INSUFFICIENT_PRIVILEGE = '42501';

export interface VerifyOptions {
  /** The server for the scratch database. */
  readonly databaseUrl: string;
  readonly key: string | null;
  /** Migrates an empty database to the schema of the backup. */
  readonly migrate: (url: string) => Promise<unknown>;
}

export interface Verified {
  readonly seconds: number;
  readonly tables: number;
  readonly rows: number;
}

/** For each part of a backup, the number of lines and an order-independent sum of their hashes. */
async function contentsOf(next: () => Promise<string | undefined>): Promise<Map<string, string>> {
  const parts = new Map<string, { count: number; sum: bigint }>();
  let table: string | undefined;
  for (let line = await next(); line !== undefined; line = await next()) {
    const begun = table === undefined ? /^COPY "(\w+)" FROM stdin;$/.exec(line)?.[1] : undefined;
    if (begun !== undefined) table = begun;
    const name = table ?? 'pictures and numbering';
    const part = parts.get(name) ?? { count: 0, sum: 0n };
    parts.set(name, part);
    if (begun !== undefined) continue;
    if (line === END_OF_BLOCK) {
      table = undefined;
      continue;
    }
    part.count++;
    part.sum = BigInt.asUintN(64, part.sum + createHash('sha256').update(line).digest().readBigUInt64BE());
  }
  return new Map([...parts].map(([name, { count, sum }]) => [name, `${count}:${sum.toString(16)}`]));
}

const DAY_MILLISECONDS = 86_400_000;

/**
 * Drops scratch databases that killed processes left a day ago or earlier: each is a whole copy of the data, and nothing
 * else would ever drop it.
 */
async function dropLeftOver(client: pg.Client): Promise<void> {
  const rows = await checkedRows(
    client,
    String.raw`SELECT datname AS name FROM pg_database WHERE datname ~ '^unitcell_verify_\d{13}_[0-9a-f]+$'`,
    z.object({ name: z.string() }),
  );
  for (const { name } of rows) {
    if (Number(name.split('_')[2]) > Date.now() - DAY_MILLISECONDS) continue;
    // Fails if the database belongs to another site on the same server, or is still in use.
    await client.query(`DROP DATABASE ${name}`).catch(() => undefined);
  }
}

/** @throws BackupRefused when the role may not create databases */
async function scratchDatabase(databaseUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `unitcell_verify_${Date.now()}_${randomBytes(6).toString('hex')}`;
  const withServer = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  try {
    await withServer(async (client) => {
      await dropLeftOver(client);
      await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    });
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new BackupRefused(
      'the backup cannot be verified: the role of DATABASE_URL may not create a scratch database (ALTER ROLE … CREATEDB)',
    );
  }
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => withServer((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

/**
 * Restores a backup into a scratch database and compares every row, picture and sequence with the file.
 * @throws BackupRefused when it cannot be restored or the contents differ
 */
export async function verifyBackup(
  file: string,
  { databaseUrl, key, migrate }: VerifyOptions,
): Promise<Verified> {
  const begun = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'unitcell-verify-'));
  const pictures = join(folder, 'avatars');
  const scratch = await scratchDatabase(databaseUrl);
  try {
    await migrate(scratch.url);
    const pool = new pg.Pool({ connectionString: scratch.url, max: 2 });
    pool.on('error', () => undefined);
    try {
      await restore(pool, file, { pictures, key });
      const written = await contentsOf(linesOf(file, key));
      const restored = await inSnapshot(pool, async (client) => {
        const lines = textLines(backupText(client, pictures));
        return contentsOf(async () => {
          const { done, value } = await lines.next();
          return done ? undefined : value;
        });
      });
      const differing = [...new Set([...written.keys(), ...restored.keys()])].filter(
        (name) => !LEFT_OUT.includes(name) && written.get(name) !== restored.get(name),
      );
      if (differing.length > 0)
        throw new BackupRefused(`${file} restores with differences in ${differing.join(', ')}`);
      const rows = [...written.values()].reduce((sum, text) => sum + Number(text.split(':')[0]), 0);
      return { seconds: (performance.now() - begun) / 1000, tables: written.size - 1, rows };
    } finally {
      await pool.end();
    }
  } finally {
    await scratch.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Migrates a scratch database with the deployment's migration program in the folder of the running program. */
export const migrateByDeploy = (url: string): Promise<unknown> =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL('./deploy.js', import.meta.url))], {
    env: { DATABASE_URL: url },
  });
