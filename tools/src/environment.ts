import { setTimeout as pause } from 'node:timers/promises';
import { livingHolder } from '../lib/lock.mjs';
import { siteLock, unitcellHome, webDist } from '../lib/paths.mjs';
import { Sentence } from '../lib/sentence.mjs';
import { ensureDatabase, withDatabase } from './database.ts';
import { type DatabaseKeeper, keepDatabase } from './keep-database.ts';
import { type Cluster, openCluster } from './postgres.ts';
import { embeddedSecret } from './secret.ts';

const DATABASE = 'unitcell';
/** A site brings its database back within seconds; after this it will not come. */
const SITE_DATABASE_MS = 30_000;
const LOOK_MS = 100;

/**
 * A running site owns the database: when it is away, the site is bringing it back where its processes look for it, and a second
 * server on another port would leave them alone with an address that nobody answers.
 * @returns the port of the running site's database
 */
async function siteDatabasePort(
  home: string,
  cluster: Cluster,
  patienceMs: number,
): Promise<number | undefined> {
  const begun = performance.now();
  for (;;) {
    const site = livingHolder(siteLock(home));
    if (!site?.databasePort || site.pid === process.pid || cluster.isServerAlive()) return site?.databasePort;
    if (performance.now() - begun > patienceMs)
      throw new Sentence(
        `The site that runs here (process ${site.pid}, ${site.address}) has been without its database for ${patienceMs / 1000} s. Stop it, look into ${cluster.log}, and start it again.`,
      );
    await pause(LOOK_MS);
  }
}

/** The database of an installation. */
export interface OpenDatabase {
  readonly url: string;
  /** Beside the time in the list of steps. */
  readonly note: string | undefined;
  /** The server that is ours; undefined: somebody else's, named by DATABASE_URL. */
  readonly embedded?: {
    readonly directory: string;
    readonly port: number;
    /** Watches the server and starts it again when it dies. */
    keep(say: (line: string) => void): DatabaseKeeper;
  };
  /** Leaves it; the last one stops an embedded server. */
  release(): Promise<unknown>;
}

/** The database to use: DATABASE_URL if set, else the embedded server (started or adopted). */
export async function openDatabase(
  env: NodeJS.ProcessEnv = process.env,
  { patienceMs = SITE_DATABASE_MS } = {},
): Promise<OpenDatabase> {
  if (env.DATABASE_URL)
    return { url: env.DATABASE_URL, note: 'DATABASE_URL', release: async () => undefined };
  const home = unitcellHome(env);
  const cluster = openCluster(home);
  const { port, adopted, url } = await cluster.start(await siteDatabasePort(home, cluster, patienceMs));
  await ensureDatabase(withDatabase(url(DATABASE), 'postgres'), DATABASE);
  return {
    url: url(DATABASE),
    note: adopted ? 'found running' : undefined,
    embedded: { directory: cluster.directory, port, keep: (say) => keepDatabase(cluster, port, say) },
    release: cluster.stop,
  };
}

/** The environment of api, worker and command line. */
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
