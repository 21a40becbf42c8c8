/**
 * Tests a database in trouble: requests are served where possible, others are refused with a time to retry,
 * and no request hangs.
 */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import fastify from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config/config.ts';
import { databaseTrouble, openDatabase, requestTimeouts } from '../infra/database.ts';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { healthRoutes } from './health.ts';

/** Locks a table until `release` is called. */
async function lockTable({ database }: TestApp, table: string): Promise<{ release: () => Promise<void> }> {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return {
    async release() {
      await client.query('ROLLBACK');
      client.release();
    },
  };
}

/** Number of requests so far that reached the database but failed. */
const troublesOf = ({ logLines }: TestApp): number =>
  logLines.filter((line) => line.includes('a request failed because of the database or disk')).length;

/** Number of statements that wait for a lock. */
const lockWaits = async ({ database }: TestApp): Promise<number> =>
  (
    await database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).rows.length;

/** Cancels statements that wait for a lock, as PostgreSQL does after its timeout. */
const endWaiting = ({ database }: TestApp) =>
  database.pool.query(
    `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

const JWT_SECRET = 'a-secret-of-the-tests-that-is-long-enough';

describe('a locked table', () => {
  let test: TestApp;
  let token: string;
  beforeAll(async () => {
    test = await buildTestApp({ env: { LIMIT_LOCK_SECONDS: '1' } });
    token = await test.signIn();
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(() => test.close());

  it.each([
    ['session', '/api/arkid/sessions/'],
    ['social_account', '/api/arkid/get_user_infor/'],
  ])('%s: its calls answer with a time to retry, and all other calls are served', async (table, path) => {
    expect((await test.get(path, { token })).statusCode).toBe(200);
    const lock = await lockTable(test, table);
    // A fake clock, so that this test decides when the pause before the next attempt is over.
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const locked = Promise.all(Array.from({ length: 14 }, () => test.get(path, { token })));
      const other = await test.post('/api/matdata/search_by_formula/', { include: 'TiO2' }, { token });
      expect(other.statusCode).toBe(200);
      for (const answer of await locked) {
        expect(answer.statusCode).toBe(503);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        expect(answer.json()).toMatchObject({ error: 'true', code: 'server.busy' });
      }
      // The lock has been detected, so further requests are refused before they take a connection.
      const troubled = troublesOf(test);
      expect(troubled).toBeGreaterThan(0);
      expect((await test.get(path, { token })).statusCode).toBe(503);
      expect(troublesOf(test)).toBe(troubled);
    } finally {
      await lock.release();
    }
    expect((await test.get(path, { token })).statusCode).toBe(503);
    vi.advanceTimersByTime(1000);
    expect((await test.get(path, { token })).statusCode).toBe(200);
  });
});

describe('a connection that breaks while a statement runs', () => {
  it('answers without a time to retry, because the statement may have been carried out', async () => {
    const test = await buildTestApp();
    try {
      const token = await test.signIn();
      const lock = await lockTable(test, 'collection');
      const asked = test.post('/api/collections/save/', { name: 'Anodes' }, { token });
      await expect.poll(() => lockWaits(test)).toBe(1);
      await test.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      const answer = await asked;
      await lock.release();
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, undefined]);
    } finally {
      await test.close();
    }
  });
});

describe('more requests than the database can serve', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp({
      env: {
        LIMIT_DATABASE_CONNECTIONS: '2',
        LIMIT_DATABASE_WAITING: '3',
        // Long enough that no request times out before the test ends it.
        LIMIT_LOCK_SECONDS: '600',
        LIMIT_STATEMENT_SECONDS: '600',
        LIMIT_DATABASE_WAIT_SECONDS: '600',
      },
    });
  });
  afterAll(() => test.close());

  it('are refused on arrival, while health and readiness checks succeed', async () => {
    const token = await test.signIn();
    const lock = await lockTable(test, 'social_account');
    try {
      const ask = (count: number) =>
        Array.from({ length: count }, () => test.get('/api/arkid/get_user_infor/', { token }));
      const waiting = ask(8);
      // Two requests block both connections, the other six wait for a connection, and later requests must be
      // refused.
      await expect.poll(() => lockWaits(test)).toBe(2);
      for (const path of ['/api/health', '/api/ready', '/api/ready'])
        expect((await test.get(path)).statusCode).toBe(200);
      const refused = await Promise.all(ask(30));
      expect(new Set(refused.map((answer) => answer.statusCode))).toEqual(new Set([503]));
      // The refused requests never reached the database; the first eight still wait.
      expect(troublesOf(test)).toBe(0);
      let answers: number[] = [];
      void Promise.all(waiting).then((all) => (answers = all.map(({ statusCode }) => statusCode)));
      await expect.poll(async () => (await endWaiting(test), answers)).toEqual(Array(8).fill(503));
      expect(troublesOf(test)).toBeGreaterThan(0);
    } finally {
      await lock.release();
    }
  });
});

describe('simultaneous requests', () => {
  let test: TestApp;
  let token: string;
  beforeAll(async () => {
    test = await buildTestApp({
      env: { LIMIT_CALLS_AT_ONCE: '4', LIMIT_DATABASE_CONNECTIONS: '2', OPTIMADE_ACCESS: 'public' },
    });
    token = await test.signIn();
  });
  afterAll(() => test.close());

  it('are served up to the concurrency limit and a short queue; all further requests are refused', async () => {
    const ask = (count: number) =>
      Promise.all(Array.from({ length: count }, () => test.get('/api/arkid/get_user_infor/', { token })));
    const statuses = (await ask(30)).map(({ statusCode }) => statusCode);
    // Four in progress and sixteen in the queue; on a busy machine some of the sixteen wait too long.
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(4);
    expect(served).toBeLessThanOrEqual(20);
    expect(statuses.filter((status) => status === 503)).toHaveLength(30 - served);
    for (let turn = 0; turn < 3; turn++)
      expect((await ask(4)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  });

  it('are served while other requests have not sent their bodies yet', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    const head =
      'POST /api/arkid/login_request_sm/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 30\r\nExpect: 100-continue\r\n\r\n{';
    const sockets = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'));
    try {
      // When the server asks for the rest of a body, it has started the request.
      const begun = sockets.map(async (socket) => (socket.write(head), String(await once(socket, 'data'))));
      for (const response of await Promise.all(begun)) expect(response).toContain('100 Continue');
      expect((await test.get('/api/arkid/get_user_infor/', { token })).statusCode).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it('are refused in the OPTIMADE format for OPTIMADE clients, with the time to retry', async () => {
    const crowd = Array.from({ length: 40 }, () => test.get('/optimade/v1/structures?filter=nelements=2'));
    const answers = await Promise.all(crowd);
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    expect(refused.length).toBeGreaterThanOrEqual(20);
    expect(refused.length).toBeLessThanOrEqual(36);
    for (const answer of refused) {
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.json()).toMatchObject({ errors: [{ status: '503', title: 'Service Unavailable' }] });
    }
  });
});

describe('database connections', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  const settingsOf = async (pool: TestApp['database']['pool']): Promise<unknown> =>
    (
      await pool.query(
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
          current_setting('idle_in_transaction_session_timeout') AS idle`,
      )
    ).rows[0];

  it('time out after a short time for requests, and after a long time for worker and commands', async () => {
    const unset = readConfig({ DATABASE_URL: test.config.databaseUrl, JWT_SECRET, UNITCELL_HOME: tmpdir() });
    const requests = openDatabase(
      test.config,
      () => undefined,
      requestTimeouts({ ...unset.limits, statementSeconds: 1 }),
    );
    try {
      expect(await settingsOf(requests.pool)).toEqual({ statement: '1s', lock: '3s', idle: '10s' });
      const slow = await requests.pool.query('SELECT pg_sleep(30)').catch((error: unknown) => error);
      expect(databaseTrouble(slow)).toBe('slow');
    } finally {
      await requests.close();
    }
    expect(await settingsOf(test.database.pool)).toEqual({ statement: '4h', lock: '1h', idle: '1h' });
  });
});

describe('an unreachable database', () => {
  it('makes a process not ready, but leaves it alive', async () => {
    const config = readConfig({
      DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
      JWT_SECRET,
      UNITCELL_HOME: tmpdir(),
    });
    const app = fastify();
    healthRoutes(app, config);
    try {
      expect((await app.inject('/api/health')).statusCode).toBe(200);
      const ready = await app.inject('/api/ready');
      expect(ready.statusCode).toBe(503);
      expect(ready.json()).toEqual({ status: 'database unreachable' });
    } finally {
      await app.close();
    }
  });
});
