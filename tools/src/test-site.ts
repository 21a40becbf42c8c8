import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { buildApi, buildWeb } from './bundle.ts';
import { type Child, startChild } from './children.ts';
import { apiDist, inRepository, webDist } from '../lib/paths.mjs';
import { freePort } from './postgres.ts';
import { TEST_LIMITS, until } from './timeouts.ts';
import { tail } from '../lib/run.mjs';
import { createDatabaseCopy, ensureSeededTemplate, startTestPostgres } from './test-postgres.ts';

const SMS_LINE = /^SMS code for (\d{3})\*{4}(\d{4}) \((\w+)\): (\d+)/;

const SERVICES = [
  ['api', 'main.js'],
  ['worker', 'worker.js'],
] as const;

export interface TestSite {
  readonly url: string;
  readonly databaseUrl: string;
  readonly printed: readonly string[];
  /** The last SMS code printed for a mobile number. */
  smsCode(mobile: string): string | undefined;
  stop(): Promise<void>;
}

function smsCodeIn(printed: readonly string[], mobile: string): string | undefined {
  const codes = printed.flatMap((line) => {
    const [, start, end, , code] = SMS_LINE.exec(line) ?? [];
    return start && end && mobile.startsWith(start) && mobile.endsWith(end) ? [code] : [];
  });
  return codes.at(-1);
}

/** What another process needs to use a running site. */
export interface SharedSite extends Pick<TestSite, 'url' | 'databaseUrl'> {
  readonly printedFile: string;
}

/** A site that is already running. It continues to run when this handle is stopped. */
export function joinTestSite({ url, databaseUrl, printedFile }: SharedSite): TestSite {
  // Only complete lines are used: the text after the last line break is dropped.
  const printed = () => readFileSync(printedFile, 'utf8').split('\n').slice(0, -1);
  return {
    url,
    databaseUrl,
    get printed() {
      return printed();
    },
    smsCode: (mobile) => smsCodeIn(printed(), mobile),
    stop: async () => undefined,
  };
}

/** A complete site for the browser journeys: built api, worker and web client on its own seeded database. */
export async function startTestSite({
  env = {},
  printedFile,
}: {
  env?: NodeJS.ProcessEnv;
  /** File for the printed output, for `joinTestSite`. */
  printedFile?: string;
} = {}): Promise<TestSite> {
  await buildApi();
  await buildWeb();
  const server = await startTestPostgres();
  const home = mkdtempSync(join(tmpdir(), 'unitcell-site-'));
  const secret = randomBytes(32).toString('hex');
  const seedEnv = { ...process.env, JWT_SECRET: secret, UNITCELL_HOME: home };
  const template = await ensureSeededTemplate(server.url, seedEnv);
  const database = await createDatabaseCopy(server.url, template);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const services = {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: url,
    JWT_SECRET: secret,
    UNITCELL_HOME: home,
    WEB_DIST: webDist,
    SMS_PROVIDER: 'console',
    ...TEST_LIMITS,
    ...env,
  };
  const printed: string[] = [];
  const children: Child[] = [];
  const stop = async () => {
    await Promise.all(children.map((child) => child.stop()));
    await database.drop();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const print = (line: string) => {
      printed.push(line);
      if (printedFile) appendFileSync(printedFile, `${line}\n`);
    };
    const run = { env: services, cwd: inRepository(), logDirectory: home, print };
    for (const [name, file] of SERVICES)
      children.push(startChild({ name, script: join(apiDist, file), ...run }));
    const ended = Promise.race(children.map((child) => child.exited)).then(({ name, how, lastErrors }) => {
      throw new Error(`The ${name} of the test site ended (${how}):\n${tail(lastErrors.join('\n'))}`);
    });
    ended.catch(() => undefined); // expected when it is stopped
    await Promise.race([
      ended,
      until('The test site becomes ready', async () => (await fetch(`${url}/api/health`)).ok),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    databaseUrl: database.url,
    printed,
    smsCode: (mobile) => smsCodeIn(printed, mobile),
    stop,
  };
}
