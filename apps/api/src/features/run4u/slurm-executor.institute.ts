/** The Slurm executor on a real Slurm: one node, started for this file and stopped again. It needs root. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PrivateSlurm, startPrivateSlurm } from '@unitcell/tools/private-slurm';
import { ownCluster } from './executors/cluster.ts';
import type { Executor, RunRequest, RunResult } from './executors/executor.ts';
import { slurmExecutor } from './executors/slurm-executor.ts';
import { isAlive, openWorkerFixture } from './testing/worker-fixture.ts';

// After a restart the controller contacts its nodes at its own intervals.
vi.setConfig({ testTimeout: 600_000 });

const SEARCH_PATH = `${process.env.PATH ?? ''}:/usr/sbin`;

describe('slurmExecutor', () => {
  let home: string;
  let slurm: PrivateSlurm;
  let executor: Executor;
  let runs = 0;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'unitcell-slurm-'));
    slurm = await startPrivateSlurm(home);
    executor = slurmExecutor({
      cluster: ownCluster(SEARCH_PATH, { SLURM_CONF: slurm.configuration }),
      sbatchArguments: [],
      pollMilliseconds: 300,
    });
  });
  afterAll(async () => {
    await slurm?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const shell = (command: string, limits: Partial<RunRequest['limits']> = {}): RunRequest => {
    const folder = join(home, `run ${++runs}`);
    mkdirSync(folder);
    return {
      folder,
      command: ['sh', '-c', command],
      limits: { cores: 1, memoryMb: 100, seconds: 120, ...limits },
      name: `test-${runs}`,
    };
  };
  const never = new AbortController().signal;
  const run = async (request: RunRequest): Promise<RunResult> =>
    executor.wait(await executor.start(request), request, never);

  it('finds the controller of Slurm', async () => {
    expect(await executor.probe()).toBeNull();
    const lost = slurmExecutor({ cluster: ownCluster('/nowhere'), sbatchArguments: [] });
    expect(await lost.probe()).toContain('sbatch');
  });

  it('runs a command in its folder and returns its exit code, also for several runs at once', async () => {
    const [good, bad] = await Promise.all([
      run(shell('echo hello; touch made')),
      run(shell('echo no >&2; exit 7')),
    ]);
    expect(good).toMatchObject({ cause: 'ended', exitCode: 0, signal: null });
    expect(bad).toMatchObject({ cause: 'ended', exitCode: 7 });
    expect(readFileSync(join(home, 'run 1/log'), 'utf8')).toBe('hello\n');
  });

  it('survives a restart of the controller, and another process can take over', async () => {
    const request = shell('touch begun; while [ ! -e go ]; do sleep 0.1; done; echo late');
    const handle = await executor.start(request);
    const stop = new AbortController();
    const first = executor.wait(handle, request, stop.signal);
    while (!existsSync(join(request.folder, 'begun'))) await sleep(50);
    stop.abort(new Error('this worker stops'));
    await expect(first).rejects.toThrow('this worker stops');
    await slurm.restartController();
    expect(executor.canFollow(handle)).toBe(true);
    writeFileSync(join(request.folder, 'go'), '');
    expect(await executor.wait(handle, request, never)).toMatchObject({ cause: 'ended', exitCode: 0 });
    expect(readFileSync(join(request.folder, 'log'), 'utf8')).toBe('late\n');
  });

  it('cancels a job and ends all processes of the job', async () => {
    const request = shell('sleep 600 & echo $! > child; wait');
    const handle = await executor.start(request);
    const child = async (): Promise<number> => {
      for (;;) {
        try {
          const pid = Number(readFileSync(join(request.folder, 'child'), 'utf8'));
          if (pid > 0) return pid;
        } catch {
          await sleep(50);
        }
      }
    };
    const pid = await child();
    await executor.cancel(handle);
    expect(await executor.wait(handle, request, never)).toMatchObject({ cause: 'lost' });
    while (isAlive(pid)) await sleep(50);
    await executor.cancel(handle);
  });

  it('distinguishes a lack of memory from other causes', async () => {
    const request = shell('head -c 400M /dev/zero | tail -c 390M | sleep 60', { memoryMb: 60 });
    expect(await run(request)).toMatchObject({ cause: 'out-of-memory' });
  });

  it('reports a job that Slurm does not know as lost', async () => {
    expect(await executor.wait('slurm:999999', shell('true'), never)).toMatchObject({ cause: 'lost' });
  });

  it('takes a submission through the whole pipeline even if a worker dies in the middle', async () => {
    const fixture = await openWorkerFixture({ RUN4U_EXECUTOR: 'slurm' });
    try {
      fixture.behave({ static: 'hang' });
      const first = fixture.startRunner({ executor });
      const id = await fixture.submit();
      await fixture.until(
        id,
        (row) => row.step === 'static' && row.state.running !== null && row.state.running !== undefined,
      );
      while (!fixture.begun().some(({ step }) => step === 'static')) await sleep(50);
      await first.close();
      const { state } = await fixture.row(id);
      expect(state.running?.handle).toMatch(/^slurm:\d+$/);
      expect(isAlive(fixture.begun().at(-1)!.pid)).toBe(true);
      // The hung engine is killed by hand. The next worker finds that the job has ended and starts the step again.
      fixture.behave({});
      await executor.cancel(state.running!.handle);
      fixture.startRunner({ executor });
      const hurry = setInterval(() => void fixture.expireWaiting(), 200);
      await fixture.until(id, (row) => row.status === 'finished').finally(() => clearInterval(hurry));
      expect(fixture.begun().map(({ step }) => step)).toEqual(['relax', 'static', 'static', 'bands', 'dos']);
    } finally {
      await fixture.close();
    }
  });
});
