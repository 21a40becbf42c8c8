/** PostgreSQL and the queue's backend die for real and come back, while something runs (fault table of docs/operations.md). */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run4uWake } from '@unitcell/contract';
import { orderedSite, toPymatgenDict } from '@unitcell/crystal';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { type RedisProgram, redisPath, startRedisAt } from '@unitcell/tools/test-redis';
import { freePort, openCluster } from '@unitcell/tools/postgres';
import { createDatabaseCopy, ensureTemplate } from '@unitcell/tools/test-postgres';
import { handles, openQueue, startJobWorker } from '../../infra/queue.ts';
import { buildTestApp } from '../../testing/build-test-app.ts';
import { openWorkerBench } from './testing/worker-bench.ts';

const log = pino({ level: 'silent' });
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Doing a job right now proves that the queue lives: what was sent while it was away does not count. */
async function startWaking(config: { databaseUrl: string; redisUrl: string | null }) {
  let woken = 0;
  const queue = await openQueue(config, () => undefined);
  const worker = await startJobWorker({
    config,
    log,
    registrations: [handles(run4uWake, async () => void woken++)],
  });
  closers.push(
    () => queue.close(),
    () => worker.close(),
  );
  return {
    async works() {
      const before = woken;
      await expect
        .poll(
          async () => {
            await Promise.race([queue.enqueue(run4uWake, {}).catch(() => undefined), sleep(500)]);
            return woken > before;
          },
          { interval: 200 },
        )
        .toBe(true);
    },
  };
}

/** Rock-salt MgO, primitive cell. */
const MAGNESIA = toPymatgenDict({
  latticeVectors: [
    [0, 2.106, 2.106],
    [2.106, 0, 2.106],
    [2.106, 2.106, 0],
  ],
  sites: [orderedSite('Mg', [0, 0, 0]), orderedSite('O', [0.5, 0.5, 0.5])],
});

describe('PostgreSQL', () => {
  it('dies in mid-run and comes back: the run goes on, nothing runs twice, the queue in it works again', async () => {
    const home = mkdtempSync(join(tmpdir(), 'unitcell-restart-'));
    chmodSync(home, 0o755);
    const cluster = openCluster(home, { name: 'postgres' });
    const server = await cluster.start();
    closers.push(async () => {
      await cluster.stop();
      rmSync(home, { recursive: true, force: true });
    });
    const serverUrl = server.url('postgres');
    const template = await ensureTemplate(serverUrl);
    const bench = await openWorkerBench({}, () => createDatabaseCopy(serverUrl, template));
    closers.push(() => bench.close());
    const queue = await startWaking({ databaseUrl: bench.env.DATABASE_URL!, redisUrl: null });
    await queue.works();

    bench.behave({ static: 'wait' });
    bench.startRunner();
    const id = await bench.submit();
    await bench.until(id, (row) => row.step === 'static' && Boolean(row.state.running));
    await cluster.crash(1_500);
    // The engine comes to its end while the worker is still looking for the database, or just after.
    bench.behave({});
    await bench.until(id, (row) => row.status === 'finished');
    expect(bench.begun().map(({ step }) => step)).toEqual(['relax', 'static', 'bands', 'dos']);
    const { rows } = await bench.database.pool.query('SELECT count(*)::int AS n FROM material');
    expect(rows).toEqual([{ n: 1 }]);
    expect(await bench.row(id)).toMatchObject({ attempt: 1, reasonCode: '' });
    await queue.works();
  });
});

describe.skipIf(redisPath() === undefined)('Redis', () => {
  async function startRedis(port: number): Promise<RedisProgram> {
    const redis = (await startRedisAt(port))!;
    closers.push(() => redis.kill());
    return redis;
  }

  it('dies and comes back empty: submitting goes on meanwhile, nothing is lost, and the queue works again', async () => {
    const port = await freePort();
    const redisUrl = `redis://127.0.0.1:${port}`;
    const redis = await startRedis(port);
    const test = await buildTestApp({ env: { REDIS_URL: redisUrl, RUN4U_PRESET: 'ci' } });
    closers.push(() => test.close());
    const queue = await startWaking({ databaseUrl: test.config.databaseUrl, redisUrl });
    await queue.works();
    await redis.kill();

    const token = await test.signIn();
    const answer = await test.post(
      '/api/run4u/run4u_submit/',
      { submit: true, structure: MAGNESIA },
      { token },
    );
    expect(answer.json()).toMatchObject({ message: 'Success', status: 'queued' });
    const { rows } = await test.database.pool.query('SELECT status FROM submission');
    expect(rows).toEqual([{ status: 'queued' }]);

    await startRedis(port);
    await queue.works();
  });
});
