import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patternIndexKeeper } from './pattern-index-keeper.ts';
import type { IndexState, RefreshRequest } from './refresh-index.ts';

type Answer = 'fails' | 'nothing new' | IndexState;

const stateOf = (size: number): IndexState => ({
  buffer: new SharedArrayBuffer(size),
  versions: new Uint32Array(2),
  unreadable: 0,
});

/** A keeper whose thread answers what it is told, one refresh after the other. */
function keeperOf(answers: Answer[]) {
  const requests: RefreshRequest[] = [];
  let announce: () => void = () => undefined;
  const keeper = patternIndexKeeper({
    databaseUrl: 'postgresql://nowhere',
    refreshIndex: async (request) => {
      requests.push(request);
      const answer = answers.shift() ?? 'nothing new';
      if (answer === 'fails') throw new Error('the thread died');
      return { state: answer === 'nothing new' ? null : answer, milliseconds: 10 };
    },
    onCatalogueChange: (callback) => {
      announce = callback;
    },
    log: pino({ level: 'silent' }),
  });
  return { keeper, requests, change: () => announce() };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('patternIndexKeeper', () => {
  it('builds once for all who ask, and not before', async () => {
    const first = stateOf(1);
    const { keeper, requests, change } = keeperOf([first]);
    change();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.length).toBe(0);
    expect(keeper.buildProgress()).toBe(0);
    expect(await Promise.all([keeper.current(), keeper.current()])).toEqual([first.buffer, first.buffer]);
    expect(requests.length).toBe(1);
    expect(keeper.buildProgress()).toBeNull();
  });

  it('gathers announcements and hands on what it has meanwhile', async () => {
    const [first, second] = [stateOf(1), stateOf(2)];
    const { keeper, requests, change } = keeperOf([first, second]);
    await keeper.current();
    for (let i = 0; i < 100; i++) change();
    expect(await keeper.current()).toBe(first.buffer);
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests.length).toBe(2);
    expect(requests[1]?.state).toBe(first);
    expect(await keeper.current()).toBe(second.buffer);
  });

  it('keeps the old index while a refresh fails, and tries again', async () => {
    const [first, second] = [stateOf(1), stateOf(2)];
    const { keeper, change } = keeperOf([first, 'fails', 'fails', second]);
    await keeper.current();
    change();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await keeper.current()).toBe(first.buffer);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await keeper.current()).toBe(second.buffer);
  });

  it('says that it is busy when the first cannot be built, and gets there later', async () => {
    const first = stateOf(1);
    const { keeper } = keeperOf(['fails', first]);
    await expect(keeper.current()).rejects.toMatchObject({ code: 'server.busy' });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await keeper.current()).toBe(first.buffer);
  });

  it('does nothing more once it is closed', async () => {
    const { keeper, requests, change } = keeperOf([stateOf(1)]);
    await keeper.current();
    change();
    keeper.close();
    change();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.length).toBe(1);
  });
});
