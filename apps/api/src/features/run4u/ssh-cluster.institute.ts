/**
 * Tests Slurm behind a login node: a private Slurm that is reached only through a private sshd. Slurm and sshd
 * require root.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type PrivateSlurm, startPrivateSlurm } from '@unitcell/tools/private-slurm';
import { type PrivateSshd, startPrivateSshd } from '@unitcell/tools/testing/private-sshd';
import type { Executor, RunRequest, RunResult } from './executors/executor.ts';
import { slurmExecutor } from './executors/slurm-executor.ts';
import { sshCluster, type SshLogin } from './executors/cluster.ts';
import { openWorkerFixture } from './testing/worker-fixture.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const SEARCH_PATH = process.env.PATH ?? '';

describe('slurmExecutor over ssh', () => {
  let home: string;
  let slurm: PrivateSlurm;
  let sshd: PrivateSshd;
  let login: SshLogin;
  let executor: Executor;
  let runs = 0;
  const scratch = () => join(home, 'here');
  const over = (to: SshLogin, near = scratch()): Executor =>
    slurmExecutor({
      cluster: sshCluster(to, near, SEARCH_PATH),
      sbatchArguments: [],
      pollMilliseconds: 300,
    });
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'unitcell-ssh-'));
    slurm = await startPrivateSlurm(join(home, 'slurm'));
    // The commands on the cluster do not inherit the environment of this process.
    sshd = await startPrivateSshd(join(home, 'ssh'), { SLURM_CONF: slurm.configuration });
    const { host, port, key, knownHosts } = sshd;
    login = { host, port, key, knownHosts, folder: join(home, 'over there') };
    executor = over(login);
  });
  afterAll(async () => {
    await sshd?.stop();
    await slurm?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const shell = (command: string, limits: Partial<RunRequest['limits']> = {}): RunRequest => {
    const name = `it's run ${++runs}`;
    const folder = join(scratch(), '7', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'input'), 'from here\n');
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

  it('finds the cluster, or reports why it cannot be reached', async () => {
    expect(await executor.probe()).toBeNull();
    const strange = join(home, 'other_hosts');
    writeFileSync(
      strange,
      readFileSync(login.knownHosts, 'utf8').replace(
        / \S+\n$/,
        ` ${readFileSync(`${login.key}.pub`, 'utf8').split(' ')[1]}\n`,
      ),
    );
    expect(await over({ ...login, knownHosts: strange }).probe()).toContain('another host key');
    expect(await over({ ...login, key: join(home, 'ssh/host') }).probe()).toContain('does not take the key');
    expect(await over({ ...login, key: '/nowhere/id' }).probe()).toContain('there is no file /nowhere/id');
    expect(await over({ ...login, port: 1 }).probe()).toContain('cannot be reached');
  });

  it('sends the inputs, fetches the outputs and leaves no files on the cluster', async () => {
    const request = shell('cat input; pwd > where; exit 7');
    expect(await run(request)).toMatchObject({ cause: 'ended', exitCode: 7 });
    expect(readFileSync(join(request.folder, 'log'), 'utf8')).toBe('from here\n');
    const there = readFileSync(join(request.folder, 'where'), 'utf8').trim();
    expect(there.startsWith(login.folder)).toBe(true);
    expect(existsSync(there)).toBe(false);
  });

  it('reports no run as ended while the login node is unreachable, and another process can take over', async () => {
    const request = shell('touch begun; while [ ! -e go ]; do sleep 0.1; done; echo late');
    const handle = await executor.start(request);
    const there = join(login.folder, '7', request.folder.split('/').at(-1)!);
    await expect.poll(() => existsSync(join(there, 'begun'))).toBe(true);
    // A login node that refuses connections counts as unreachable.
    const away = over({ ...login, port: 1 });
    const stop = new AbortController();
    const waiting = away.wait(handle, request, stop.signal);
    writeFileSync(join(there, 'go'), '');
    await expect.poll(() => existsSync(join(there, 'done.json'))).toBe(true);
    stop.abort(new Error('this worker stops'));
    await expect(waiting).rejects.toThrow('this worker stops');
    expect(existsSync(join(request.folder, 'done.json'))).toBe(false);
    expect(await over(login).wait(handle, request, never)).toMatchObject({ cause: 'ended', exitCode: 0 });
    expect(readFileSync(join(request.folder, 'log'), 'utf8')).toBe('late\n');
  });

  it('cancels a job on the cluster', async () => {
    const request = shell('sleep 600');
    const handle = await executor.start(request);
    await executor.cancel(handle);
    expect(await executor.wait(handle, request, never)).toMatchObject({ cause: 'lost' });
  });

  it('takes a submission through the whole pipeline', async () => {
    const fixture = await openWorkerFixture({ RUN4U_EXECUTOR: 'slurm' });
    try {
      fixture.startRunner({ executor: over(login, fixture.scratch) });
      const id = await fixture.submit();
      const row = await fixture.until(id, ({ status }) => status === 'finished' || status === 'failed');
      expect(row).toMatchObject({ status: 'finished' });
    } finally {
      await fixture.close();
    }
  });
});
