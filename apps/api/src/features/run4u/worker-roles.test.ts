/** Workers with one role each: one runs submissions, the other the jobs of the queue. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { rederiveCatalogue } from '@unitcell/contract/jobs';
import { builtProgram } from '@unitcell/tools/bundle';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type JobQueue, openQueue } from '../../infra/queue.ts';
import { isFinished, openWorkerFixture, type WorkerFixture } from './testing/worker-fixture.ts';

let fixture: WorkerFixture;
let queue: JobQueue;
const workers: ChildProcess[] = [];

beforeEach(async () => {
  fixture = await openWorkerFixture();
  const databaseUrl = fixture.env.DATABASE_URL ?? '';
  queue = await openQueue({ databaseUrl, redisUrl: null }, () => undefined);
});
afterEach(async () => {
  for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  await queue.close();
  await fixture.close();
});

/** A worker that has started and is ready. */
async function startWorker(role: string): Promise<void> {
  const worker = spawn(process.execPath, [builtProgram('worker')], {
    env: { ...process.env, ...fixture.env, LOG_LEVEL: 'info', WORKER_ROLES: role },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  workers.push(worker);
  for await (const line of createInterface(worker.stdout)) if (line.includes('worker ready')) break;
  worker.stdout.resume();
}

it('a worker runs only submissions or only jobs of the queue', async () => {
  await queue.enqueue(rederiveCatalogue, {});
  const first = await fixture.submit();
  await startWorker('calculate');
  await fixture.until(first, isFinished);
  expect(await queue.counts()).toMatchObject({ waiting: 1, active: 0, completed: 0, failed: 0 });

  for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  const second = await fixture.submit();
  await startWorker('derive');
  await expect.poll(() => queue.counts()).toMatchObject({ waiting: 0, completed: 1 });
  expect(await fixture.row(second)).toMatchObject({ status: 'queued' });
});
