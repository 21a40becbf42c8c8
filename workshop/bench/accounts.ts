/**
 * Accounts under load: `node --import tsx workshop/bench/accounts.ts`. In one process, on a database of its own (of
 * TEST_DATABASE_URL, or of a temporary embedded server):
 * - 1,000 phones register at once, then sign in at once, every step sent twice: nobody is lost and nothing is granted twice;
 * - what verifying a token costs, in wall time and in CPU time of this process: of a token that was never seen, of one
 *   that is cached, and in the mix of a day, in which members open pages, each of which makes some calls at once.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { buildApp } from '../../apps/api/src/app.ts';
import { deriveKey, readConfig } from '../../apps/api/src/config/config.ts';
import { type Sessions, sessions } from '../../apps/api/src/features/account/sessions.service.ts';
import { openDatabase } from '../../apps/api/src/infra/database.ts';
import { createLog } from '../../apps/api/src/infra/log.ts';
import { seededRandom } from '@unitcell/numerics';
import { createDatabaseCopy, ensureTemplate, startTestPostgres } from '@unitcell/tools/test-postgres';

const PHONES = 1000;
const VERIFICATIONS = 20_000;
/**
 * The mix: members who look at a page for half a minute on average, and pages of one to six calls. Time passes 600 times
 * faster than it does, so a cached session is fresh for a tenth of a second instead of a minute.
 */
const SPEED = 600;
const MIX = { members: 60, seconds: 3600, secondsPerPage: 30, callsPerPage: 6, freshSeconds: 60 } as const;

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const milliseconds = (value: number): number => Number(value.toFixed(4));

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const server = await startTestPostgres();
const copy = await createDatabaseCopy(server.url, await ensureTemplate(server.url));
const config = readConfig({ DATABASE_URL: copy.url, JWT_SECRET: randomUUID() + randomUUID() });
const codes = new Map<string, string>();
const app = await buildApp({
  config,
  log: createLog('silent', 'bench'),
  smsProvider: { name: 'bench', send: async ({ mobile, code }) => void codes.set(mobile, code) },
});
const database = openDatabase(config, () => undefined);

interface Step {
  readonly mobile: string;
  readonly address: string;
}

let triesAgain = 0;

/** As a person does, who tries again when the server is out of breath. */
async function post(path: string, step: Step, body: object): Promise<Record<string, string>> {
  const { mobile, address } = step;
  const answer = await app.inject({
    method: 'POST',
    url: `/api/arkid/${path}/`,
    remoteAddress: address,
    payload: { mobile, ...body },
  });
  if (answer.statusCode < 500) return answer.json();
  triesAgain++;
  return post(path, step, body);
}

/** One of two identical requests must win, the other must not. */
async function twice(path: string, step: Step, body: object, field: string): Promise<string | null> {
  const answers = await Promise.all([post(path, step, body), post(path, step, body)]);
  const granted = answers.map((answer) => answer[field]).filter((value) => value !== undefined);
  return granted.length === 1 ? (granted[0] ?? null) : null;
}

type Purpose = 'register' | 'login';

async function enter(purpose: Purpose, index: number): Promise<string | null> {
  const mobile = `139${String(index).padStart(8, '0')}`;
  const step = { mobile, address: `10.${index >> 8}.${index & 255}.7` };
  await post(`${purpose}_request_sm`, step, {});
  const smsToken = await twice(`${purpose}_get_sms_token`, step, { code: codes.get(mobile) }, 'sms_token');
  return smsToken === null ? null : twice(`${purpose}_check_sm`, step, { sms_token: smsToken }, 'token');
}

/** All phones at once, every step sent twice. @returns the tokens that were granted exactly once */
async function enterAll(purpose: Purpose, sessionsAfter: number): Promise<string[]> {
  // Codes of one phone are a minute apart; the second round is not going to wait for them.
  await database.pool.query('DELETE FROM rate_bucket');
  triesAgain = 0;
  const started = performance.now();
  const tokens = await Promise.all(Array.from({ length: PHONES }, (_, index) => enter(purpose, index)));
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  const { rows } = await database.pool.query<{ accounts: number; sessions: number }>(
    'SELECT (SELECT count(*)::int FROM account) AS accounts, (SELECT count(*)::int FROM session) AS sessions',
  );
  const granted = tokens.filter((token) => token !== null);
  print({
    case: `parallel ${purpose}`,
    phones: PHONES,
    exactlyOnce: granted.length,
    ...rows[0],
    triesAgain,
    seconds,
  });
  if (granted.length !== PHONES || rows[0]?.accounts !== PHONES || rows[0].sessions !== sessionsAfter)
    process.exitCode = 1;
  return granted;
}

/** Verifies tokens in a process of its own kind, with an empty cache, and prints what one costs. */
async function measured(
  name: string,
  work: (time: (token: string) => Promise<void>) => Promise<void>,
  options: { readonly freshMilliseconds?: number } = {},
): Promise<void> {
  const tokenSessions: Sessions = sessions({
    database,
    databaseUrl: copy.url,
    signingKey: deriveKey(config, 'session'),
    onError: () => undefined,
    ...options,
  });
  await tokenSessions.start();
  const times: number[] = [];
  const usage = process.cpuUsage();
  await work(async (token) => {
    const before = performance.now();
    await tokenSessions.verify(token);
    times.push(performance.now() - before);
  });
  const { user, system } = process.cpuUsage(usage);
  times.sort((a, b) => a - b);
  const at = (share: number): number => milliseconds(percentile(times, share));
  const cpuMs = milliseconds((user + system) / 1000 / times.length);
  print({ case: name, count: times.length, p50ms: at(0.5), p95ms: at(0.95), p99ms: at(0.99), cpuMs });
  await tokenSessions.close();
}

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / SPEED));

/** Members go from page to page, each at a pace of its own; the calls of a page are made at once. */
async function mixOfADay(tokens: readonly string[], time: (token: string) => Promise<void>): Promise<void> {
  const random = seededRandom(20_261_121);
  const member = async (token: string): Promise<void> => {
    for (let seconds = 0; seconds < MIX.seconds; ) {
      const onThisPage = -Math.log(1 - random()) * MIX.secondsPerPage;
      await pause(onThisPage);
      seconds += onThisPage;
      const calls = 1 + Math.floor(random() * MIX.callsPerPage);
      await Promise.all(Array.from({ length: calls }, () => time(token)));
    }
  };
  await Promise.all(tokens.slice(0, MIX.members).map(member));
}

try {
  await app.ready();
  await enterAll('register', PHONES);
  const exactlyOnce = await enterAll('login', 2 * PHONES);

  await measured('token never seen', async (time) => {
    for (const token of exactlyOnce) await time(token);
  });
  await measured('token cached', async (time) => {
    await time(exactlyOnce[0]);
    for (let i = 0; i < VERIFICATIONS; i++) await time(exactlyOnce[0]);
  });
  await measured('token in the mix of a day', (time) => mixOfADay(exactlyOnce, time), {
    freshMilliseconds: (MIX.freshSeconds * 1000) / SPEED,
  });
} finally {
  await app.close();
  await database.close();
  await copy.drop();
  await server.stop();
}
