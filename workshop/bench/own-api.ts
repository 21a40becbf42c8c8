/** A database of its own on a temporary server, the API on it from source, and requests of it, for benchmarks over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { deriveKey, readConfig } from '../../apps/api/src/config/config.ts';
import { accountRepository } from '../../apps/api/src/features/account/account.repository.ts';
import { sessions } from '../../apps/api/src/features/account/sessions.service.ts';
import { openDatabase } from '../../apps/api/src/infra/database.ts';
import { freePort } from '@unitcell/tools/postgres';
import { createDatabaseCopy, ensureTemplate, startTestPostgres } from '@unitcell/tools/test-postgres';

const HEALTHY_MILLISECONDS = 30_000;

const JWT_SECRET = 'benchmark-secret-benchmark-secret-0001';

const environment = (databaseUrl: string) => ({
  ...process.env,
  DATABASE_URL: databaseUrl,
  JWT_SECRET,
  LOG_LEVEL: 'warn',
  LIMIT_CALCULATIONS_PER_MINUTE: '1000000',
  LIMIT_CALLS_PER_MINUTE: '1000000',
});

function run(entry: string, env: NodeJS.ProcessEnv, argv: readonly string[]) {
  const script = new URL(`../../apps/api/src/${entry}`, import.meta.url).pathname;
  // A process that is to have one processor, as a machine of its own would.
  const pinned = env.BENCH_CPU === undefined ? [] : ['taskset', '--cpu-list', env.BENCH_CPU];
  const [command = '', ...rest] = [...pinned, process.execPath, '--import', 'tsx', script, ...argv];
  return spawn(command, rest, {
    env,
    cwd: new URL('../../apps/api/', import.meta.url).pathname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Runs an operator's command; answers what it printed. */
export async function operate(databaseUrl: string, ...argv: readonly string[]): Promise<string> {
  const child = run('cli.ts', environment(databaseUrl), argv);
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`unitcell ${argv.join(' ')} ended with ${code}: ${printed.slice(-500)}`);
  return printed.trim();
}

/** A worker of the site, ready for jobs; ends it. */
export async function startOwnWorker(
  databaseUrl: string,
  env: NodeJS.ProcessEnv = {},
): Promise<() => Promise<unknown>> {
  const child = run('worker.ts', { ...environment(databaseUrl), LOG_LEVEL: 'info', ...env }, []);
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stdout)) if (line.includes('worker ready')) break;
  child.stdout.resume();
  return () => {
    child.kill('SIGTERM');
    return ended;
  };
}

export interface OwnDatabase {
  readonly url: string;
  readonly drop: () => Promise<unknown>;
}

/** An empty database with the schema, on a server that is started for it. */
export async function openOwnDatabase(): Promise<OwnDatabase> {
  const server = await startTestPostgres();
  const database = await createDatabaseCopy(server.url, await ensureTemplate(server.url));
  return {
    url: database.url,
    drop: async () => {
      await database.drop();
      await server.stop();
    },
  };
}

/** Tokens of as many members. */
export async function membersOf(databaseUrl: string, count: number): Promise<string[]> {
  const database = openDatabase(readConfig(environment(databaseUrl)), () => undefined);
  try {
    const opened = sessions({
      database,
      databaseUrl,
      signingKey: deriveKey({ jwtSecret: JWT_SECRET }, 'session'),
      onError: () => undefined,
    });
    const accounts = accountRepository(database);
    const tokens: string[] = [];
    for (let index = 0; index < count; index++) {
      const { id: accountId } = await accounts.createForMobile(`138${String(index).padStart(8, '0')}`);
      tokens.push(await opened.open({ accountId, userAgent: 'benchmark', address: '127.0.0.1' }));
    }
    return tokens;
  } finally {
    await database.close();
  }
}

export interface OwnApi {
  readonly url: string;
  readonly token: string;
  /** Processor time of the API so far, ms; NaN where there is no /proc. Unlike a latency it does not grow with other work. */
  readonly cpuMs: () => number;
  readonly stop: () => Promise<unknown>;
}

/** Clock ticks of Linux, per second. */
const TICKS = 100;

function cpuMs(pid: number | undefined): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

export async function startOwnApi(databaseUrl: string, env: NodeJS.ProcessEnv = {}): Promise<OwnApi> {
  const printed = await operate(databaseUrl, 'token', '--mobile', '13800000000');
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child = run('main.ts', { ...environment(databaseUrl), ...env, PORT: port }, []);
  child.stdout.resume();
  const deadline = Date.now() + HEALTHY_MILLISECONDS;
  const isUp = () =>
    fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (Date.now() > deadline) throw new Error('the API did not become ready');
    await new Promise((wake) => setTimeout(wake, 100));
  }
  return {
    url,
    token: printed.split('\n').at(-1) ?? '',
    cpuMs: () => cpuMs(child.pid),
    stop: async () => {
      agent.destroy();
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

export const agent = new Agent({ keepAlive: true });

export interface Answer {
  readonly milliseconds: number;
  readonly body: Buffer;
}

/** One POST over a connection that is kept; anything but 200 is an error. */
export function post(
  { url, token }: Pick<OwnApi, 'url' | 'token'>,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const payload = JSON.stringify(body);
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `token ${token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`));
          else resolve({ milliseconds: performance.now() - start, body: Buffer.concat(chunks) });
        });
      },
    );
    sent.on('error', reject);
    sent.end(payload);
  });
}

/** The value below which this share of the values lies. */
export const quantile = (values: readonly number[], share: number): number =>
  Number(
    (
      values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0
    ).toFixed(2),
  );
