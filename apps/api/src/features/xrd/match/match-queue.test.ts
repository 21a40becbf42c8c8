/** Tests queues of several processes on one database. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../infra/database.ts';
import { AppError } from '../../../messages/app-error.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { type Match, MAX_WAITING_PER_ACCOUNT, type MatchQueue, matchQueue } from './match-queue.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const open: MatchQueue[] = [];
const newQueue = (): MatchQueue => {
  const queue = matchQueue({ db: database.db, log: { warn: () => undefined } });
  open.push(queue);
  return queue;
};
afterEach(async () => {
  for (const queue of open.splice(0)) queue.close();
  while ((await database.pool.query('SELECT FROM xrd_match')).rowCount !== 0) await delay(20);
});

const started = async (...matches: { hasBegun(): boolean }[]) =>
  expect.poll(() => matches.map((match) => match.hasBegun())).toEqual(matches.map(() => true));

/** A match that runs until the test releases it. */
function hold(queue: MatchQueue, accountId: number, matchId?: string) {
  const abort = new AbortController();
  let finish: (value: string) => void = () => undefined;
  let match: Match | undefined;
  const done = queue.run({ accountId, matchId, signal: abort.signal }, (own) => {
    match = own;
    own.status = () => ({ state: 'running', progress: 0.25 });
    return new Promise<string>((resolve) => {
      finish = resolve;
    });
  });
  const settled = done.then(
    (value) => value,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
  return {
    settled,
    abort: () => abort.abort(),
    finish: () => finish('done'),
    isCancelled: () => match?.signal.aborted,
    hasBegun: () => match !== undefined,
  };
}

/** Whether the row of a match exists, so that other processes know the match. */
const known = (queue: MatchQueue, accountId: number, matchId: string) =>
  expect.poll(() => queue.find(accountId, matchId)).not.toBeNull();

describe('matchQueue', () => {
  it('runs twenty matches of one account in order, one at a time', async () => {
    const queue = newQueue();
    const order: number[] = [];
    let atOnce = 0;
    let mostAtOnce = 0;
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        queue.run({ accountId: 1, matchId: undefined, signal: new AbortController().signal }, async () => {
          mostAtOnce = Math.max(mostAtOnce, ++atOnce);
          await database.pool.query('SELECT');
          order.push(i);
          atOnce--;
        }),
      ),
    );
    expect(mostAtOnce).toBe(1);
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('alternates between accounts, two matches at a time', async () => {
    const queue = newQueue();
    const [a1, a2, b1, c1] = [hold(queue, 1), hold(queue, 1), hold(queue, 2), hold(queue, 3)];
    await started(a1, b1);
    expect([a2, c1].map((match) => match.hasBegun())).toEqual([false, false]);
    b1.finish();
    await started(c1);
    expect(a2.hasBegun()).toBe(false);
    a1.finish();
    await started(a2);
  });

  it('continues after a failed match', async () => {
    const queue = newQueue();
    const { signal } = new AbortController();
    const failing = queue.run({ accountId: 1, matchId: undefined, signal }, () =>
      Promise.reject(new Error('no')),
    );
    const next = hold(queue, 1);
    await expect(failing).rejects.toThrow('no');
    await started(next);
    next.finish();
    expect(await next.settled).toBe('done');
  });

  it('stops a running match and responds to its client at once', async () => {
    const queue = newQueue();
    const own = hold(queue, 1, 'running-id');
    await started(own);
    expect(await queue.cancel(2, 'running-id')).toBe(false);
    expect(own.isCancelled()).toBe(false);
    expect(await queue.cancel(1, 'running-id')).toBe(true);
    expect(own.isCancelled()).toBe(true);
    expect(await own.settled).toBe('xrd.cancelled');
    expect(await queue.find(1, 'running-id')).toBeNull();
  });

  it('cancels a match whose client has disconnected', async () => {
    const queue = newQueue();
    const [running, waiting] = [hold(queue, 1), hold(queue, 1)];
    await started(running);
    waiting.abort();
    expect(await waiting.settled).toBe('xrd.cancelled');
    expect(waiting.hasBegun()).toBe(false);
    running.abort();
    expect(running.isCancelled()).toBe(true);
  });

  it('rejects a used id, and matches beyond the limit of waiting ones', async () => {
    const queue = newQueue();
    hold(queue, 1, 'the-same-id');
    expect(await hold(queue, 1, 'the-same-id').settled).toBe('xrd.match-id-in-use');
    await started(hold(queue, 2, 'the-same-id'));
    for (let i = 0; i < MAX_WAITING_PER_ACCOUNT; i++) hold(queue, 1);
    expect(await hold(queue, 1).settled).toBe('xrd.queue-full');
  });

  it('rejects every account when the total limit is reached', async () => {
    const queue = newQueue();
    for (let account = 0; account < 12; account++) for (let i = 0; i < 20; i++) void hold(queue, account);
    expect(await hold(queue, 99).settled).toBe('server.busy');
    queue.close();
  });

  it('ends all matches when the process stops', async () => {
    const queue = newQueue();
    const [running, waiting] = [hold(queue, 1), hold(queue, 1)];
    await started(running);
    queue.close();
    expect(await waiting.settled).toBe('xrd.cancelled');
    expect(running.isCancelled()).toBe(true);
  });
});

describe('matchQueue in two processes on one database', () => {
  it('runs one match of an account at a time, and the next when it ends', async () => {
    const [here, there] = [newQueue(), newQueue()];
    const first = hold(here, 1, 'first-id');
    await started(first);
    const second = hold(there, 1, 'second-id');
    const stranger = hold(there, 2);
    await started(stranger);
    expect(second.hasBegun()).toBe(false);
    first.finish();
    await started(second);
  });

  it('gives positions that include matches of the other process', async () => {
    const [here, there] = [newQueue(), newQueue()];
    const first = hold(here, 1, 'first-id');
    await started(first);
    const second = hold(there, 1, 'second-id');
    await known(here, 1, 'second-id');
    hold(here, 1, 'third-id');
    await known(there, 1, 'third-id');
    const place = async (queue: MatchQueue, id: string) => (await queue.find(1, id))?.position;
    expect(await Promise.all(['first-id', 'second-id', 'third-id'].map((id) => place(there, id)))).toEqual([
      0, 1, 2,
    ]);
    expect(await place(here, 'third-id')).toBe(2);
    await expect
      .poll(() => there.find(1, 'first-id'))
      .toEqual({ state: 'running', progress: 0.25, position: 0 });
    expect(await here.cancel(1, 'second-id')).toBe(true);
    expect(await second.settled).toBe('xrd.cancelled');
    expect(second.hasBegun()).toBe(false);
    expect(await place(there, 'third-id')).toBe(1);
  });

  it('cancels matches of the other process, but not of another account', async () => {
    const [here, there] = [newQueue(), newQueue()];
    const own = hold(here, 1, 'running-id');
    await started(own);
    expect(await there.cancel(2, 'running-id')).toBe(false);
    expect(await there.cancel(1, 'running-id')).toBe(true);
    expect(await own.settled).toBe('xrd.cancelled');
    expect(own.isCancelled()).toBe(true);
    expect(await there.cancel(1, 'running-id')).toBe(false);
  });

  it("applies an account's limit and unique ids across both processes", async () => {
    const [here, there] = [newQueue(), newQueue()];
    hold(here, 1, 'the-same-id');
    await known(there, 1, 'the-same-id');
    expect(await hold(there, 1, 'the-same-id').settled).toBe('xrd.match-id-in-use');
    const all = Array.from({ length: 30 }, (_, i) => hold(i % 2 ? here : there, 1));
    const refused = all.map(({ settled }) => settled.then((code) => code === 'xrd.queue-full'));
    let count = 0;
    for (const one of refused) void one.then((isFull) => (count += isFull ? 1 : 0));
    await expect.poll(() => count).toBe(30 - MAX_WAITING_PER_ACCOUNT);
  });

  it('continues with waiting matches after the other process was killed', async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO xrd_match (account_id, match_id, state) VALUES (1, 'left-behind', 'running') RETURNING id`,
    );
    const queue = newQueue();
    const next = hold(queue, 1, 'next-id');
    await known(queue, 1, 'next-id');
    expect(next.hasBegun()).toBe(false);
    await database.pool.query("UPDATE xrd_match SET seen_at = now() - interval '1 minute' WHERE id = $1", [
      rows[0]!.id,
    ]);
    expect(await queue.find(1, 'left-behind')).toBeNull();
    await started(next);
  });
});
