/** PostgreSQL is really stopped and restarted during a run (fault table of docs/operating/operations.md). */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run4uWake } from '@unitcell/contract/jobs';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { openCluster } from '@unitcell/tools/postgres';
import { createDatabaseCopy, ensureTemplate } from '@unitcell/tools/test-postgres';
import { handles, openQueue, startJobWorker } from '../../infra/queue.ts';
import { openWorkerFixture } from './testing/worker-fixture.ts';

const log = pino({ level: 'silent' });
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A job done at once proves that the queue works. Messages sent while the queue was down do not count. */
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

describe('a restart of PostgreSQL', () => {
  it('during a run does not end the run, runs nothing twice, and leaves the job queue working', async () => {
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
    const fixture = await openWorkerFixture({}, () => createDatabaseCopy(serverUrl, template));
    closers.push(() => fixture.close());
    const queue = await startWaking({ databaseUrl: fixture.env.DATABASE_URL!, redisUrl: null });
    await queue.works();

    fixture.behave({ static: 'wait' });
    fixture.startRunner();
    const id = await fixture.submit();
    await fixture.until(id, (row) => row.step === 'static' && Boolean(row.state.running));
    await cluster.crash(1_500);
    // The engine finishes while the worker is still trying to reconnect, or just after.
    fixture.behave({});
    await fixture.until(id, (row) => row.status === 'finished');
    expect(fixture.begun().map(({ step }) => step)).toEqual(['relax', 'static', 'bands', 'dos']);
    const { rows } = await fixture.database.pool.query('SELECT count(*)::int AS n FROM material');
    expect(rows).toEqual([{ n: 1 }]);
    expect(await fixture.row(id)).toMatchObject({ attempt: 1, reasonCode: '' });
    await queue.works();
  });
});
