import { existsSync, readFileSync } from 'node:fs';
import { inRepository } from './paths.mjs';
import { UserError, codeOf } from './user-error.mjs';

/**
 * Settings that may be given as a file name instead (`JWT_SECRET_FILE=/run/secrets/jwt_secret`), so that no
 * list of processes or containers shows the secret.
 */
const SECRETS = [
  'JWT_SECRET',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'DATABASE_PASSWORD',
  'REDIS_URL',
  'SMS_ACCESS_KEY_ID',
  'SMS_ACCESS_KEY_SECRET',
  'SMS_WEBHOOK_SECRET',
  'GITHUB_CLIENT_SECRET',
  'WECHAT_APP_SECRET',
  'OIDC_CLIENT_SECRET',
  'LDAP_BIND_PASSWORD',
  'METRICS_TOKEN',
  'BACKUP_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

/**
 * @param {string} name
 * @param {string} file
 */
function readSecret(name, file) {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new UserError(
      `${name}_FILE names ${file}, which cannot be read (${codeOf(error)}): correct the name, or let this account read it.`,
    );
  }
}

/**
 * The address of a database from its parts; user, password and name may contain any characters. @param
 * {NodeJS.ProcessEnv} env
 */
function databaseUrl(env) {
  const part = encodeURIComponent;
  const { DATABASE_HOST: host = '', DATABASE_PORT: port, DATABASE_USER: user = 'unitcell' } = env;
  const inUrl = host.includes(':') ? `[${host}]` : host;
  const password = env.DATABASE_PASSWORD ? `:${part(env.DATABASE_PASSWORD)}` : '';
  return `postgresql://${part(user)}${password}@${inUrl}:${port || 5432}/${part(env.DATABASE_NAME || 'unitcell')}`;
}

/**
 * Reads the secrets given as files, and builds DATABASE_URL from its parts if it is not set. An empty value
 * counts as not set.
 * @param {NodeJS.ProcessEnv} env is modified
 * @throws {UserError} when a setting is given twice or its file cannot be read
 */
export function completeSettings(env = process.env) {
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) throw new UserError(`${name} and ${name}_FILE are both set: set one of them.`);
    env[name] = readSecret(name, file);
    // Child processes inherit the secret itself, and would otherwise find it given twice.
    delete env[`${name}_FILE`];
  }
  if (!env.DATABASE_URL && env.DATABASE_HOST) env.DATABASE_URL = databaseUrl(env);
}

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=\s*(.*?)\s*$/;

/**
 * Reads `.env` in the repository root, if there is one, as docker compose does: the last assignment of a name counts.
 * Variables of the environment take precedence.
 */
export function loadDotEnv(env = process.env, file = inRepository('.env')) {
  if (!existsSync(file)) return;
  /** @type {Map<string, string>} */
  const values = new Map();
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
    const [, name, raw] = line.match(ASSIGNMENT) ?? [];
    if (name === undefined || raw === undefined) continue;
    const [, , quoted] = raw.match(/^(['"])(.*?)\1/) ?? [];
    values.set(name, quoted ?? raw.replace(/(?:^|\s+)#.*$/, ''));
  }
  for (const [name, value] of values) if (value !== '' && env[name] === undefined) env[name] = value;
}
