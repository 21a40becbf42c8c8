/** Worker processes that die with -9 (the fault table of docs/operating/operations.md). */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtProgram } from '@unitcell/tools/bundle';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Runner } from '../pipeline/runner.ts';
import { isAlive, isFinished, openWorkerFixture, type WorkerFixture } from './worker-fixture.ts';

type Step = 'relax' | 'static' | 'bands' | 'dos';

/** Kills a worker in each of the steps. */
export function workerKilledIn(steps: readonly Step[]): void {
  let bench: WorkerFixture;
  beforeEach(async () => {
    bench = await openWorkerFixture();
  });
  afterEach(async () => {
    await bench.close();
  });

  describe('a worker process killed with -9', () => {
    const workers: ChildProcess[] = [];
    afterEach(() => workers.splice(0).forEach((worker) => worker.kill('SIGKILL')));

    const startWorker = (): ChildProcess => {
      const worker = spawn(process.execPath, [builtProgram('worker')], {
        env: { ...process.env, ...bench.env, LOG_LEVEL: 'error' },
        stdio: 'ignore',
      });
      workers.push(worker);
      return worker;
    };

    it.each(steps)('in %s leaves no engine behind, and another worker goes on', async (step) => {
      bench.behave({ [step]: 'hang' });
      const id = await bench.submit();
      const worker = startWorker();
      await bench.untilBegun(step);
      await bench.until(id, (row) => row.state.running !== null && row.state.running !== undefined);
      worker.kill('SIGKILL');
      const { pid } = bench.begun().at(-1)!;
      while (isAlive(pid)) await sleep(20);
      expect(await bench.row(id)).toMatchObject({ status: 'running' });
      bench.behave({});
      await bench.expireLeases();
      const next: Runner = bench.startRunner();
      // Running work is lost; the fault causes a short pause, whose end is not awaited here.
      await bench.until(id, (row) => row.status === 'queued' || isFinished(row));
      await bench.expireLeases();
      await bench.until(id, isFinished);
      await next.close();
      expect(bench.stepsBegun().filter((one) => one === step)).toHaveLength(2);
      expect(new Set(bench.stepsBegun()).size).toBe(4);
      expect(bench.stepsBegun()).toHaveLength(5);
      expect(await bench.materials()).toHaveLength(1);
    });

    it('while the result is being stored: it is stored once', async () => {
      bench.behave({ dos: 'wait' });
      const id = await bench.submit();
      const worker = startWorker();
      await bench.untilBegun('dos');
      const holder = await bench.database.pool.connect();
      await holder.query('BEGIN; LOCK TABLE material IN ACCESS EXCLUSIVE MODE');
      bench.behave({});
      await bench.until(id, (row) => row.step === 'ingest');
      worker.kill('SIGKILL');
      await holder.query('COMMIT');
      holder.release();
      await bench.expireLeases();
      bench.startRunner();
      const row = await bench.until(id, isFinished);
      expect(await bench.materials()).toMatchObject([{ struct_id: row.structId, source_id: `run4u-${id}` }]);
      expect(bench.stepsBegun()).toEqual(['relax', 'static', 'bands', 'dos']);
    });

    it('after the result was stored but before this was recorded: the same material, once', async () => {
      bench.startRunner();
      const id = await bench.submit();
      const { structId } = await bench.until(id, isFinished);
      await bench.database.pool.query(
        `UPDATE submission SET status = 'running', struct_id = NULL, finished_at = NULL, lease_owner = 'dead',
         lease_until = now() - interval '1 s', state = jsonb_set(state, '{done}', (state->'done') - 'ingest')
       WHERE id = $1`,
        [id],
      );
      expect(await bench.until(id, isFinished)).toMatchObject({ structId });
      expect(await bench.materials()).toHaveLength(1);
    });
  });
}
