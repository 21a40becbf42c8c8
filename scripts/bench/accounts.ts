/**
 * Accounts under load: `node --import tsx scripts/bench/accounts.ts`. In one process, on a database of its own (of
 * TEST_DATABASE_URL, or of a temporary embedded server):
 * - 1,000 phones register at once, every step sent twice: nobody is lost and nothing is granted twice;
 * - the server time of verifying a token, cached, right after, and of one that was never seen.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { buildApp } from '../../apps/api/src/app.ts';
import { deriveKey, readConfig } from '../../apps/api/src/config.ts';
import { sessions } from '../../apps/api/src/features/account/sessions.service.ts';
import { openDatabase } from '../../apps/api/src/plugins/database.ts';
import { createLog } from '../../apps/api/src/plugins/log.ts';
import { createDatabaseCopy, ensureTemplate, startTestPostgres } from '../lib/test-postgres.mjs';

const PHONES = 1000;
const VERIFICATIONS = 20_000;

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

async function post(path: string, { mobile, address }: Step, body: object): Promise<Record<string, string>> {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/arkid/${path}/`,
    remoteAddress: address,
    payload: { mobile, ...body },
  });
  return answer.json();
}

/** One of two identical requests must win, the other must not. */
async function twice(path: string, step: Step, body: object, field: string): Promise<string | null> {
  const answers = await Promise.all([post(path, step, body), post(path, step, body)]);
  const granted = answers.map((answer) => answer[field]).filter((value) => value !== undefined);
  return granted.length === 1 ? (granted[0] ?? null) : null;
}

async function register(index: number): Promise<string | null> {
  const mobile = `139${String(index).padStart(8, '0')}`;
  const step = { mobile, address: `10.${index >> 8}.${index & 255}.7` };
  await post('register_request_sm', step, {});
  const smsToken = await twice('register_get_sms_token', step, { code: codes.get(mobile) }, 'sms_token');
  return smsToken === null ? null : twice('register_check_sm', step, { sms_token: smsToken }, 'token');
}

try {
  await app.ready();
  const started = performance.now();
  const tokens = await Promise.all(Array.from({ length: PHONES }, (_, index) => register(index)));
  const seconds = (performance.now() - started) / 1000;
  const { rows } = await database.pool.query<{ accounts: number; sessions: number }>(
    'SELECT (SELECT count(*)::int FROM account) AS accounts, (SELECT count(*)::int FROM session) AS sessions',
  );
  const exactlyOnce = tokens.filter((token) => token !== null);
  print({
    case: 'parallel registrations',
    phones: PHONES,
    exactlyOnce: exactlyOnce.length,
    ...rows[0],
    seconds,
  });

  const tokenSessions = sessions({
    database,
    databaseUrl: copy.url,
    signingKey: deriveKey(config, 'session'),
    onError: () => undefined,
  });
  await tokenSessions.start();
  for (const [name, count] of [
    ['never seen', exactlyOnce.length],
    ['cached', VERIFICATIONS],
  ] as const) {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const token = exactlyOnce[i % exactlyOnce.length] ?? '';
      const before = performance.now();
      await tokenSessions.verify(token);
      times.push(performance.now() - before);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): number => milliseconds(percentile(times, share));
    print({ case: `token ${name}`, count: times.length, p50ms: at(0.5), p95ms: at(0.95), p99ms: at(0.99) });
  }
  await tokenSessions.close();
  if (exactlyOnce.length !== PHONES || rows[0]?.accounts !== PHONES || rows[0]?.sessions !== PHONES)
    process.exitCode = 1;
} finally {
  await app.close();
  await database.close();
  await copy.drop();
  await server.stop();
}
