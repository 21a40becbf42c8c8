import type { Job } from '@unitcell/contract/jobs';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import {
  assertComplete,
  handles,
  type JobQueue,
  type JobWorker,
  openQueue,
  startJobWorker,
} from './queue.ts';

const log = pino({ level: 'silent' });
const job = (name: string, fields: Partial<Job> = {}): Job<z.ZodObject<{ id: z.ZodNumber }>> => ({
  name,
  payload: z.object({ id: z.number() }),
  attempts: 1,
  backoffSeconds: 0.05,
  timeoutSeconds: 5,
  ...(fields as object),
});

describe('assertComplete', () => {
  it('names a job without a handler, a job with two handlers, and an unknown job', () => {
    const [one, two, three] = [job('a.one'), job('a.two'), job('a.three')];
    const nothing = async () => undefined;
    expect(() => assertComplete([one], [handles(one, nothing)])).not.toThrow();
    expect(() => assertComplete([one, two], [handles(one, nothing)])).toThrow(/no handler for job "a.two"/);
    expect(() => assertComplete([one], [handles(one, nothing), handles(one, nothing)])).toThrow(
      /2 handlers for job "a.one"/,
    );
    expect(() => assertComplete([one], [handles(one, nothing), handles(three, nothing)])).toThrow(
      /"a.three"/,
    );
  });
});

/** The tested backends: always PostgreSQL, and Redis if queue.institute.ts started one. */
const redisUrl = process.env.TEST_REDIS_URL;
const backends: [string, string | null][] = [
  ['PostgreSQL', null],
  ...(redisUrl ? [['Redis', redisUrl] as [string, string]] : []),
];

describe.each(backends)('the queue on %s', (_name, redis) => {
  let testDatabase: TestDatabase;
  let queue: JobQueue;
  const workers: JobWorker[] = [];
  const config = () => ({ databaseUrl: testDatabase.url, redisUrl: redis });

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    queue = await openQueue(config(), () => undefined);
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
  });
  afterAll(async () => {
    await queue.close();
    await testDatabase.drop();
  });

  const start = async (...registrations: ReturnType<typeof handles>[]) => {
    workers.push(await startJobWorker({ config: config(), log, registrations }));
  };

  it('runs each job once with its validated payload', async () => {
    const once = job('test.once');
    const seen: number[] = [];
    await start(handles(once, async ({ id }) => void seen.push(id)));
    for (const id of [1, 2, 3]) await queue.enqueue(once, { id });
    await expect.poll(() => seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    await expect(queue.enqueue(once, { id: 'x' } as never)).rejects.toThrow(/expected number/);
  });

  it('adds one job per jobId while the first one waits', async () => {
    const same = job('test.same');
    await queue.enqueue(same, { id: 1 }, { jobId: 'same-1' });
    await queue.enqueue(same, { id: 1 }, { jobId: 'same-1' });
    // The later job has run, so a second run of the first job would have been recorded by now.
    await queue.enqueue(same, { id: 2 });
    const seen: number[] = [];
    await start(handles(same, async ({ id }) => void seen.push(id)));
    await expect.poll(() => seen).toContain(2);
    await queue.enqueue(same, { id: 3 });
    await expect.poll(() => seen).toContain(3);
    expect(seen.filter((id) => id === 1)).toHaveLength(1);
  });

  it('runs a job once more after a change that came while it ran', async () => {
    const changed = job('test.changed');
    const add = (id: number) => queue.enqueue(changed, { id }, { changeId: 'changed' });
    let go: () => void = () => undefined;
    const going = new Promise<void>((resolve) => (go = resolve));
    const seen: number[] = [];
    await start(
      handles(changed, async ({ id }) => {
        seen.push(id);
        await going;
      }),
    );
    await add(1);
    await expect.poll(() => seen).toEqual([1]);
    await add(2);
    await add(3);
    go();
    await expect.poll(() => seen).toEqual([1, 3]);
    await expect.poll(async () => (await queue.counts()).active).toBe(0);
    await add(4);
    await expect.poll(() => seen).toEqual([1, 3, 4]);
  });

  it('retries a job as often as configured and no more', async () => {
    const flaky = job('test.flaky', { attempts: 3 });
    const seen: number[] = [];
    const runs = (of: number) => seen.filter((id) => id === of).length;
    await start(
      handles(flaky, async ({ id }) => {
        seen.push(id);
        throw new Error('not yet');
      }),
    );
    await queue.enqueue(flaky, { id: 1 });
    await expect.poll(() => runs(1)).toBe(3);
    // Another job has used all its attempts, so a fourth attempt of the first job would have been recorded by
    // now.
    await queue.enqueue(flaky, { id: 2 });
    await expect.poll(() => runs(2)).toBe(3);
    expect(runs(1)).toBe(3);
  });

  it('leaves a job that only newer workers know to these workers, without counting an attempt', async () => {
    const [known, newer] = [job('test.known'), job('test.newer', { attempts: 1 })];
    let met: () => void = () => undefined;
    const wasMet = new Promise<void>((resolve) => (met = resolve));
    const older = await startJobWorker({
      config: config(),
      log: pino({ level: 'warn' }, { write: (line: string) => line.includes('newer version') && met() }),
      registrations: [handles(known, async () => undefined)],
      unknownMilliseconds: 50,
    });
    await queue.enqueue(newer, { id: 1 });
    await wasMet;
    await older.close();
    const seen: number[] = [];
    await start(handles(newer, async ({ id }) => void seen.push(id)));
    await expect.poll(() => seen).toEqual([1]);
  });

  it('stores the progress of a job before the job ends, so that no report comes too late', async () => {
    const quick = job('test.quick');
    const ended: number[] = [];
    const warnings: string[] = [];
    workers.push(
      await startJobWorker({
        config: config(),
        log: pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) }),
        concurrency: 3,
        registrations: [
          handles(quick, async ({ id }, { progress }) => {
            for (let step = 1; step <= 20; step++) progress(step / 20);
            ended.push(id);
          }),
        ],
      }),
    );
    // A job with a jobId is removed when it ends. A later report of its progress would fail.
    for (let id = 1; id <= 10; id++) await queue.enqueue(quick, { id }, { jobId: `quick-${id}` });
    await expect.poll(async () => (await queue.counts()).active === 0 && ended.length).toBe(10);
    expect(warnings).toEqual([]);
  });

  it('removes a waiting job', async () => {
    const later = job('test.later');
    await queue.enqueue(later, { id: 1 }, { jobId: 'later-1', delaySeconds: 60 });
    expect(await queue.remove('later-1')).toBe(true);
    expect(await queue.remove('later-1')).toBe(false);
  });
});
