/** Tests worker processes that are killed with -9 (the fault table of docs/operating/operations.md). */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtProgram } from '@unitcell/tools/bundle';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Runner } from './pipeline/runner.ts';
import { isAlive, isFinished, openWorkerFixture, type WorkerFixture } from './testing/worker-fixture.ts';

/** A worker is killed in each of these steps. */
const steps = process.env.NIGHTLY ? (['relax', 'bands', 'dos'] as const) : (['static'] as const);

let fixture: WorkerFixture;
beforeEach(async () => {
  fixture = await openWorkerFixture();
});
afterEach(async () => {
  await fixture.close();
});

describe('a worker process killed with -9', () => {
  const workers: ChildProcess[] = [];
  afterEach(() => workers.splice(0).forEach((worker) => worker.kill('SIGKILL')));

  const startWorker = (): ChildProcess => {
    const worker = spawn(process.execPath, [builtProgram('worker')], {
      env: { ...process.env, ...fixture.env, LOG_LEVEL: 'error' },
      stdio: 'ignore',
    });
    workers.push(worker);
    return worker;
  };

  it.each(steps)('in %s leaves no engine running, and another worker continues', async (step) => {
    fixture.behave({ [step]: 'hang' });
    const id = await fixture.submit();
    const worker = startWorker();
    await fixture.untilBegun(step);
    await fixture.until(id, (row) => row.state.running !== null && row.state.running !== undefined);
    worker.kill('SIGKILL');
    const { pid } = fixture.begun().at(-1)!;
    while (isAlive(pid)) await sleep(20);
    expect(await fixture.row(id)).toMatchObject({ status: 'running' });
    fixture.behave({});
    await fixture.expireLeases();
    const next: Runner = fixture.startRunner();
    // The work of the killed worker is lost, and a new attempt starts after a short pause. This test skips the pause.
    await fixture.until(id, (row) => row.status === 'queued' || isFinished(row));
    await fixture.expireLeases();
    await fixture.until(id, isFinished);
    await next.close();
    expect(fixture.stepsBegun().filter((one) => one === step)).toHaveLength(2);
    expect(new Set(fixture.stepsBegun()).size).toBe(4);
    expect(fixture.stepsBegun()).toHaveLength(5);
    expect(await fixture.materials()).toHaveLength(1);
  });

  it('while the result is being stored leads to exactly one stored result', async () => {
    fixture.behave({ dos: 'wait' });
    const id = await fixture.submit();
    const worker = startWorker();
    await fixture.untilBegun('dos');
    const holder = await fixture.database.pool.connect();
    await holder.query('BEGIN; LOCK TABLE material IN ACCESS EXCLUSIVE MODE');
    fixture.behave({});
    await fixture.until(id, (row) => row.step === 'ingest');
    worker.kill('SIGKILL');
    await holder.query('COMMIT');
    holder.release();
    await fixture.expireLeases();
    fixture.startRunner();
    const row = await fixture.until(id, isFinished);
    expect(await fixture.materials()).toMatchObject([{ struct_id: row.structId, source_id: `run4u-${id}` }]);
    expect(fixture.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos']);
  });

  it('after the result was stored but before this was recorded leads to one material, the stored one', async () => {
    fixture.startRunner();
    const id = await fixture.submit();
    const { structId } = await fixture.until(id, isFinished);
    await fixture.database.pool.query(
      `UPDATE submission SET status = 'running', struct_id = NULL, finished_at = NULL, lease_owner = 'dead',
         lease_until = now() - interval '1 s', state = jsonb_set(state, '{done}', (state->'done') - 'ingest')
       WHERE id = $1`,
      [id],
    );
    expect(await fixture.until(id, isFinished)).toMatchObject({ structId });
    expect(await fixture.materials()).toHaveLength(1);
  });
});
