import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { UserError, codeOf } from '../lib/user-error.mjs';

export function withDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Runs the work on one connection and closes it afterwards. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // a dropped connection also rejects the query in flight, which is reported
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Prints to standard error why something waits; each reason only once. */
export function sayOnce(): (reason: string) => void {
  let said = '';
  return (reason) => {
    if (reason !== said) process.stderr.write(`${reason}\n`);
    said = reason;
  };
}

/** Errors of a server that is not running or not resolvable yet, or is starting or stopping. */
const NOT_YET = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', '57P03'];
const ASK_AGAIN_MS = 500;

/**
 * Waits until a server answers: on slow disks and networks it may start later than the programs that need it.
 * @param options.onWait called with the reason before each further attempt
 * @throws UserError when it has not answered in time; at once for a wrong password or name
 */
export async function waitForDatabase(
  url: string,
  {
    timeoutMs,
    onWait = () => undefined,
  }: { timeoutMs: number; onWait?: ((reason: string) => void) | undefined },
): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      await withClient(url, (client) => client.query('SELECT 1'));
      return;
    } catch (error) {
      const code = codeOf(error);
      if (!NOT_YET.includes(code)) throw error;
      const { host } = new URL(url);
      if (performance.now() > until)
        throw new UserError(
          `No PostgreSQL answered at ${host} for ${timeoutMs / 1000} s (${code}). Check that it is running and that the address is correct.`,
        );
      onWait(`no PostgreSQL at ${host} yet (${code})`);
    }
    await pause(ASK_AGAIN_MS);
  }
}

const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505'; // two processes creating the same database at once

/** Creates a database if it does not exist. `adminUrl` points to any other database of the server. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return;
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`).catch((error: unknown) => {
      if (![DUPLICATE_DATABASE, UNIQUE_VIOLATION].includes(codeOf(error))) throw error;
    });
  });
}
