/** An API with its own database and a fake SMS provider whose messages can be read. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import pino from 'pino';
import { TEST_LIMITS } from '@unitcell/tools/timeouts';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import { buildApp } from '../app.ts';
import { accountRepository } from '../features/account/account.repository.ts';
import { BY_COMMAND } from '../features/account/audit-log.ts';
import { operatedAccounts } from '../features/operate/operate.feature.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { SmsMessage } from '../infra/sms.ts';
import { type Database, openDatabase } from '../infra/database.ts';
import type { Tracing } from '../infra/tracing/otlp-tracing.ts';
import { watchContract } from './watch-contract.ts';

export interface TestApp {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly database: Database;
  /** Sent text messages, oldest first. */
  readonly messages: SmsMessage[];
  /** Lines logged by the server. */
  readonly logLines: string[];
  post(
    path: string,
    body: unknown,
    options?: { token?: string; language?: string },
  ): Promise<LightMyRequestResponse>;
  get(path: string, options?: { token?: string; language?: string }): Promise<LightMyRequestResponse>;
  /** Registers or signs in a phone number with a code, and returns the token. */
  signIn(mobile?: string): Promise<string>;
  /** Signs in a new administrator and returns the token. */
  signInAdministrator(mobile?: string): Promise<string>;
  close(): Promise<void>;
}

const TEST_SECRET = 'a-secret-of-the-tests-that-is-long-enough';

export interface TestAppOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Deliveries fail while it returns true. */
  readonly isTelephoneDown?: () => boolean;
  /** Name of the SMS provider; `none` equals SMS_PROVIDER=none. */
  readonly telephone?: 'test' | 'none';
  readonly tracing?: Tracing | null;
  /** Uses a database that already has content. */
  readonly openDatabaseOf?: () => Promise<TestDatabase>;
  /** False: answers are not compared with the contract, because this would add time to measurements. */
  readonly isWatched?: boolean;
}

export async function buildTestApp({
  env = {},
  isTelephoneDown = () => false,
  telephone = 'test',
  tracing = null,
  openDatabaseOf = createTestDatabase,
  isWatched = true,
}: TestAppOptions = {}): Promise<TestApp> {
  const testDatabase = await openDatabaseOf();
  const config = readConfig({
    DATABASE_URL: testDatabase.url,
    JWT_SECRET: TEST_SECRET,
    ...TEST_LIMITS,
    ...env,
  });
  const messages: SmsMessage[] = [];
  const logLines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
  const app = await buildApp({
    config,
    log,
    tracing,
    smsProvider: {
      name: telephone,
      send: async (message) => {
        if (isTelephoneDown()) throw new Error('no network');
        messages.push(message);
      },
    },
  });
  const database = openDatabase(config, () => undefined);
  const assertContract = isWatched ? watchContract(app) : () => undefined;
  await app.ready();

  const headers = (options: { token?: string; language?: string } = {}) => ({
    ...(options.token ? { authorization: `token ${options.token}` } : {}),
    'accept-language': options.language ?? 'en',
  });
  const post: TestApp['post'] = (path, body, options) =>
    app.inject({
      method: 'POST',
      url: path,
      headers: { ...headers(options), 'content-type': 'application/json' },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });

  const made: TestApp = {
    app,
    config,
    database,
    messages,
    logLines,
    post,
    get: (path, options) => app.inject({ method: 'GET', url: path, headers: headers(options) }),
    async signInAdministrator(mobile = '13600000000') {
      const token = await made.signIn(mobile);
      const id = (await accountRepository(database).idByMobile(mobile))!;
      await operatedAccounts(config, database).people.setRole(BY_COMMAND, id, 'administrator');
      // Waits until the process has received the notification.
      for (;;) {
        const profile = await made.get('/api/arkid/get_user_infor/', { token });
        if (profile.json<{ is_administrator?: true }>().is_administrator) return token;
      }
    },
    async signIn(mobile = '13800000000') {
      const asked = await post('/api/arkid/login_request_sm/', { mobile });
      const purpose = asked.json<{ result: string }>().result === 'invalid' ? 'register' : 'login';
      if (purpose === 'register') await post('/api/arkid/register_request_sm/', { mobile });
      const code = messages.findLast((message) => message.mobile === mobile)?.code;
      const exchanged = await post(`/api/arkid/${purpose}_get_sms_token/`, { mobile, code });
      const { sms_token } = exchanged.json<{ sms_token: string }>();
      const checked = await post(`/api/arkid/${purpose}_check_sm/`, { mobile, sms_token });
      return checked.json<{ token: string }>().token;
    },
    async close() {
      await app.close();
      await database.close();
      await testDatabase.drop();
      assertContract();
    },
  };
  return made;
}
