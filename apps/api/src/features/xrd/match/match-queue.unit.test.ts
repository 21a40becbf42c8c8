import { describe, expect, it } from 'vitest';
import { AppError } from '../../../messages/app-error.ts';
import { isStopped, openControl } from './match-control.ts';
import { MAX_WAITING_PER_ACCOUNT, type MatchQueue, matchQueue, type Ticket } from './match-queue.ts';

/** A match that runs until it is told to end. */
function hold(queue: MatchQueue, accountId: number, matchId?: string) {
  const abort = new AbortController();
  let finish: (value: string) => void = () => undefined;
  let ticket: Ticket | undefined;
  const done = queue.run({ accountId, matchId, signal: abort.signal }, (own) => {
    ticket = own;
    return new Promise<string>((resolve) => {
      finish = resolve;
    });
  });
  const settled = done.then(
    (value) => value,
    (error: unknown) => (error instanceof AppError ? error.code : 'unknown error'),
  );
  return {
    settled,
    abort: () => abort.abort(),
    finish: () => finish('done'),
    ticket: () => ticket,
    hasBegun: () => ticket !== undefined,
  };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('matchQueue', () => {
  it('runs twenty matches of one account one after the other, in their order', async () => {
    const queue = matchQueue();
    const order: number[] = [];
    let atOnce = 0;
    let mostAtOnce = 0;
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        queue.run({ accountId: 1, matchId: undefined, signal: new AbortController().signal }, async () => {
          mostAtOnce = Math.max(mostAtOnce, ++atOnce);
          await soon();
          order.push(i);
          atOnce--;
        }),
      ),
    );
    expect(mostAtOnce).toBe(1);
    expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it('takes accounts in turn, two at a time', async () => {
    const queue = matchQueue();
    const [a1, a2, b1, c1] = [hold(queue, 1), hold(queue, 1), hold(queue, 2), hold(queue, 3)];
    await soon();
    expect([a1, a2, b1, c1].map((match) => match.hasBegun())).toEqual([true, false, true, false]);
    b1.finish();
    await b1.settled;
    await soon();
    expect([a2, c1].map((match) => match.hasBegun())).toEqual([false, true]);
    a1.finish();
    await a1.settled;
    await soon();
    expect(a2.hasBegun()).toBe(true);
  });

  it('goes on after a match that failed', async () => {
    const queue = matchQueue();
    const { signal } = new AbortController();
    const failing = queue.run({ accountId: 1, matchId: undefined, signal }, () =>
      Promise.reject(new Error('no')),
    );
    const next = hold(queue, 1);
    await expect(failing).rejects.toThrow('no');
    next.finish();
    expect(await next.settled).toBe('done');
  });

  it('tells places, and cancels what waits at once', async () => {
    const queue = matchQueue();
    const [first, second, third] = [
      hold(queue, 1, 'first-id'),
      hold(queue, 1, 'second-id'),
      hold(queue, 1, 'third-id'),
    ];
    const place = (id: string) => queue.positionOf(queue.find(1, id)!);
    expect(['first-id', 'second-id', 'third-id'].map(place)).toEqual([0, 1, 2]);
    expect(queue.cancel(1, 'second-id')).toBe(true);
    expect(await second.settled).toBe('xrd.cancelled');
    expect(second.hasBegun()).toBe(false);
    expect(place('third-id')).toBe(1);
    expect(queue.find(1, 'second-id')).toBeUndefined();
    first.finish();
    third.finish();
  });

  it('tells a running match to stop, and its client at once', async () => {
    const queue = matchQueue();
    const own = hold(queue, 1, 'running-id');
    await soon();
    const isTold = () => isStopped(openControl(own.ticket()!.control));
    expect(isTold()).toBe(false);
    expect(queue.cancel(2, 'running-id')).toBe(false);
    expect(isTold()).toBe(false);
    expect(queue.cancel(1, 'running-id')).toBe(true);
    expect(isTold()).toBe(true);
    expect(await own.settled).toBe('xrd.cancelled');
    expect(queue.find(1, 'running-id')).toBeUndefined();
  });

  it('cancels when nobody waits for the answer any more', async () => {
    const queue = matchQueue();
    const [running, waiting] = [hold(queue, 1), hold(queue, 1)];
    await soon();
    waiting.abort();
    expect(await waiting.settled).toBe('xrd.cancelled');
    running.abort();
    expect(isStopped(openControl(running.ticket()!.control))).toBe(true);
  });

  it('refuses an id in use and more than may wait', async () => {
    const queue = matchQueue();
    hold(queue, 1, 'the-same-id');
    expect(await hold(queue, 1, 'the-same-id').settled).toBe('xrd.match-id-in-use');
    const other = hold(queue, 2, 'the-same-id');
    await soon();
    expect(other.hasBegun()).toBe(true);
    for (let i = 0; i < MAX_WAITING_PER_ACCOUNT; i++) hold(queue, 1);
    expect(await hold(queue, 1).settled).toBe('xrd.queue-full');
  });

  it('refuses everybody when too many wait in all', async () => {
    const queue = matchQueue();
    for (let account = 0; account < 12; account++) for (let i = 0; i < 20; i++) void hold(queue, account);
    expect(await hold(queue, 99).settled).toBe('server.busy');
  });

  it('ends everything when the process stops', async () => {
    const queue = matchQueue();
    const [running, waiting] = [hold(queue, 1), hold(queue, 1)];
    await soon();
    queue.close();
    expect(await waiting.settled).toBe('xrd.cancelled');
    expect(isStopped(openControl(running.ticket()!.control))).toBe(true);
  });
});
