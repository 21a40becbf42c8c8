import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { ScienceError } from '@unitcell/errors';
import { AppError } from '../messages/app-error.ts';
import {
  type Caller,
  openThreadPool,
  type TaskRefused,
  type ThreadPool,
  type ThreadPoolOptions,
} from './thread-pool.ts';
import type * as failingTasks from './testing/failing-tasks.ts';
import { ERRORS } from './testing/failing-tasks.ts';
import type * as slowTasks from './testing/slow-tasks.ts';

let pool: ThreadPool | undefined;
/** All started threads, in order. */
const threads: Worker[] = [];
const remember = (thread: Worker) => void threads.push(thread);
beforeEach(() => void process.on('worker', remember));
afterEach(async () => {
  vi.useRealTimers();
  await pool?.close();
  process.off('worker', remember);
  threads.length = 0;
});

const NEVER = new AbortController().signal;
const caller = (owner: string, signal = NEVER): Caller => ({ owner, signal });

function open(options: Partial<ThreadPoolOptions> = {}) {
  pool = openThreadPool({ size: 2, taskSeconds: 60, ...options });
  return pool.open<typeof slowTasks>(new URL('./testing/slow-tasks.ts', import.meta.url));
}

/** Counter of a spinning task in shared memory. */
const counter = () => new Int32Array(new SharedArrayBuffer(4));
const hasBegun = (rounds: Int32Array) => expect.poll(() => Atomics.load(rounds, 0)).toBeGreaterThan(0);
/** Resolves when the first thread, which runs the first task, has exited. */
const hasEnded = () => expect.poll(() => threads[0]?.threadId).toBe(GONE);
/** The threadId of an exited thread. */
const GONE = -1;

describe('a handle to a thread file', () => {
  it('has the names, arguments and results of its functions', async () => {
    const handle = open();
    const doubled = handle.run('double', 21);
    expectTypeOf(doubled).resolves.toEqualTypeOf<number>();
    expect(await doubled).toBe(42);
    const wrong = () => [
      // @ts-expect-error: the file has no such function
      handle.run('triple', 2),
      // @ts-expect-error: its argument is a number
      handle.run('double', '2'),
    ];
    expect(wrong).toBeTypeOf('function');
  });

  it('passes on errors of the product and of each package with kind, code and parameters, and other errors with their text', async () => {
    pool = openThreadPool({ size: 1, taskSeconds: 60 });
    const handle = pool.open<typeof failingTasks>(new URL('./testing/failing-tasks.ts', import.meta.url));
    const { other, ...ours } = ERRORS;
    await expect(handle.run('fail', 'other')).rejects.toThrow(other.message);
    for (const [which, sent] of Object.entries(ours)) {
      const error: unknown = await handle
        .run('fail', which as keyof typeof ours)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(sent instanceof AppError ? AppError : ScienceError);
      const { name, message, code, parameters } = sent;
      expect(error).toMatchObject({ name, message, code, parameters });
      expect(error).toMatchObject('extra' in sent ? { extra: sent.extra } : { package: sent.package });
    }
  });
});

describe('a task without an end', () => {
  it('is ended with its thread after the time limit, and others run meanwhile and afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const taskSeconds = 3600;
    const handle = open({ taskSeconds });
    const rounds = counter();
    const spinning = handle.run('spin', rounds).catch((error: unknown) => error);
    await hasBegun(rounds);
    expect(await handle.run('double', 1)).toBe(2);
    expect(threads[0]?.threadId).not.toBe(GONE);
    vi.advanceTimersByTime(taskSeconds * 1000);
    expect(await spinning).toMatchObject({ reason: 'too-costly' });
    await hasEnded();
    // More tasks than remaining threads: the terminated one is replaced.
    expect(await Promise.all([1, 2, 3, 4].map((value) => handle.run('double', value)))).toEqual([2, 4, 6, 8]);
  });

  it('is ended when its result is no longer needed', async () => {
    const handle = open();
    const rounds = counter();
    const gone = new AbortController();
    const spinning = handle.run('spin', rounds, caller('a', gone.signal)).catch((error: unknown) => error);
    await hasBegun(rounds);
    gone.abort();
    expect(await spinning).toMatchObject({ reason: 'abandoned' });
    await hasEnded();
  });

  it('frees its thread for a waiting task', async () => {
    const handle = open({ size: 1 });
    const rounds = counter();
    const gone = new AbortController();
    const spinning = handle.run('spin', rounds, caller('a', gone.signal)).catch(() => 'ended');
    const waiting = handle.run('double', 4, caller('b'));
    await hasBegun(rounds);
    gone.abort();
    expect(await Promise.all([spinning, waiting])).toEqual(['ended', 8]);
  });

  it('does not delay other owners, however many tasks its owner has', async () => {
    const handle = open({ size: 2, perOwner: { running: 1, waiting: 2 } });
    const all = Array.from({ length: 60 }, counter);
    const gone = new AbortController();
    const refusals = all.map((rounds) =>
      handle.run('spin', rounds, caller('greedy', gone.signal)).catch((error: unknown) => error),
    );
    expect(await handle.run('double', 5, caller('modest'))).toBe(10);
    gone.abort();
    const reasons = (await Promise.all(refusals)).map((error) => (error as TaskRefused).reason);
    expect(reasons.filter((reason) => reason === 'owner-busy').length).toBe(57);
    expect(reasons.filter((reason) => reason === 'abandoned').length).toBe(3);
  });
});

it('a task that needs more memory than a thread may use is refused', async () => {
  const handle = open({ maxHeapMb: 64 });
  await expect(handle.run('exhaustMemory', null)).rejects.toMatchObject({ reason: 'too-costly' });
  expect(await handle.run('double', 3)).toBe(6);
});
