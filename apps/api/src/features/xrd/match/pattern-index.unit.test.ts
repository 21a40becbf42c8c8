import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  changesBetween,
  type IndexState,
  patternIndexRefresher,
  type RefreshRequest,
} from './pattern-index.ts';

type Answer = 'fails' | 'nothing new' | IndexState;

const stateOf = (size: number): IndexState => ({
  buffer: new SharedArrayBuffer(size),
  versions: new Uint32Array(2),
  unreadable: 0,
});

/** A refresher with a fake thread that returns these answers in turn. */
function refresherOf(answers: Answer[]) {
  const requests: RefreshRequest[] = [];
  let announce: () => void = () => undefined;
  const refresher = patternIndexRefresher({
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
  return { refresher, requests, change: () => announce() };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('patternIndexRefresher', () => {
  it('builds once for all callers, on the first request', async () => {
    const first = stateOf(1);
    const { refresher, requests, change } = refresherOf([first]);
    change();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.length).toBe(0);
    expect(refresher.buildProgress()).toBe(0);
    expect(await Promise.all([refresher.current(), refresher.current()])).toEqual([
      first.buffer,
      first.buffer,
    ]);
    expect(requests.length).toBe(1);
    expect(refresher.buildProgress()).toBeNull();
  });

  it('batches announcements and serves the current index meanwhile', async () => {
    const [first, second] = [stateOf(1), stateOf(2)];
    const { refresher, requests, change } = refresherOf([first, second]);
    await refresher.current();
    for (let i = 0; i < 100; i++) change();
    expect(await refresher.current()).toBe(first.buffer);
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests.length).toBe(2);
    expect(requests[1]?.state).toBe(first);
    expect(await refresher.current()).toBe(second.buffer);
  });

  it('keeps the old index while a refresh fails, and retries', async () => {
    const [first, second] = [stateOf(1), stateOf(2)];
    const { refresher, change } = refresherOf([first, 'fails', 'fails', second]);
    await refresher.current();
    change();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await refresher.current()).toBe(first.buffer);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await refresher.current()).toBe(second.buffer);
  });

  it('reports busy while the first index cannot be built, and recovers', async () => {
    const first = stateOf(1);
    const { refresher } = refresherOf(['fails', first]);
    await expect(refresher.current()).rejects.toMatchObject({ code: 'server.busy' });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await refresher.current()).toBe(first.buffer);
  });

  it('stops working once closed', async () => {
    const { refresher, requests, change } = refresherOf([stateOf(1)]);
    await refresher.current();
    change();
    refresher.close();
    change();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.length).toBe(1);
  });
});

const list = (...pairs: [id: number, version: number][]): Uint32Array => Uint32Array.from(pairs.flat());

describe('changesBetween', () => {
  it('lists added, removed and changed ids', () => {
    const before = list([1, 7], [3, 7], [4, 7], [9, 7]);
    const now = list([1, 7], [2, 8], [4, 9], [9, 7], [12, 8]);
    expect(changesBetween(before, now)).toEqual({ added: [2, 4, 12], removed: [3] });
  });

  it('handles edges: everything, nothing, the last ids', () => {
    expect(changesBetween(list(), list([1, 1], [2, 1]))).toEqual({ added: [1, 2], removed: [] });
    expect(changesBetween(list([1, 1], [2, 1]), list())).toEqual({ added: [], removed: [1, 2] });
    expect(changesBetween(list([1, 1], [5, 1], [6, 1]), list([1, 1]))).toEqual({
      added: [],
      removed: [5, 6],
    });
    expect(changesBetween(list([1, 1]), list([1, 1]))).toEqual({ added: [], removed: [] });
  });
});
