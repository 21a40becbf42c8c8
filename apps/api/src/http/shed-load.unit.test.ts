import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { giveUpOnSlowReaders, registerLoadShedding, stalledCalls } from './shed-load.ts';

describe('a call that meets a lock', () => {
  it('is refused after three failures, retried by one request per pause, and accepted after a success', () => {
    let now = 0;
    const stalled = stalledCalls(3, () => now);
    for (const strike of [1, 2, 3]) {
      expect(stalled.refusedFor('listSessions'), `before strike ${strike}`).toBe(0);
      stalled.ended('listSessions', true);
    }
    expect(stalled.refusedFor('listSessions')).toBe(3);
    expect(stalled.refusedFor('search')).toBe(0);
    now = 3_001;
    expect(stalled.refusedFor('listSessions')).toBe(0);
    expect(stalled.refusedFor('listSessions')).toBe(3);
    stalled.ended('listSessions', false);
    expect(stalled.refusedFor('listSessions')).toBe(0);
  });

  it('is not refused after failures that were not consecutive', () => {
    const stalled = stalledCalls(3, () => 0);
    for (let i = 0; i < 5; i++) {
      stalled.ended('search', true);
      stalled.ended('search', true);
      stalled.ended('search', false);
    }
    expect(stalled.refusedFor('search')).toBe(0);
  });
});

describe('thirty simultaneous requests where four may run', () => {
  // No request waits too long in the queue unless the test changes the clock.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** Sends the requests to a handler that answers when `finish` is called for its request. */
  async function send() {
    const app = fastify();
    const idle = { waitingCount: 0 } as Pool;
    const limits = { callsAtOnce: 4, databaseWaiting: 3, lockSeconds: 3 };
    registerLoadShedding(app, { pool: idle, readPool: idle }, limits);
    const running: { readonly id: string; readonly finish: (text: string) => void }[] = [];
    app.get<{ Params: { id: string } }>(
      '/:id',
      { schema: { operationId: 'search' } },
      async ({ params: { id } }) => new Promise<string>((finish) => running.push({ id, finish })),
    );
    const refused: string[] = [];
    const served: string[] = [];
    const all = Array.from({ length: 30 }, async (_, index) => {
      const { statusCode } = await app.inject(`/${index}`);
      (statusCode === 200 ? served : refused).push(String(index));
    });
    await expect.poll(() => refused.length).toBe(10);
    expect(running.map(({ id }) => id)).toEqual(['0', '1', '2', '3']);
    return { app, running, refused, served, all };
  }

  it('sixteen more are served in order of arrival, and the others are refused', async () => {
    const { app, running, served, all } = await send();
    for (let next = 0; next < 20; next++) {
      await expect.poll(() => running.length).toBeGreaterThan(next);
      running[next]?.finish('done');
      await expect.poll(() => served.length).toBe(next + 1);
    }
    await Promise.all(all);
    expect(served).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
    await app.close();
  });

  it('requests that waited five seconds in the queue are refused', async () => {
    const { app, running, refused, served, all } = await send();
    vi.advanceTimersByTime(5000);
    await expect.poll(() => refused.length).toBe(26);
    for (const { finish } of running) finish('done');
    await Promise.all(all);
    expect([served.length, running.length]).toEqual([4, 4]);
    await app.close();
  });
});

const MIB = 2 ** 20;
/** More bytes than the buffers of two sockets can contain. */
const PARTS = 64;

function* parts() {
  for (let part = 0; part < PARTS; part++) yield Buffer.alloc(MIB);
}

describe.each([
  ['in one piece', () => Buffer.alloc(PARTS * MIB)],
  ['while it is made', () => Readable.from(parts())],
])('an answer sent %s', (_, answer) => {
  async function serve(seconds: number) {
    const app = fastify({ forceCloseConnections: true });
    giveUpOnSlowReaders(app, seconds);
    app.get('/', async (_request, reply) => reply.send(answer()));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { app, port: (app.server.address() as AddressInfo).port };
  }

  it('is aborted if the client does not read it', async () => {
    const { app, port } = await serve(1);
    const arrived = once(app.server, 'connection') as Promise<[Socket]>;
    const reader = connect(port, '127.0.0.1').pause();
    const [theirs] = await arrived;
    reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(theirs, 'close');
    let taken = 0;
    reader.on('data', (bytes) => (taken += bytes.length)).on('error', () => undefined);
    reader.resume();
    await once(reader, 'close');
    expect(taken).toBeLessThan(PARTS * MIB);
    await app.close();
  });

  it('is complete if the client reads it', async () => {
    const { app, port } = await serve(600);
    const whole = await fetch(`http://127.0.0.1:${port}/`);
    expect((await whole.arrayBuffer()).byteLength).toBe(PARTS * MIB);
    await app.close();
  });
});
