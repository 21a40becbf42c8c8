import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { livingHolder } from '../lib/lock.mjs';
import { siteLock, unitcellHome, webDist } from '../lib/paths.mjs';
import { UserError } from '../lib/user-error.mjs';
import { ensureDatabase, withDatabase } from './database.ts';
import { type Cluster, openCluster } from './postgres.ts';
import { type DatabaseSupervisor, superviseDatabase } from './supervise.ts';

const DATABASE = 'unitcell';
/** A running site restores its database within seconds; after this time no recovery is expected. */
const SITE_DATABASE_MS = 30_000;
const LOOK_MS = 100;

/**
 * Waits for the database of a running site. If this database is down, the site restarts it on the same port; a second
 * server on another port would leave the processes with different servers.
 * @returns the port of the running site's database
 */
async function siteDatabasePort(
  home: string,
  cluster: Cluster,
  timeoutMs: number,
): Promise<number | undefined> {
  const begun = performance.now();
  for (;;) {
    const site = livingHolder(siteLock(home));
    if (!site?.databasePort || site.pid === process.pid || cluster.isServerAlive()) return site?.databasePort;
    if (performance.now() - begun > timeoutMs)
      throw new UserError(
        `The running site (process ${site.pid}, ${site.address}) has been without its database for ${timeoutMs / 1000} s. Stop it, look into ${cluster.log}, and start it again.`,
      );
    await pause(LOOK_MS);
  }
}

export interface OpenDatabase {
  readonly url: string;
  /** Printed beside the duration in the list of steps. */
  readonly note: string | undefined;
  /** The embedded server; undefined for an external one named by DATABASE_URL. */
  readonly embedded?: {
    readonly directory: string;
    readonly port: number;
    supervise(say: (line: string) => void): DatabaseSupervisor;
  };
  /** Stops using the database; the last user stops an embedded server. */
  release(): Promise<unknown>;
}

/** The database to use: DATABASE_URL if set, otherwise the embedded server (started or adopted). */
export async function openDatabase(
  env: NodeJS.ProcessEnv = process.env,
  { timeoutMs = SITE_DATABASE_MS } = {},
): Promise<OpenDatabase> {
  if (env.DATABASE_URL)
    return { url: env.DATABASE_URL, note: 'DATABASE_URL', release: async () => undefined };
  const home = unitcellHome(env);
  const cluster = openCluster(home);
  const { port, adopted, url } = await cluster.start(await siteDatabasePort(home, cluster, timeoutMs));
  await ensureDatabase(withDatabase(url(DATABASE), 'postgres'), DATABASE);
  return {
    url: url(DATABASE),
    note: adopted ? 'already running' : undefined,
    embedded: {
      directory: cluster.directory,
      port,
      supervise: (say) => superviseDatabase(cluster, port, say),
    },
    release: cluster.stop,
  };
}

/** The signing secret of the embedded default: created once, readable only by its owner. */
export function embeddedSecret(home: string): string {
  const file = join(home, 'jwt-secret');
  if (!existsSync(file))
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
}

export function serviceEnvironment(
  database: OpenDatabase,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const home = unitcellHome(env);
  return {
    NODE_ENV: 'production',
    SMS_PROVIDER: 'console',
    ...env,
    UNITCELL_HOME: home,
    DATABASE_URL: database.url,
    WEB_DIST: env.WEB_DIST || webDist,
    JWT_SECRET: env.JWT_SECRET || (database.embedded ? embeddedSecret(home) : ''),
  };
}
