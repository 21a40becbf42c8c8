/** The way to a cluster from inside the container of the worker, as docs/operations.md has it laid: the private Slurm of this machine. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../tools/lib/run.mjs';
import { startPrivateSlurm, whatSlurmLacks } from '../../tools/src/private-slurm.ts';
import { startPrivateSshd, whatSshLacks } from '../../tools/src/private-sshd.ts';
import type { Composition } from './composition.ts';
import { gatewayOfContainers } from './engine.ts';
import { calculate } from './visitor.ts';

/** @returns what was seen. @throws when the result did not come from the cluster */
export async function calculateOnCluster(site: Composition, token: string, seconds: number): Promise<string> {
  const lack = whatSlurmLacks() ?? whatSshLacks();
  if (lack) throw new Error(lack);
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-cluster-'));
  const over = join(folder, 'scratch');
  const slurm = await startPrivateSlurm(join(folder, 'slurm'));
  const sshd = await startPrivateSshd(
    join(folder, 'ssh'),
    { SLURM_CONF: slurm.configuration },
    await gatewayOfContainers(),
  );
  const settings = {
    RUN4U_EXECUTOR: 'slurm',
    RUN4U_SSH_HOST: sshd.host,
    RUN4U_SSH_PORT: String(sshd.port),
    RUN4U_SSH_KEY: '/data/ssh/id_ed25519',
    RUN4U_SSH_KNOWN_HOSTS: '/data/ssh/known_hosts',
    RUN4U_SSH_FOLDER: over,
  };
  const inWorker = (command: string) => site.run('exec', '-T', 'worker', 'sh', '-c', command);
  try {
    await inWorker('umask 077; mkdir -p /data/ssh; rm -f /data/ssh/*');
    await inWorker("umask 077; ssh-keygen -q -t ed25519 -N '' -f /data/ssh/id_ed25519");
    appendFileSync(join(folder, 'ssh/authorized_keys'), await inWorker('cat /data/ssh/id_ed25519.pub'));
    const address = sshd.host.slice(sshd.host.indexOf('@') + 1);
    await inWorker(`ssh-keyscan -p ${sshd.port} ${address} > /data/ssh/known_hosts`);
    for (const [name, value] of Object.entries(settings)) site.set(name, value);
    await site.run('up', '--detach', '--wait', '--no-build', 'worker');
    const row = await calculate(site, token, 'Ne', seconds);
    if (row.status !== 'finished') throw new Error(JSON.stringify(row).slice(0, 800));
    const state = await site.run('exec', '-T', 'worker', 'unitcell', 'run4u');
    const jobs = (
      await mustRun('squeue', 'squeue', ['--states=completed', '--noheader', '--format=%i'], {
        env: { ...process.env, SLURM_CONF: slurm.configuration },
      })
    )
      .split('\n')
      .filter(Boolean);
    if (jobs.length === 0) throw new Error('the cluster ran no job');
    return `finished as material ${row.struct_id} by ${jobs.length} jobs of the cluster; ${state.trim().split('\n')[0]}`;
  } finally {
    for (const name of Object.keys(settings)) site.set(name, undefined);
    await site.attempt('up', '--detach', '--wait', '--no-build', 'worker');
    await sshd.stop();
    await slurm.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
