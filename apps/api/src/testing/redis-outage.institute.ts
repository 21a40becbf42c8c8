/** Tests that Redis starts, dies and restarts: everything else is served meanwhile, and no job is lost. */
import { run4uWake } from '@unitcell/contract/jobs';
import { orderedSite, toPymatgenDict } from '@unitcell/crystal';
import { freePort } from '@unitcell/tools/postgres';
import { type RedisProgram, startRedisAt } from '@unitcell/tools/system-programs';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handles, type JobQueue, type JobWorker, openQueue, startJobWorker } from '../infra/queue.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';

/** Statuses of a site without its Redis or replica. */
async function served(test: TestApp): Promise<number[]> {
  const token = await test.signIn();
  const found = await test.post('/api/matdata/search_by_formula/', { include: 'TiO2' }, { token });
  return [found.statusCode, (await test.get('/api/ready')).statusCode];
}

const linesOf = (test: TestApp, part: string) => test.logLines.filter((line) => line.includes(part));

/** Rock-salt MgO, primitive cell. */
const MAGNESIA = toPymatgenDict({
  latticeVectors: [
    [0, 2.106, 2.106],
    [2.106, 0, 2.106],
    [2.106, 2.106, 0],
  ],
  sites: [orderedSite('Mg', [0, 0, 0]), orderedSite('O', [0.5, 0.5, 0.5])],
});

describe('a Redis that starts, dies and comes back empty', () => {
  let test: TestApp;
  let port: number;
  let server: RedisProgram;
  let queue: JobQueue;
  let worker: JobWorker;
  let done = 0;
  const workerLines: string[] = [];

  const start = async () => {
    server = await startRedisAt(port);
  };
  beforeAll(async () => {
    port = await freePort();
    test = await buildTestApp({ env: { REDIS_URL: `redis://127.0.0.1:${port}`, RUN4U_PRESET: 'ci' } });
    queue = await openQueue(test.config, () => undefined);
    worker = await startJobWorker({
      config: test.config,
      log: pino({ level: 'info' }, { write: (line: string) => void workerLines.push(line) }),
      registrations: [handles(run4uWake, async () => void done++)],
    });
  });
  afterAll(async () => {
    await worker.close();
    await queue.close();
    await test.close();
    await server?.kill();
  });

  const backTimes = (lines: readonly string[], times: number) =>
    expect.poll(() => lines.filter((line) => line.includes('(REDIS_URL) is back')).length).toBe(times);

  it('receives jobs that were sent before it started, and a worker started earlier runs them', async () => {
    await queue.enqueue(run4uWake, {});
    expect(await queue.remove('no-such-job')).toBe(false);
    expect(done).toBe(0);
    await start();
    await expect.poll(() => done).toBe(1);
    await backTimes(workerLines, 1);
    await backTimes(test.logLines, 1);
  });

  it('is not needed for reading and submitting while it is down, and is used again afterwards', async () => {
    await server.kill();
    expect(await served(test)).toEqual([200, 200]);
    await expect.poll(() => linesOf(test, '(REDIS_URL) cannot be used').length).toBe(2);
    const answer = await test.post(
      '/api/run4u/run4u_submit/',
      { submit: true, structure: MAGNESIA },
      // Another phone number, because the first one must wait a minute for its next code.
      { token: await test.signIn('13800000001') },
    );
    expect(answer.json()).toMatchObject({ message: 'Success', status: 'queued' });
    const { rows } = await test.database.pool.query('SELECT status FROM submission');
    expect(rows).toEqual([{ status: 'queued' }]);
    const before = done;
    await queue.enqueue(run4uWake, {});
    await start();
    await expect.poll(() => done).toBeGreaterThan(before);
    await backTimes(test.logLines, 2);
    await backTimes(workerLines, 2);
    expect(linesOf(test, '(REDIS_URL) cannot be used')).toHaveLength(2);
  });
});
