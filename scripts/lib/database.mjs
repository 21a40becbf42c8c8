import { createRequire } from 'node:module';
import { inRepository } from './paths.mjs';

/** `pg` as the api has it; only callable after the install. */
export const loadPg = () => createRequire(inRepository('apps/api/package.json'))('pg');

/** The same server, another database. */
export function withDatabase(url, database) {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Runs the work on one connection that is closed afterwards. */
export async function withClient(url, work) {
  const { Client } = loadPg();
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // a dropped connection also rejects the query in flight, which is what we report
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const DUPLICATE_DATABASE = '42P04';
const UNIQUE_VIOLATION = '23505'; // two processes creating the same database at once

/** Creates the database the url names, if it is not there. `adminUrl` points to any other database of the server. */
export async function ensureDatabase(adminUrl, name) {
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount > 0) return;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`).catch((error) => {
      if (error.code !== DUPLICATE_DATABASE && error.code !== UNIQUE_VIOLATION) throw error;
    });
  });
}
