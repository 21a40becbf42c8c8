/** Shared parts of the benchmarks: timing (tinybench), a separate database and API, requests over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { freePort } from '@unitcell/tools/postgres';
import { createDatabaseCopy, ensureTemplate, startTestPostgres } from '@unitcell/tools/test-postgres';
import { until } from '@unitcell/tools/timeouts';
import { Bench } from 'tinybench';
import { deriveKey, readConfig } from '../../apps/api/src/config/config.ts';
import { accountRepository } from '../../apps/api/src/features/account/account.repository.ts';
import { sessions } from '../../apps/api/src/features/account/sessions.ts';
import { openDatabase } from '../../apps/api/src/infra/database.ts';
import { isReady } from '../visit.ts';

const JWT_SECRET = 'benchmark-secret-benchmark-secret-0001';
const API = fileURLToPath(new URL('../../apps/api/', import.meta.url));
/** Clock ticks of Linux, per second. */
const TICKS = 100;

/** Prints a case; `--against` matches cases by their texts and the names of the numbers. */
export const print = (line: object): void => console.log(JSON.stringify(line));

const digits = (value: number): number => Number(value.toPrecision(4));

/** The quantile: the value below which the given fraction of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
  digits(
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? NaN,
  );

export interface Rounds {
  readonly rounds?: number;
  readonly warmUp?: number;
  /** Accumulated processor time, ms, if another process does the work. */
  readonly cpuMs?: () => number;
}

const ownCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Repeats a call and prints its times, and its processor time, which other load does not affect. */
export async function measure(
  name: string,
  call: () => unknown,
  { rounds = 200, warmUp = 20, cpuMs = ownCpuMs }: Rounds = {},
  more: object = {},
): Promise<void> {
  const bench = new Bench({
    iterations: rounds,
    time: 0,
    warmupIterations: warmUp,
    warmupTime: 0,
    throws: true,
  });
  bench.add(name, async () => void (await call()));
  const begun = performance.now();
  await call();
  const firstMs = digits(performance.now() - begun);
  if (warmUp > 0) await bench.warmup();
  const before = cpuMs();
  await bench.run();
  const spent = cpuMs() - before;
  const samples = bench.tasks[0]?.result?.samples ?? [];
  print({
    case: name,
    p50Ms: quantile(samples, 0.5),
    p95Ms: quantile(samples, 0.95),
    cpuMsEach: digits(spent / samples.length),
    firstMs,
    ...more,
  });
}

const environment = (databaseUrl: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: databaseUrl,
  JWT_SECRET,
  LOG_LEVEL: 'warn',
  LIMIT_CALCULATIONS_PER_MINUTE: '1000000',
  LIMIT_CALLS_PER_MINUTE: '1000000',
  LIMIT_DETAILS_PER_MINUTE: '1000000',
  LIMIT_VISITOR_CALLS_PER_MINUTE: '1000000',
});

const start = (entry: string, env: NodeJS.ProcessEnv, words: readonly string[] = []) =>
  spawn(process.execPath, ['--import', 'tsx', `src/${entry}`, ...words], {
    env,
    cwd: API,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Runs an operator's command. @returns its output and its peak memory, MiB */
export async function operate(
  databaseUrl: string,
  ...words: readonly string[]
): Promise<{ printed: string; peakMiB: number }> {
  const child = start('cli.ts', environment(databaseUrl), words);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  let peakKiB = 0;
  const watch = setInterval(() => {
    const status = `/proc/${child.pid}/status`;
    const peak = existsSync(status) ? /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
    peakKiB = Math.max(peakKiB, Number(peak ?? 0));
  }, 200);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`unitcell ${words.join(' ')} ended with ${code}: ${printed.slice(-500)}`);
  return { printed: printed.trim(), peakMiB: Math.round(peakKiB / 1024) };
}

/** Runs the work with an empty database that has the schema, on a server started for it. */
export async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const server = await startTestPostgres();
  const database = await createDatabaseCopy(server.url, await ensureTemplate(server.url));
  try {
    await work(database.url);
  } finally {
    await database.drop();
    await server.stop();
  }
}

export interface OwnApi {
  readonly url: string;
  readonly token: string;
  /** Accumulated processor time of the API, ms; NaN without /proc. */
  readonly cpuMs: () => number;
}

const agent = new Agent({ keepAlive: true });

/** Runs the work with the API of the checkout, from source, on a database. */
export async function withApi(
  databaseUrl: string,
  env: NodeJS.ProcessEnv,
  work: (api: OwnApi) => Promise<void>,
): Promise<void> {
  const { printed } = await operate(databaseUrl, 'token', '--mobile', '13800000000');
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = start('main.ts', { ...environment(databaseUrl), ...env, PORT: port });
  child.stdout.resume();
  try {
    await until('the API becomes ready', () => isReady(url));
    const cpuMs = (): number => {
      const path = `/proc/${child.pid}/stat`;
      if (!existsSync(path)) return Number.NaN;
      const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
    };
    await work({ url, token: printed.split('\n').at(-1) ?? '', cpuMs });
  } finally {
    agent.destroy();
    child.kill('SIGTERM');
    await once(child, 'close');
  }
}

/** Sends a request over a kept-alive connection, by POST if there is a body. @throws for any status but 200 */
export async function ask(
  { url, token }: Pick<OwnApi, 'url' | 'token'>,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Buffer> {
  const sent = request(url + path, {
    method: body ? 'POST' : 'GET',
    agent,
    headers: {
      authorization: `token ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
  });
  sent.end(body && JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const read = await buffer(answer);
  if (answer.statusCode === 200) return read;
  throw new Error(`${path} answered ${answer.statusCode}: ${read.toString().slice(0, 200)}`);
}

export async function membersOf(databaseUrl: string, count: number): Promise<string[]> {
  const database = openDatabase(readConfig(environment(databaseUrl)), () => undefined);
  try {
    const signingKey = deriveKey({ jwtSecret: JWT_SECRET }, 'session');
    const opened = sessions({ database, databaseUrl, signingKey, onError: () => undefined });
    const accounts = accountRepository(database);
    const tokens: string[] = [];
    for (let index = 0; index < count; index++) {
      const { id: accountId } = await accounts.createForMobile(`138${String(index).padStart(8, '0')}`);
      tokens.push(await opened.open({ accountId, origin: { userAgent: 'benchmark', address: '127.0.0.1' } }));
    }
    return tokens;
  } finally {
    await database.close();
  }
}
