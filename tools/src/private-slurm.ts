/**
 * A private Slurm of one node, for trying and testing RUN4U_EXECUTOR=slurm on a single machine: munged,
 * slurmctld and slurmd on loopback, with all their files in one folder. Needs root and Debian's slurm-wlm.
 *
 *   npx tsx tools/src/private-slurm.ts FOLDER     runs until Ctrl-C; set RUN4U_SLURM_CONF to the printed path
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, hostname, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { capture } from '../lib/run.mjs';
import { type Daemon, findProgram, startDaemon } from './system-programs.ts';
import { freePort } from './postgres.ts';
import { until } from './timeouts.ts';

const PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'squeue', 'scontrol', 'scancel', 'sinfo'];

/** Why a private Slurm cannot run here; undefined when it can. */
export function missingForSlurm(): string | undefined {
  if (process.platform !== 'linux') return 'Slurm runs on Linux only';
  if (process.getuid?.() !== 0) return 'a private Slurm needs root';
  const missing = PROGRAMS.filter((name) => findProgram([name, `/usr/sbin/${name}`]) === undefined);
  return missing.length > 0 ? `${missing.join(', ')} missing: install slurm-wlm` : undefined;
}

/** The whole configuration: no cgroups, no accounting database, jobs start within a second. */
function configuration(
  folder: string,
  { controllerPort, nodePort }: { controllerPort: number; nodePort: number },
): string {
  const host = hostname().split('.')[0];
  const memoryMb = Math.floor((totalmem() / 1024 / 1024) * 0.9);
  return `ClusterName=private
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${folder}/munge/socket
CredType=cred/munge
SlurmctldPort=${controllerPort}
SlurmdPort=${nodePort}
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/log/slurmctld.log
SlurmdLogFile=${folder}/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=2
JobAcctGatherParams=OverMemoryKill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MinJobAge=600
KillWait=5
InactiveLimit=0
ReturnToService=2
MpiDefault=none
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${availableParallelism()} RealMemory=${memoryMb} State=UNKNOWN
PartitionName=batch Nodes=${host} Default=YES MaxTime=INFINITE State=UP DefMemPerCPU=500
`;
}

export interface PrivateSlurm {
  readonly configuration: string;
  stop(): Promise<void>;
  restartController(): Promise<void>;
}

/** Starts Slurm and waits until it accepts jobs. `folder` must be visible to jobs. */
export async function startPrivateSlurm(folder: string): Promise<PrivateSlurm> {
  const lack = missingForSlurm();
  if (lack) throw new Error(lack);
  for (const name of ['munge', 'state', 'spool', 'log'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o755 });
  const key = join(folder, 'munge/key');
  if (!existsSync(key)) writeFileSync(key, randomBytes(1024), { mode: 0o600 });
  const path = join(folder, 'slurm.conf');
  writeFileSync(
    path,
    configuration(folder, { controllerPort: await freePort(), nodePort: await freePort() }),
  );
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, SLURM_CONF: path };
  const daemons = new Map<string, Daemon>();
  const start = (name: string, parameters: readonly string[]) =>
    daemons.set(name, startDaemon(name, parameters, env));
  const answers = (program: string, parameters: readonly string[], wanted: RegExp) =>
    until(`the private Slurm gets ready (logs: ${folder}/log)`, async () => {
      const { code, output } = await capture(program, parameters, { env });
      return code === 0 && wanted.test(output);
    });
  const munge = join(folder, 'munge');
  start('munged', [
    '--foreground',
    '--force',
    `--key-file=${key}`,
    `--socket=${munge}/socket`,
    `--pid-file=${munge}/pid`,
    `--log-file=${folder}/log/munged.log`,
    `--seed-file=${munge}/seed`,
  ]);
  await until('munged listens', () => existsSync(`${munge}/socket`));
  start('slurmctld', ['-D']);
  await answers('scontrol', ['ping'], /UP/);
  start('slurmd', ['-D']);
  await answers('sinfo', ['-h', '-o', '%T'], /idle|mixed|allocated/);
  return {
    configuration: path,
    async stop() {
      await capture('scancel', ['--state=RUNNING'], { env });
      await capture('scancel', ['--state=PENDING'], { env });
      await sleep(300);
      for (const name of ['slurmd', 'slurmctld', 'munged']) await daemons.get(name)?.stop();
    },
    async restartController() {
      await daemons.get('slurmctld')?.stop();
      await sleep(1000);
      start('slurmctld', ['-D']);
      await answers('scontrol', ['ping'], /UP/);
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const slurm = await startPrivateSlurm(resolve(process.argv[2] ?? '.unitcell/slurm'));
  process.stdout.write(`RUN4U_EXECUTOR=slurm RUN4U_SLURM_CONF=${slurm.configuration}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void slurm.stop().then(() => process.exit(0)));
}
