import { once } from 'node:events';
import { request } from 'node:http';
import type { CallAddress } from '@unitcell/contract/calls';
import { defineCall } from '@unitcell/contract/common';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { openThreadPool, type ThreadPool } from '../infra/thread-pool.ts';
import { serveCall } from './serve-call.ts';
import { callApp } from './testing/call-app.ts';
import type * as slowTasks from '../infra/testing/slow-tasks.ts';

const base = {
  summary: 'A call of a test',
  request: z.object({ value: z.number().default(1) }),
  answer: z.object({ result: z.number() }),
  calculates: true,
} as const;
const at = (name: string): CallAddress => ({ name, method: 'POST', path: `/${name}/` });
const spin = defineCall(at('spin'), base);
const double = defineCall(at('double'), base);
const open = defineCall(at('open'), { ...base, access: 'public' });

let app: FastifyInstance;
let pool: ThreadPool;
let rounds: Int32Array;
/** Ends the endless calculations of a test. */
let over: AbortController;
const TASK_SECONDS = 600;
beforeEach(async () => {
  over = new AbortController();
  app = await callApp({ LIMIT_CALCULATIONS_PER_MINUTE: '5', LIMIT_CALLS_PER_MINUTE: '3' });
  pool = openThreadPool({
    size: 5,
    taskSeconds: TASK_SECONDS,
    waiting: 4,
    perOwner: { running: 2, waiting: 1 },
  });
  rounds = new Int32Array(new SharedArrayBuffer(4));
  const handle = pool.open<typeof slowTasks>(new URL('../infra/testing/slow-tasks.ts', import.meta.url));
  serveCall(app, spin, ({ caller }) =>
    handle.run('spin', rounds, { ...caller, signal: AbortSignal.any([caller.signal, over.signal]) }),
  );
  serveCall(app, double, async ({ body, caller }) => ({
    result: await handle.run('double', body.value, caller),
  }));
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
  await pool.close();
});

const ask = (path: string, token: string | null, payload: object = {}) =>
  app.inject({
    method: 'POST',
    url: path,
    headers: { 'accept-language': 'en', ...(token === null ? {} : { authorization: `token ${token}` }) },
    payload,
  });

describe('the identity of a caller', () => {
  it('is present in calls for users and cannot be requested in public calls', async () => {
    serveCall(app, { ...double, path: '/who/' }, async ({ identity }) => ({ result: identity.accountId }));
    // @ts-expect-error: a caller without a sign-in has no identity
    serveCall(app, open, async ({ identity }) => ({ result: identity?.accountId ?? 0 }));
    expect((await ask('/who/', '7')).json()).toEqual({ result: 7 });
    expect((await ask('/who/', null)).statusCode).toBe(401);
    expect((await ask('/open/', '7')).json()).toEqual({ result: 0 });
  });
});

describe('a calculation', () => {
  it('that never ends is answered with 503 and the time to retry, and other requests are served meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const spinning = ask('/spin/', '1');
    expect((await ask('/double/', '2', { value: 4 })).json()).toEqual({ result: 8 });
    expect(pool.counts().running).toBe(1);
    vi.advanceTimersByTime(TASK_SECONDS * 1000);
    const answer = await spinning;
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ error: 'true', code: 'server.too-costly' });
    expect(answer.json().message).toContain('the time or memory limit');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask('/double/', '1', { value: 5 })).json()).toEqual({ result: 10 });
  });

  it('is ended when its caller disconnects', async () => {
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const call = request(`${address}/spin/`, {
      method: 'POST',
      headers: { authorization: 'token 1', 'content-type': 'application/json' },
    });
    const end = once(call, 'error');
    call.end('{}');
    await expect.poll(() => Atomics.load(rounds, 0)).toBeGreaterThan(0);
    expect(pool.counts().running).toBe(1);
    call.destroy(new Error('the caller hung up'));
    await end;
    await expect.poll(() => pool.counts()).toEqual({ running: 0, waiting: 0 });
  });

  it('is refused with 429 when its owner, an account or a key, has too many running', async () => {
    for (const owner of ['1', 'key3']) {
      over = new AbortController();
      const greedy = Array.from({ length: 5 }, () => ask('/spin/', owner));
      expect((await ask('/double/', '2')).json()).toEqual({ result: 2 });
      expect(pool.counts()).toEqual({ running: 2, waiting: 1 });
      for (const refused of await Promise.all(greedy.slice(3))) {
        expect(refused.statusCode).toBe(429);
        expect(refused.json()).toMatchObject({ code: 'request.too-many' });
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      }
      over.abort();
      await Promise.all(greedy);
    }
  });
});

describe('the budget per minute', () => {
  it('is stated in every answer, causes 429 when used up, and is separate for each owner', async () => {
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await ask('/double/', '1'));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[0]!.headers).toMatchObject({
      'ratelimit-policy': '"calculations";q=5;w=60',
      ratelimit: expect.stringMatching(/^"calculations";r=4;t=\d+$/),
    });
    const last = answers.at(-1)!;
    expect(last.headers.ratelimit).toMatch(/^"calculations";r=0;t=\d+$/);
    expect(last.json()).toMatchObject({ error: 'true', code: 'request.too-many' });
    const wait = Number(last.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    for (const other of ['2', 'key1']) expect((await ask('/double/', other)).statusCode).toBe(200);
  });

  it('also applies to calls without calculations, except for keys, which have their own rate', async () => {
    const { calculates: _, ...read } = base;
    const plain = defineCall(at('plain'), read);
    serveCall(app, plain, async () => ({ result: 1 }));
    const statusesOf = async (token: string) => {
      const answers = [];
      for (let i = 0; i < 4; i++) answers.push(await ask('/plain/', token));
      return answers.map(({ statusCode }) => statusCode);
    };
    expect(await statusesOf('1')).toEqual([200, 200, 200, 429]);
    expect(await statusesOf('2')).toEqual([200, 200, 200, 429]);
    expect(await statusesOf('key1')).toEqual([200, 200, 200, 200]);
    expect((await ask('/plain/', '1')).headers.ratelimit).toMatch(/^"calls";r=0;t=\d+$/);
  });

  it('of anonymous visitors is counted per host, for IPv6 per /64 in any spelling', async () => {
    app.get('/shared/', { onRequest: app.spendBudget('calculations') }, async () => 'ok');
    const statusOf = async (remoteAddress: string) =>
      (await app.inject({ url: '/shared/', remoteAddress })).statusCode;
    for (let host = 1; host <= 5; host++) expect(await statusOf(`2001:db8:7:7::${host}`)).toBe(200);
    expect(await statusOf('2001:DB8:7:7:ffff::1')).toBe(429);
    expect(await statusOf('2001:db8:7:8::1')).toBe(200);
    for (let i = 0; i < 5; i++) expect(await statusOf('::ffff:192.0.2.7')).toBe(200);
    expect(await statusOf('192.0.2.7')).toBe(429);
  });
});
