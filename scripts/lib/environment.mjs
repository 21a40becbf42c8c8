import { existsSync, readFileSync } from 'node:fs';
import { ensureDatabase, withDatabase } from './database.mjs';
import { inRepository, unitcellHome, webDist } from './paths.mjs';
import { openCluster } from './postgres.mjs';
import { embeddedSecret } from './secret.mjs';

const DATABASE = 'unitcell';
const ASSIGNMENT = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/;

/** Reads `.env` in the repository root, if there is one; what the environment sets already wins. */
export function loadDotEnv(env = process.env, file = inRepository('.env')) {
  if (!existsSync(file)) return;
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
    const [, name, raw] = line.match(ASSIGNMENT) ?? [];
    if (name === undefined || env[name] !== undefined) continue;
    const quoted = raw.match(/^(['"])(.*)\1/);
    const value = quoted ? quoted[2] : raw.replace(/\s+#.*$/, '');
    if (value !== '') env[name] = value;
  }
}

/**
 * The database to use: DATABASE_URL if set, else the embedded server (started or adopted).
 * @returns {Promise<{ url: string, embedded: boolean, note: string, directory?: string, release: () => Promise<boolean> }>}
 */
export async function openDatabase(env = process.env) {
  if (env.DATABASE_URL) {
    return { url: env.DATABASE_URL, embedded: false, note: 'DATABASE_URL', release: async () => false };
  }
  const cluster = openCluster(unitcellHome(env));
  const server = await cluster.start();
  const url = server.url(DATABASE);
  await ensureDatabase(withDatabase(url, 'postgres'), DATABASE);
  const note = server.adopted ? 'found running' : undefined;
  return { url, embedded: true, note, directory: cluster.directory, release: cluster.stop };
}

/** The environment of api, worker and command line. */
export function serviceEnvironment(database, env = process.env) {
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
