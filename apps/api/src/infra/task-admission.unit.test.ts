import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { taskAdmission, type TaskRefused } from './thread-pool.ts';

const NEVER = new AbortController().signal;

/** A task that runs until it is ended. */
function task() {
  let end: () => void = () => undefined;
  let hasBegun = false;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = () => {
    hasBegun = true;
    return ended;
  };
  return { work, end: () => end(), begun: () => hasBegun };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const reasonOf = (error: unknown) => (error as TaskRefused).reason;

describe('taskAdmission', () => {
  it('lets owners take turns', async () => {
    const { run } = taskAdmission({ slots: 1, waiting: 10 });
    const order: string[] = [];
    const ask = (owner: string, name: string) =>
      run(async () => void order.push(name), { owner, signal: NEVER });
    await Promise.all([ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('b', 'b2')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('refuses an owner at its limit, and all owners when the queue is full', async () => {
    const { run } = taskAdmission({ slots: 1, waiting: 2, perOwner: { running: 1, waiting: 1 } });
    const first = task();
    const ask = (owner: string) => run(first.work, { owner, signal: NEVER }).catch(reasonOf);
    const answers = [ask('a'), ask('a'), ask('a'), ask('b'), ask('c')];
    await settled();
    first.end();
    expect(await Promise.all(answers)).toEqual([undefined, undefined, 'owner-busy', undefined, 'busy']);
  });

  it('removes a waiting task when its caller disconnects', async () => {
    const { run, counts } = taskAdmission({ slots: 1, waiting: 5 });
    const [first, second] = [task(), task()];
    const gone = new AbortController();
    const running = run(first.work, { owner: 'a', signal: NEVER });
    const waiting = run(second.work, { owner: 'b', signal: gone.signal }).catch(reasonOf);
    gone.abort();
    expect(await waiting).toBe('abandoned');
    first.end();
    await running;
    expect(second.begun()).toBe(false);
    expect(counts()).toEqual({ running: 0, waiting: 0 });
  });

  it('frees the slot when the work fails', async () => {
    const { run, counts } = taskAdmission({ slots: 1, waiting: 0 });
    await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(counts().running).toBe(0);
  });

  it('never exceeds its limits and loses no task in random sequences', async () => {
    const random = seededRandom(20261122);
    const perOwner = { running: 2, waiting: 3 };
    const { run, counts } = taskAdmission({ slots: 3, waiting: 6, perOwner });
    const running = new Map<string, number>();
    const open: (() => void)[] = [];
    const all: Promise<unknown>[] = [];
    let refused = 0;
    let mostOfOne = 0;
    for (let round = 0; round < 2000; round++) {
      if (random() < 0.5) {
        const owner = 'abcd'[Math.floor(random() * 4)]!;
        const one = task();
        const leaving = new AbortController();
        open.push(random() < 0.2 ? () => leaving.abort() : one.end, one.end);
        const work = async () => {
          const now = (running.get(owner) ?? 0) + 1;
          running.set(owner, now);
          mostOfOne = Math.max(mostOfOne, now);
          await one.work();
          running.set(owner, running.get(owner)! - 1);
        };
        all.push(run(work, { owner, signal: leaving.signal }).catch(() => void refused++));
      } else open.splice(Math.floor(random() * open.length), 1)[0]?.();
      expect(counts().running).toBeLessThanOrEqual(3);
      expect(counts().waiting).toBeLessThanOrEqual(6);
      await settled();
    }
    for (const end of open) end();
    await Promise.all(all);
    expect(counts()).toEqual({ running: 0, waiting: 0 });
    expect(mostOfOne).toBe(perOwner.running);
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(all.length);
  });
});
