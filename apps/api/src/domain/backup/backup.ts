/**
 * Backup and restore of the whole database as gzipped COPY blocks in one snapshot. The embedded PostgreSQL
 * has no pg_dump, so only the driver is used. The schema is not included: the migrations make it, and their
 * names are checked.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';
import { inTransaction } from '../../infra/database.ts';
import { checkedRows } from '../../infra/sql.ts';

/**
 * Encryption of backups in the age format (age-encryption.org/v1: X25519, ChaCha20-Poly1305 in authenticated
 * chunks of 64 KiB), which `age -d` can open on any machine.
 */
const MAGIC = Buffer.from('age-encryption.org/v1\n');

/** Error: the file needs a key that is missing or different. */
class KeyProblem extends Error {
  override readonly name = 'KeyProblem';
}

/** Loaded with the first encrypted backup, not at every start. */
const encryption = () => import('age-encryption');

/** A new key: `AGE-SECRET-KEY-1…`. */
export const newBackupKey = async (): Promise<string> => (await encryption()).generateX25519Identity();

/** Encrypts a stream for the owner of the key; null: leaves it as it is. */
async function* sealed(source: Readable, key: string | null): AsyncGenerator<Uint8Array> {
  if (key === null) {
    yield* source;
    return;
  }
  const { Encrypter, identityToRecipient } = await encryption();
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(key));
  yield* Readable.fromWeb(await encrypter.encrypt(Readable.toWeb(source)));
}

/** Returns the content of a file, decrypted if necessary. @throws KeyProblem */
async function* opened(source: AsyncIterable<Buffer>, key: string | null): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < MAGIC.length) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) {
    yield* whole();
    return;
  }
  if (key === null) throw new KeyProblem('is encrypted: set BACKUP_KEY to the key it was made with');
  const { Decrypter } = await encryption();
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  let open: ReadableStream<Uint8Array>;
  try {
    open = await decrypter.decrypt(Readable.toWeb(Readable.from(whole())));
  } catch (error) {
    if (/no identity matched/i.test((error as Error).message))
      throw new KeyProblem('is encrypted with another key than BACKUP_KEY');
    throw error;
  }
  for await (const chunk of Readable.fromWeb(open)) yield Buffer.from(chunk as Uint8Array);
}

/**
 * Error: a file is damaged or not a backup of this site, or a time is invalid. The message is for the operator.
 */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/**
 * Sessions, and unfinished sign-ins with codes and invitations. They may have ended after the backup, so a
 * restore ends all of them.
 */
const SIGN_INS: readonly string[] = [
  'session',
  'sign_in_handle',
  'second_factor_challenge',
  'sms_code',
  'sms_token',
];

/** Tables that are not backed up, because they describe this installation or its momentary state. */
export const LEFT_OUT: readonly string[] = [
  ...SIGN_INS,
  '_prisma_migrations',
  'backup',
  'backup_schedule',
  'shared_task',
  'work_progress',
  'xrd_match',
];
/** Version 2 may contain pictures after the tables. */
const HEADER = '-- Unitcell backup 2';
const READABLE = new Set(['-- Unitcell backup 1', HEADER]);
/** In place of a file name: standard output or standard input. */
export const STANDARD = '-';
const END_OF_BLOCK = '\\.';

/** Tables ordered so that every row is written after the rows that it references. */
async function tablesOf(client: pg.PoolClient, leftOut = LEFT_OUT): Promise<string[]> {
  const rows = await checkedRows(
    client,
    `SELECT relname AS name, ARRAY(
       SELECT parent.relname::text FROM pg_constraint AS link JOIN pg_class AS parent ON parent.oid = link.confrelid
       WHERE link.conrelid = pg_class.oid AND link.contype = 'f' AND link.confrelid <> link.conrelid) AS parents
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN (${leftOut.map((name) => `'${name}'`).join(', ')})
     ORDER BY relname`,
    z.object({ name: z.string(), parents: z.array(z.string()) }),
  );
  const ordered: string[] = [];
  while (ordered.length < rows.length) {
    const ready = rows.filter(
      ({ name, parents }) => !ordered.includes(name) && parents.every((parent) => ordered.includes(parent)),
    );
    if (ready.length === 0) throw new Error('the tables form a reference cycle');
    ordered.push(...ready.map(({ name }) => name));
  }
  return ordered;
}

async function migrationsOf(client: pg.PoolClient): Promise<string> {
  const rows = await checkedRows(
    client,
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1',
    z.object({ migration_name: z.string() }),
  );
  return rows.map((row) => row.migration_name).join(',');
}

const quoted = (name: string): string => pg.escapeIdentifier(name);

/** The whole backup as text, read in the transaction of the connection. */
export async function* backupText(client: pg.PoolClient, pictures: string): AsyncGenerator<string | Buffer> {
  yield `${HEADER}\n-- migrations ${await migrationsOf(client)}\n`;
  for (const table of await tablesOf(client)) {
    yield `COPY ${quoted(table)} FROM stdin;\n`;
    for await (const chunk of client.query(copyTo(`COPY ${quoted(table)} TO STDOUT`))) yield chunk as Buffer;
    yield `${END_OF_BLOCK}\n`;
  }
  const rows = await checkedRows(
    client,
    "SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL",
    z.object({ name: z.string(), value: z.string() }),
  );
  for (const { name, value } of rows) yield `SELECT setval('${name}', ${value});\n`;
  yield* pictureLines(pictures);
}

/** Reads in one snapshot while the site is in use. */
export const inSnapshot = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return work(client);
  });

export interface BackupPlace {
  /** Folder of profile pictures. */
  readonly pictures: string;
  /** The age identity that encrypts and decrypts the files; null: no encryption. */
  readonly key: string | null;
}

/** Writes a backup of the current state. */
export async function backup(pool: pg.Pool, file: string, { pictures, key }: BackupPlace): Promise<void> {
  await inSnapshot(pool, async (client) => {
    const packing = createGzip();
    // One pipeline from the first to the last stream: an error of any of them ends all.
    await pipeline(
      backupText(client, pictures),
      packing,
      () => sealed(packing, key),
      file === STANDARD ? process.stdout : createWriteStream(file, { mode: 0o600 }),
    );
  });
}

/**
 * Replaces the whole database by a backup, or changes nothing. Pictures that are not in the backup are kept. All sessions
 * end. API keys that were revoked and accounts that were blocked in the replaced database stay so, and no account has
 * a role, a number or an identity of a provider that it had lost there.
 * @throws BackupRefused when the file is not a backup or was made with other migrations
 */
export async function restore(pool: pg.Pool, file: string, { pictures, key }: BackupPlace): Promise<void> {
  const taker = pictureTaker(pictures);
  try {
    await restoreRows(pool, { file, next: linesOf(file, key) }, taker.take);
    await taker.keep();
  } finally {
    await taker.drop();
  }
}

async function restoreRows(
  pool: pg.Pool,
  { file, next }: { readonly file: string; readonly next: () => Promise<string | undefined> },
  takePicture: (line: string) => Promise<boolean>,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    if (!READABLE.has((await next()) ?? '')) throw new BackupRefused(`${file} is not a backup of Unitcell`);
    const madeWith = (await next())?.replace('-- migrations ', '');
    const here = await migrationsOf(client);
    if (madeWith !== here)
      throw new BackupRefused(
        `${file} was made by another version (its migrations differ): restore it with that version, then upgrade`,
      );
    const revoked = await checkedRows(
      client,
      'SELECT key_hash FROM api_key WHERE revoked_at IS NOT NULL',
      z.object({ key_hash: z.instanceof(Buffer) }),
    );
    const { rowCount: accounts } = await client.query(
      'CREATE TEMPORARY TABLE replaced_account ON COMMIT DROP AS SELECT * FROM account',
    );
    await client.query(
      'CREATE TEMPORARY TABLE replaced_identity ON COMMIT DROP AS SELECT account_id, provider, provider_user_id FROM social_account',
    );
    const kept = LEFT_OUT.filter((name) => !SIGN_INS.includes(name));
    const replaced = await tablesOf(client, kept);
    await client.query(`TRUNCATE ${replaced.map(quoted).join(', ')} CASCADE`);
    for (let line = await next(); line !== undefined; line = await next()) {
      const table = /^COPY "(\w+)" FROM stdin;$/.exec(line)?.[1];
      const sequence = /^SELECT setval\('(\w+)', (\d+)\);$/.exec(line);
      if (table) await copyBlock(client, table, next);
      else if (sequence)
        await client.query('SELECT setval($1::regclass, $2::bigint)', [sequence[1], sequence[2]]);
      else if (!(await takePicture(line)))
        throw new BackupRefused(
          `${file} is damaged: ${JSON.stringify(line.slice(0, 60))} is unexpected here`,
        );
    }
    await client.query(
      'UPDATE api_key SET revoked_at = now() WHERE revoked_at IS NULL AND key_hash = ANY($1)',
      [revoked.map(({ key_hash }) => key_hash)],
    );
    if (accounts) {
      await client.query(
        `UPDATE account SET mobile = CASE WHEN account.mobile = before.mobile THEN before.mobile END,
           blocked_at = coalesce(account.blocked_at, before.blocked_at),
           user_type = CASE WHEN before.user_type = 1 OR before.deleted_at IS NOT NULL THEN 1 ELSE account.user_type END,
           is_administrator = account.is_administrator AND before.is_administrator
         FROM replaced_account AS before
         WHERE account.id = before.id AND account.created_at = before.created_at`,
      );
      await client.query(
        `DELETE FROM social_account USING account JOIN replaced_account AS before USING (id, created_at)
         WHERE account_id = account.id
           AND (account_id, provider, provider_user_id) NOT IN (SELECT * FROM replaced_identity)`,
      );
    }
    // Backups of older versions contain sessions and unfinished sign-ins.
    await client.query(`TRUNCATE ${replaced.filter((name) => SIGN_INS.includes(name)).join(', ')}`);
  });
}

/**
 * The lines of a backup. PostgreSQL ends a line only with a line feed. From version 24 on, Node's `readline`
 * also ends a line at U+2028 and U+2029, which are allowed in texts.
 */
export async function* textLines(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let line = '';
  for await (const chunk of chunks) {
    const [end = '', ...others] = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n');
    line += end;
    for (const next of others) {
      yield line;
      line = next;
    }
  }
  if (line !== '') yield line;
}

/** Returns a function that reads the next line of a backup; undefined at the end. */
export function linesOf(file: string, key: string | null): () => Promise<string | undefined> {
  const unpacked = createGunzip();
  const lines = textLines(unpacked);
  const source = file === STANDARD ? process.stdin : createReadStream(file);
  // The errors are thrown when the lines are read, which may begin later.
  unpacked.on('error', () => undefined);
  pipeline(opened(source, key), unpacked).catch((error: Error) => unpacked.destroy(error));
  return async () => {
    try {
      const { done, value } = await lines.next();
      return done ? undefined : value;
    } catch (error) {
      if (error instanceof KeyProblem)
        throw new BackupRefused(`${file} ${error.message}; nothing was changed`);
      throw new BackupRefused(
        `${file} is damaged or truncated (${(error as Error).message}); nothing was changed`,
      );
    }
  };
}

async function copyBlock(
  client: pg.PoolClient,
  table: string,
  next: () => Promise<string | undefined>,
): Promise<void> {
  const rows = async function* (): AsyncGenerator<string> {
    for (let line = await next(); line !== END_OF_BLOCK; line = await next()) {
      if (line === undefined) throw new BackupRefused(`the backup ends in the middle of the table ${table}`);
      yield `${line}\n`;
    }
  };
  await pipeline(
    Readable.from(rows()),
    new PassThrough(),
    client.query(copyFrom(`COPY ${quoted(table)} FROM STDIN`)),
  );
}

// ── Profile pictures in a backup: one line each with name and bytes, after the tables ──

const LINE = /^-- picture ([0-9a-f-]{49}\.webp) ([A-Za-z0-9+/=]+)$/;

/** Writes the pictures of a folder as lines; none if the folder does not exist. */
async function* pictureLines(directory: string): AsyncGenerator<string> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const bytes = await readFile(join(directory, name)).catch((error: NodeJS.ErrnoException) => {
      // The owner has deleted the picture since the folder was listed.
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    const line = bytes && `-- picture ${name} ${bytes.toString('base64')}`;
    // Files that are still being written have a different name.
    if (line && LINE.test(line)) yield `${line}\n`;
  }
}

/**
 * Writes the pictures of a backup to a folder of its own. `keep` moves them to the folder of pictures when
 * the whole backup has been read.
 */
function pictureTaker(directory: string) {
  const aside = join(directory, '..', `avatars-restored-${randomUUID()}`);
  const taken: string[] = [];
  return {
    /** @returns whether the line is a picture */
    async take(line: string): Promise<boolean> {
      const [, name, base64] = LINE.exec(line) ?? [];
      if (name === undefined || base64 === undefined) return false;
      await mkdir(aside, { recursive: true });
      await writeFile(join(aside, name), Buffer.from(base64, 'base64'), { mode: 0o600 });
      taken.push(name);
      return true;
    },
    async keep(): Promise<void> {
      await mkdir(directory, { recursive: true });
      for (const name of taken) await rename(join(aside, name), join(directory, name));
    },
    drop: () => rm(aside, { recursive: true, force: true }),
  };
}
