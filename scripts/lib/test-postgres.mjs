import { randomBytes } from 'node:crypto';
import { deployMigrations, readMigrations } from '../../prisma/deploy.mjs';
import { withClient, withDatabase } from './database.mjs';
import { unitcellHome } from './paths.mjs';
import { openCluster } from './postgres.mjs';
import { capture } from './run.mjs';
import { hashOf } from './stamp.mjs';

/**
 * The PostgreSQL server of the tests, and its databases: one migrated template per set of migrations, one copy of it per test
 * file. Several test runs may share the server.
 */

const ENGINE_ANSWER_MS = 3000;
const CONTAINER_START_MS = 60_000;
const TEMPLATE_LOCK = 72707370;
const COPY_PREFIX = 'unitcell_test';

const withTimeout = (promise, ms) =>
  Promise.race([
    promise,
    new Promise((_, fail) => {
      setTimeout(() => fail(new Error(`no answer within ${ms / 1000} s`)), ms).unref();
    }),
  ]);

/** A server in a container, or undefined where no engine answers (or it cannot get the image). */
async function startContainer() {
  // Asking the client costs nothing where there is none; testcontainers itself is slow to load.
  const { code } = await capture('docker', ['version', '--format', '{{.Server.Version}}'], {
    timeoutMs: ENGINE_ANSWER_MS,
  });
  if (code !== 0) return undefined;
  try {
    const { GenericContainer, Wait } = await import('testcontainers');
    const container = new GenericContainer('postgres:18')
      .withEnvironment({ POSTGRES_USER: 'unitcell', POSTGRES_PASSWORD: 'unitcell' })
      .withCommand([
        'postgres',
        '-c',
        'fsync=off',
        '-c',
        'synchronous_commit=off',
        '-c',
        'max_connections=200',
      ])
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2));
    const started = await withTimeout(container.start(), CONTAINER_START_MS);
    const url = `postgresql://unitcell:unitcell@${started.getHost()}:${started.getMappedPort(5432)}/postgres`;
    return { url, description: 'postgres:18 in a container', stop: () => started.stop() };
  } catch {
    return undefined;
  }
}

/**
 * The server to test against: TEST_DATABASE_URL or DATABASE_URL, else a container where an engine answers, else the embedded
 * server.
 * @returns {Promise<{ url: string, description: string, stop: () => Promise<unknown> }>} `url` names any database of it
 */
export async function startTestPostgres(env = process.env) {
  for (const name of ['TEST_DATABASE_URL', 'DATABASE_URL']) {
    if (env[name])
      return { url: env[name], description: `the server of ${name}`, stop: async () => undefined };
  }
  const container = await startContainer();
  if (container) return container;
  const cluster = openCluster(unitcellHome(env), { name: 'test-postgres', durable: false });
  const server = await cluster.start();
  return { url: server.url('postgres'), description: 'embedded PostgreSQL 18', stop: cluster.stop };
}

/** Databases of test runs that were killed: their name holds the pid. Only sound on this machine's own server. */
async function dropAbandoned(client) {
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname LIKE $1', [
    `${COPY_PREFIX}_%`,
  ]);
  for (const { datname } of rows) {
    const pid = Number(datname.split('_')[2]);
    try {
      process.kill(pid, 0);
    } catch {
      await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(datname)} WITH (FORCE)`);
    }
  }
}

/**
 * Makes the migrated template, if this set of migrations has none yet.
 * @returns {Promise<string>} its name
 */
export async function ensureTemplate(serverUrl) {
  const checksums = readMigrations().map(({ checksum }) => checksum);
  const template = `unitcell_template_${hashOf([], checksums).slice(0, 12)}`;
  await withClient(serverUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (['127.0.0.1', 'localhost'].includes(new URL(serverUrl).hostname)) await dropAbandoned(client);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount > 0) return;
    const draft = `${template}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    await deployMigrations(withDatabase(serverUrl, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  });
  return template;
}

/**
 * A database of its own, copied from the template.
 * @returns {Promise<{ url: string, drop: () => Promise<void> }>}
 */
export async function createDatabaseCopy(serverUrl, template) {
  const name = `${COPY_PREFIX}_${process.pid}_${randomBytes(4).toString('hex')}`;
  const admin = withDatabase(serverUrl, 'postgres');
  await withClient(admin, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    url: withDatabase(serverUrl, name),
    drop: () => withClient(admin, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}
