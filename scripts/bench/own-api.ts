/** A database of its own on a temporary server, and the API on it from source, for benchmarks that ask over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { deriveKey, readConfig } from '../../apps/api/src/config/config.ts';
import { accountRepository } from '../../apps/api/src/features/account/account.repository.ts';
import { sessions } from '../../apps/api/src/features/account/sessions.service.ts';
import { openDatabase } from '../../apps/api/src/infra/database.ts';
import { freePort } from '@unitcell/dev/postgres';
import { createDatabaseCopy, ensureTemplate, startTestPostgres } from '@unitcell/dev/test-postgres';

const HEALTHY_MILLISECONDS = 30_000;

const JWT_SECRET = 'benchmark-secret-benchmark-secret-0001';

const environment = (databaseUrl: string) => ({
  ...process.env,
  DATABASE_URL: databaseUrl,
  JWT_SECRET,
  LOG_LEVEL: 'warn',
});

function run(entry: string, env: NodeJS.ProcessEnv, argv: readonly string[]) {
  const script = new URL(`../../apps/api/src/${entry}`, import.meta.url).pathname;
  return spawn(process.execPath, ['--import', 'tsx', script, ...argv], {
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
  readonly stop: () => Promise<unknown>;
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
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}
