import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startChild } from './children.ts';
import { deployMigrations, readMigrations } from './migrations.ts';
import { withClient, withDatabase } from './database.ts';
import { apiDist, inRepository, unitcellHome } from '../lib/paths.mjs';
import { capture, mustRun } from '../lib/run.mjs';
import { openCluster } from './postgres.ts';
import { hashOf } from '../lib/stamp.mjs';
import { until } from './timeouts.ts';

/** The server of the tests: one migrated template per set of migrations, one copy of it per test file. */

const TEMPLATE_LOCK = 72707370;
const SEED_LOCK = 72707371;
const CONTAINER_START_MS = 60_000;
const COPY_PREFIX = 'unitcell_test';

export interface TestServer {
  /** Address of any database of the server. */
  readonly url: string;
  stop(): Promise<unknown>;
}

export interface DatabaseCopy {
  readonly url: string;
  drop(): Promise<unknown>;
}

/** Trades durability for speed: test data need not survive. */
const SERVER = 'postgres -c fsync=off -c synchronous_commit=off -c max_connections=200'.split(' ');

/** @returns undefined when no container engine answers, or the image does not arrive within a minute */
async function startInContainer(): Promise<TestServer | undefined> {
  // Checks the client first, because testcontainers is slow to load.
  const asked = await capture('docker', ['version', '--format', '{{.Server.Version}}'], { timeoutMs: 3000 });
  if (asked.code !== 0) return undefined;
  const { GenericContainer, Wait } = await import('testcontainers');
  const starting = new GenericContainer('postgres:18')
    .withEnvironment({ POSTGRES_USER: 'unitcell', POSTGRES_PASSWORD: 'unitcell' })
    .withCommand(SERVER)
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start()
    .catch(() => undefined);
  const started = await Promise.race([starting, pause(CONTAINER_START_MS, undefined, { ref: false })]);
  if (!started) return undefined;
  const url = `postgresql://unitcell:unitcell@${started.getHost()}:${started.getMappedPort(5432)}/postgres`;
  return { url, stop: () => started.stop() };
}

/** TEST_DATABASE_URL or DATABASE_URL, otherwise a container if an engine answers, otherwise the embedded server. */
export async function startTestPostgres(env: NodeJS.ProcessEnv = process.env): Promise<TestServer> {
  for (const name of ['TEST_DATABASE_URL', 'DATABASE_URL']) {
    const url = env[name];
    if (url) return { url, stop: async () => undefined };
  }
  const container = await startInContainer();
  if (container) return container;
  const cluster = openCluster(unitcellHome(env), { name: 'test-postgres', durable: false });
  const server = await cluster.start();
  return { url: server.url('postgres'), stop: cluster.stop };
}

/** Drops databases of killed test runs by the pid in their names; only on this machine's own server. */
async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE datname LIKE $1',
    [`${COPY_PREFIX}_%`],
  );
  for (const { datname } of rows) {
    const pid = Number(datname.split('_')[2]);
    try {
      process.kill(pid, 0);
    } catch {
      await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(datname)} WITH (FORCE)`);
    }
  }
}

/** Creates the template for this set of migrations, if it does not exist. @returns its name */
export async function ensureTemplate(serverUrl: string): Promise<string> {
  const checksums = readMigrations().map(({ checksum }) => checksum);
  const template = `unitcell_template_${hashOf([], checksums).slice(0, 12)}`;
  await withClient(serverUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (['127.0.0.1', 'localhost'].includes(new URL(serverUrl).hostname)) await dropAbandoned(client);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount) return;
    const draft = `${template}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    await deployMigrations(withDatabase(serverUrl, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  });
  return template;
}

export async function createDatabaseCopy(serverUrl: string, template: string): Promise<DatabaseCopy> {
  const name = `${COPY_PREFIX}_${process.pid}_${randomBytes(4).toString('hex')}`;
  const admin = withDatabase(serverUrl, 'postgres');
  // The default strategy also writes every page to the log.
  await withClient(admin, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`),
  );
  return {
    url: withDatabase(serverUrl, name),
    drop: () => withClient(admin, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** Hash that changes when the seed data change, or code of the API or packages that derives data from them. */
function seedHash(): string {
  const files = readdirSync(inRepository('seed-data'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jsonl|gz|json|md|txt)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const texts = files.map((file) => readFileSync(file).toString('base64'));
  return hashOf([inRepository('apps/api/src'), inRepository('packages')], texts);
}

/** The template with the seed data: loading them takes seconds, copying a template does not. @returns its name */
export async function ensureSeededTemplate(serverUrl: string, env: NodeJS.ProcessEnv): Promise<string> {
  const empty = await ensureTemplate(serverUrl);
  const template = `${empty}_${seedHash().slice(0, 8)}`;
  const admin = withDatabase(serverUrl, 'postgres');
  await withClient(admin, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [SEED_LOCK]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount) return;
    const draft = await createDatabaseCopy(serverUrl, empty);
    const args = [join(apiDist, 'cli.js'), 'seed', '--if-empty'];
    await mustRun('Seeding the test site', process.execPath, args, {
      env: { ...env, DATABASE_URL: draft.url },
      cwd: inRepository(),
    });
    await predictMaterials(draft.url, env);
    await client.query(`ALTER DATABASE ${new URL(draft.url).pathname.slice(1)} RENAME TO ${template}`);
  });
  return template;
}

/** Runs a worker until it has predicted all materials. Otherwise the worker of every site would begin with that. */
async function predictMaterials(databaseUrl: string, env: NodeJS.ProcessEnv): Promise<void> {
  const logDirectory = mkdtempSync(join(tmpdir(), 'unitcell-worker-'));
  const worker = startChild({
    name: 'worker',
    script: join(apiDist, 'worker.js'),
    env: { ...env, DATABASE_URL: databaseUrl, WORKER_ROLES: 'derive' },
    cwd: inRepository(),
    logDirectory,
    print: () => undefined,
  });
  try {
    await withClient(databaseUrl, (client) =>
      until('The materials of the seed are predicted', async () => {
        const { rows } = await client.query<{ done: boolean }>(
          'SELECT (SELECT count(*) FROM material_structure) = (SELECT count(*) FROM material_prediction) AS done',
        );
        return rows[0]?.done;
      }),
    );
  } finally {
    await worker.stop();
    rmSync(logDirectory, { recursive: true, force: true });
  }
}
