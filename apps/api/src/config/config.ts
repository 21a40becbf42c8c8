/** Reads the environment once and converts it to a typed configuration. No other code reads process.env. */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Analytics } from '@unitcell/contract/site-config';
import { ConfigError, MINIMAL_SECRET_LENGTH, secretProblem } from './config-error.ts';
import { type LdapConfig, type OidcConfig, readLdap, readOidc } from './institute.ts';
import { type Limits, readLimits } from './limits.ts';
import { readAnalytics, readTelemetry, type TelemetryConfig } from './telemetry.ts';

/** `none`: no sign-in by code, and no phone number is requested. */
const SMS_PROVIDERS = ['console', 'aliyun', 'tencent', 'webhook', 'none'] as const;
export type SmsProviderName = (typeof SMS_PROVIDERS)[number];

/** Users for whom a second factor is mandatory; it is optional for other users. */
export type SecondFactorPolicy = 'optional' | 'internal';

/** Who may read the catalogue through OPTIMADE: nobody, holders of a token or key, or everybody. */
export type OptimadeAccess = 'off' | 'key' | 'public';

/** Who may create API keys: only the operator, or also members. */
export type ApiKeyPolicy = 'operator' | 'members';
/** Who may read release dumps: holders of a token or key, or everybody. */
export type ReleaseAccess = 'key' | 'public';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Port of a worker's health endpoints; null: none. */
  readonly workerPort: number | null;
  /**
   * The roles of a worker: run submissions, process queue jobs (derivations, predictions, designs, backups),
   * or both.
   */
  readonly workerRoles: readonly WorkerRole[];
  /** Directory for all data of this installation outside the database. */
  readonly home: string;
  readonly databaseUrl: string;
  readonly databaseReadUrl: string;
  /** null: the queue is in PostgreSQL. */
  readonly redisUrl: string | null;
  /** Public address of the site; base of links and redirects. */
  readonly publicUrl: string;
  readonly jwtSecret: string;
  readonly secondFactor: SecondFactorPolicy;
  readonly optimadeAccess: OptimadeAccess;
  readonly apiKeys: ApiKeyPolicy;
  readonly releaseAccess: ReleaseAccess;
  readonly sms: SmsConfig;
  /** Whether a first sign-in by GitHub or WeChat requires a phone number. */
  readonly demandsPhone: boolean;
  /** Third-party sign-ins; null: not offered. */
  readonly github: OAuthConfig | null;
  readonly wechat: OAuthConfig | null;
  /** Sign-ins of an institute; null: not offered. */
  readonly oidc: OidcConfig | null;
  readonly ldap: LdapConfig | null;
  /** RUN4U_… variables without the prefix, in lower case; the run4u feature validates them. */
  readonly run4u: Readonly<Record<string, string>>;
  /** Whether new materials get values of the interatomic potential without the command `unitcell derive potential`. */
  readonly derivesPotential: boolean;
  /** Folder of the built web client; null serves the API only. */
  readonly webDist: string | null;
  /** Number of trusted proxies for X-Forwarded-For. */
  readonly trustedProxies: number;
  /** Time zone that determines the days of quotas. */
  readonly timeZone: string;
  /** Energy scale that is shown for materials with several scales. */
  readonly defaultFunctional: string;
  /**
   * Priority of sources when their values differ (docs/contributing/adr/0017): `measured`, `own`, `*`, names
   * of sources.
   */
  readonly sourceOrder: readonly string[];
  readonly logLevel: string;
  /** Token for /metrics; null: the page does not exist. */
  readonly metricsToken: string | null;
  /** Destination of spans; null: none. */
  readonly telemetry: TelemetryConfig | null;
  /** Destination of page views; null: none. */
  readonly analytics: Analytics | null;
  /** Backup directory and the age identity for encryption; null: not encrypted. */
  readonly backup: { readonly directory: string; readonly key: string | null };
  readonly limits: Limits;
  /** Contact for security reports (`mailto:…` or `https://…`); null: security.txt is not served. */
  readonly securityContact: string | null;
}

/** A client registration at a sign-in provider, and the provider's address. */
export interface OAuthConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly userUrl: string;
}

export interface SmsConfig {
  readonly provider: SmsProviderName;
  /** Provider settings without the `SMS_` prefix, in lower case. */
  readonly settings: Readonly<Record<string, string>>;
}

const MINIMAL_METRICS_TOKEN_LENGTH = 16;

export const WORKER_ROLES = ['calculate', 'derive'] as const;
export type WorkerRole = (typeof WORKER_ROLES)[number];

function readWorkerRoles(given: string | undefined, problems: string[]): readonly WorkerRole[] {
  const names = (given ?? '').split(',').map((name) => name.trim());
  const wanted = WORKER_ROLES.filter((role) => names.includes(role));
  const wrong = names.find((name) => name !== '' && !WORKER_ROLES.some((role) => role === name));
  if (wrong !== undefined)
    problems.push(`WORKER_ROLES has "${wrong}": expected ${WORKER_ROLES.join(', ')}, or both with a comma`);
  return wanted.length === 0 ? WORKER_ROLES : wanted;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration.
 * @throws ConfigError with one sentence per missing or invalid variable.
 */
export function readConfig(env: Environment): Config {
  const problems: string[] = [];
  /** A setting that has one of these values; without it, `usual`. */
  const choice = <Value extends string>(
    name: string,
    typed: string | undefined,
    values: readonly [Value, ...Value[]],
    usual: Value = values[0],
  ): Value => {
    const text = typed?.trim() || usual;
    const found = values.find((value) => value === text);
    if (found === undefined)
      problems.push(`${name} is "${text}": expected ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);
    return found ?? usual;
  };
  const need = (name: string, why: string): string => {
    const value = env[name]?.trim();
    if (!value) problems.push(`${name} is not set: ${why}`);
    return value ?? '';
  };
  const host = env.HOST?.trim() || '127.0.0.1';
  const port = readPort('PORT', env.PORT, problems);
  const workerPort = env.WORKER_PORT?.trim() ? readPort('WORKER_PORT', env.WORKER_PORT, problems) : null;
  const workerRoles = readWorkerRoles(env.WORKER_ROLES, problems);
  const databaseUrl = need(
    'DATABASE_URL',
    'the address of the PostgreSQL database (npm start sets it for you)',
  );
  const jwtSecret = need(
    'JWT_SECRET',
    `a random text of at least ${MINIMAL_SECRET_LENGTH} characters that signs login tokens`,
  );
  const wrongWithSecret = jwtSecret === '' ? null : secretProblem(jwtSecret);
  if (wrongWithSecret) problems.push(wrongWithSecret);
  const provider = choice('SMS_PROVIDER', env.SMS_PROVIDER, SMS_PROVIDERS);
  const phone = choice(
    'SIGN_IN_PHONE',
    env.SIGN_IN_PHONE,
    ['required', 'optional'],
    provider === 'none' ? 'optional' : 'required',
  );
  const demandsPhone = phone === 'required';
  if (demandsPhone && provider === 'none')
    problems.push('SIGN_IN_PHONE is "required", but SMS_PROVIDER is none: no code can be sent to a phone');
  const publicUrl = readPublicUrl(env.PUBLIC_URL?.trim() || `http://${hostInUrl(host)}:${port}`, problems);
  const github = readOAuth(
    env,
    'GITHUB',
    ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    {
      authorize: 'https://github.com/login/oauth/authorize',
      token: 'https://github.com/login/oauth/access_token',
      user: 'https://api.github.com/user',
    },
    problems,
  );
  const wechat = readOAuth(
    env,
    'WECHAT',
    ['WECHAT_APP_ID', 'WECHAT_APP_SECRET'],
    {
      authorize: 'https://open.weixin.qq.com/connect/qrconnect',
      token: 'https://api.weixin.qq.com/sns/oauth2/access_token',
      user: 'https://api.weixin.qq.com/sns/userinfo',
    },
    problems,
  );
  const oidc = readOidc(env, problems);
  const ldap = readLdap(env, problems);
  const analytics = readAnalytics(
    { provider: env.ANALYTICS_PROVIDER, id: env.ANALYTICS_ID, url: env.ANALYTICS_URL },
    problems,
  );
  const secondFactor = choice('SECOND_FACTOR', env.SECOND_FACTOR, ['optional', 'internal']);
  const optimadeAccess = choice('OPTIMADE_ACCESS', env.OPTIMADE_ACCESS, ['off', 'key', 'public']);
  const apiKeys = choice('API_KEYS', env.API_KEYS, ['operator', 'members']);
  const releaseAccess = choice('RELEASE_ACCESS', env.RELEASE_ACCESS, ['key', 'public']);
  const derivesPotential =
    choice('DERIVE_POTENTIAL', env.DERIVE_POTENTIAL, ['manual', 'automatic']) === 'automatic';
  const metricsToken = readMetricsToken(env.METRICS_TOKEN, problems);
  const securityContact = readSecurityContact(env.SECURITY_CONTACT, problems);
  const backupKey = readBackupKey(env.BACKUP_KEY, problems);
  const limits = readLimits(env, problems);
  const telemetry = readTelemetry(env, problems);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const home = resolve(env.UNITCELL_HOME?.trim() || '.unitcell');
  return {
    host,
    port,
    workerPort,
    workerRoles,
    home,
    databaseUrl,
    databaseReadUrl: env.DATABASE_READ_URL?.trim() || databaseUrl,
    redisUrl: env.REDIS_URL?.trim() || null,
    publicUrl,
    jwtSecret,
    secondFactor,
    optimadeAccess,
    apiKeys,
    releaseAccess,
    sms: { provider, settings: withPrefix(env, 'SMS_') },
    demandsPhone,
    run4u: withPrefix(env, 'RUN4U_'),
    derivesPotential,
    github,
    wechat,
    oidc,
    ldap,
    webDist: env.WEB_DIST?.trim() || null,
    trustedProxies: Number(env.TRUSTED_PROXIES ?? 0) || 0,
    timeZone: env.UNITCELL_TIME_ZONE?.trim() || 'Asia/Shanghai',
    defaultFunctional: env.UNITCELL_ENERGY_SCALE?.trim() || 'PBE (MP 2018)',
    sourceOrder: (env.UNITCELL_SOURCE_ORDER ?? 'measured,own,*')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
    metricsToken,
    logLevel: env.LOG_LEVEL?.trim() || 'info',
    telemetry,
    analytics,
    backup: {
      directory: resolve(env.BACKUP_DIRECTORY?.trim() || join(home, 'backups')),
      key: backupKey,
    },
    limits,
    securityContact,
  };
}

/** Writes an IPv6 address in brackets, as in URLs. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function readPort(name: string, text: string | undefined, problems: string[]): number {
  const port = Number(text?.trim() || 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    problems.push(`${name} is "${text}": expected a number from 0 to 65535`);
  return port;
}

function readPublicUrl(text: string, problems: string[]): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.hash || url.search)
    problems.push(`PUBLIC_URL is "${text}": expected an address like https://materials.example.org`);
  return text.replace(/\/+$/, '');
}

/**
 * A provider is offered when both its id and its secret are set. If only one of the two is set, that is an
 * error.
 */
function readOAuth(
  env: Environment,
  prefix: string,
  [idName, secretName]: readonly [string, string],
  defaults: Readonly<Record<'authorize' | 'token' | 'user', string>>,
  problems: string[],
): OAuthConfig | null {
  const clientId = env[idName]?.trim() ?? '';
  const clientSecret = env[secretName]?.trim() ?? '';
  if (clientId === '' && clientSecret === '') return null;
  if (clientId === '' || clientSecret === '')
    problems.push(
      `${clientId === '' ? idName : secretName} is not set, but its counterpart is: set both or none`,
    );
  const endpoint = (step: keyof typeof defaults): string => {
    const name = `${prefix}_${step.toUpperCase()}_URL`;
    const url = env[name]?.trim() || defaults[step];
    if (!URL.canParse(url) || !/^https?:/.test(url))
      problems.push(`${name} is "${url}": expected an http(s) address`);
    return url;
  };
  return {
    clientId,
    clientSecret,
    authorizeUrl: endpoint('authorize'),
    tokenUrl: endpoint('token'),
    userUrl: endpoint('user'),
  };
}

function readSecurityContact(text: string | undefined, problems: string[]): string | null {
  const contact = text?.trim();
  if (!contact) return null;
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(contact)) return `mailto:${contact}`;
  if (!/^(?:mailto:|https:\/\/)\S+$/.test(contact) || !URL.canParse(contact))
    problems.push(`SECURITY_CONTACT is "${contact}": expected an e-mail or https address`);
  return contact;
}

function readBackupKey(text: string | undefined, problems: string[]): string | null {
  const key = text?.trim() || null;
  if (key !== null && !/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/.test(key))
    problems.push('BACKUP_KEY is no key: expected what `unitcell backup key` prints (AGE-SECRET-KEY-1…)');
  return key;
}

function readMetricsToken(text: string | undefined, problems: string[]): string | null {
  const token = text?.trim() || null;
  if (token !== null && (token.length < MINIMAL_METRICS_TOKEN_LENGTH || /\s/.test(token)))
    problems.push(
      `METRICS_TOKEN has ${token.length} characters: expected at least ${MINIMAL_METRICS_TOKEN_LENGTH} without blanks`,
    );
  return token;
}

/** Returns the variables with this prefix, named without the prefix and in lower case. */
function withPrefix(env: Environment, prefix: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (name.startsWith(prefix) && name !== 'SMS_PROVIDER' && value)
      settings[name.slice(prefix.length).toLowerCase()] = value;
  return settings;
}

/** Derives a key for one purpose from the secret, so that a leaked key does not expose the others. */
export const deriveKey = (config: Pick<Config, 'jwtSecret'>, purpose: string): Buffer =>
  createHash('sha256').update(`unitcell:${purpose}:${config.jwtSecret}`).digest();
