/**
 * Submits runs to a Slurm cluster, this machine's own or one behind a login node. One sbatch per run.
 *
 * The folder is authoritative, not Slurm: the job writes `done.json` (by rename) with its exit code. A job
 * that ended without this file was killed, and Slurm gives the reason. While the controller does not respond,
 * runs count as neither running nor ended.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, quote } from './cluster.ts';
import { type Executor, LOST, type RunRequest, type RunResult } from './executor.ts';

/** Interval of queries. The controller serves thousands of users, so one query covers all runs. */
const POLL_MILLISECONDS = 3_000;
/** On network file systems a job's files may appear after the controller reports its end. */
const SETTLE_MILLISECONDS = 2_000;

/** States of a job that is running or has not started. */
const ALIVE = new Set([
  'PENDING',
  'RUNNING',
  'CONFIGURING',
  'COMPLETING',
  'SUSPENDED',
  'REQUEUED',
  'REQUEUE_HOLD',
  'RESIZING',
  'SIGNALING',
  'STAGE_OUT',
  'STOPPED',
]);

export interface SlurmOptions {
  readonly cluster: Cluster;
  /** Added to every sbatch: partition, account, … */
  readonly sbatchArguments: readonly string[];
  /** Shell commands before every run: `module load abinit`. */
  readonly prelude?: string | null;
  readonly pollMilliseconds?: number;
}

export function batchScript({ folder, command, limits }: RunRequest, prelude: string | null = null): string {
  // Only a login shell has `module`.
  return `#!/bin/sh${prelude === null ? '' : ' -l'}
cd ${quote(folder)} || exit 97
${prelude === null ? '' : `${prelude}\n`}export OMP_NUM_THREADS=${limits.cores} OPENBLAS_NUM_THREADS=${limits.cores} LC_ALL=C
started=$(date +%s)
${command.map(quote).join(' ')} > log 2>&1
code=$?
spent=$(times | tail -n 1)
printf '{"exitCode":%d,"wallSeconds":%d,"cpu":"%s"}' "$code" "$(( $(date +%s) - started ))" "$spent" > done.json.part
mv done.json.part done.json
exit "$code"
`;
}

/** Seconds in the shell's \`times\`: \`0m1.230s 0m0.110s\`. */
export const secondsOfTimes = (text: string): number =>
  Array.from(
    text.matchAll(/(\d+)m([\d.]+)s/g),
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  ).reduce((sum, value) => sum + value, 0);

const stderrOf = (error: unknown): string => (error as { stderr?: string }).stderr ?? '';

/** Slurm's answer for a job that it has forgotten, because it is long over. */
const isUnknownJob = (error: unknown): boolean => /Invalid job id/i.test(stderrOf(error));

/** Shells report death by a signal as 128 plus its number. */
const signalOf = (exitCode: number): string | null =>
  exitCode === 137 ? 'SIGKILL' : exitCode === 143 ? 'SIGTERM' : null;

async function resultIn(folder: string): Promise<RunResult | null> {
  try {
    const done = JSON.parse(await readFile(`${folder}/done.json`, 'utf8')) as {
      exitCode: number;
      wallSeconds: number;
      cpu: string;
    };
    const signal = signalOf(done.exitCode);
    return {
      cause: 'ended',
      exitCode: signal ? null : done.exitCode,
      signal,
      wallSeconds: done.wallSeconds,
      cpuSeconds: secondsOfTimes(done.cpu),
      peakMb: 0,
    };
  } catch {
    return null;
  }
}

/**
 * Why a job ended without its file, from \`scontrol show job -o\` and Slurm's messages in the job's output.
 */
export function causeOf(description: string, output: string): RunResult['cause'] {
  const state = /JobState=(\w+)/.exec(description)?.[1] ?? '';
  if (state === 'TIMEOUT' || state === 'DEADLINE') return 'time-limit';
  if (state === 'OUT_OF_MEMORY' || /exceeded memory limit|oom.kill/i.test(output)) return 'out-of-memory';
  return 'lost';
}

export function slurmExecutor(options: SlurmOptions): Executor {
  const { cluster, sbatchArguments, prelude = null, pollMilliseconds = POLL_MILLISECONDS } = options;
  const { call } = cluster;

  /** One query to the controller serves all waiting runs. */
  let asked: Promise<ReadonlyMap<string, string>> | null = null;
  const waiting = new Set<string>();
  const states = (): Promise<ReadonlyMap<string, string>> => {
    asked ??= sleep(pollMilliseconds)
      .then(() => call('squeue', ['-h', '-t', 'all', '-j', [...waiting].join(','), '-o', '%i|%T']))
      // squeue fails on ids that the controller has forgotten. Each id is then looked up separately.
      .catch((error: unknown) => {
        if (isUnknownJob(error)) return '';
        throw error;
      })
      .then((text) => new Map(text.split('\n').map((line) => line.split('|') as [string, string])))
      .finally(() => {
        asked = null;
      });
    return asked;
  };

  /** Returns null if the controller has forgotten the job. @throws when the controller does not respond */
  async function describe(id: string): Promise<string | null> {
    try {
      return await call('scontrol', ['show', 'job', id, '-o']);
    } catch (error) {
      if (isUnknownJob(error)) return null;
      throw error;
    }
  }

  async function isAlive(id: string): Promise<boolean> {
    const state = (await states()).get(id);
    if (state !== undefined) return ALIVE.has(state);
    const description = await describe(id);
    return description !== null && ALIVE.has(/JobState=(\w+)/.exec(description)?.[1] ?? '');
  }

  /** The result of a job that has written its file, whatever the controller reports. */
  async function resultElsewhere(folder: string): Promise<RunResult | null> {
    const here = await resultIn(folder);
    if (here || !(await cluster.isDone(folder))) return here;
    await cluster.fetch(folder);
    return resultIn(folder);
  }

  async function conclusion(id: string, folder: string): Promise<RunResult> {
    const look = async (): Promise<RunResult | null> => {
      await cluster.fetch(folder);
      return resultIn(folder);
    };
    const written =
      (await resultIn(folder)) ?? (await look()) ?? (await sleep(SETTLE_MILLISECONDS).then(look));
    const description = (await describe(id)) ?? '';
    const output = await readFile(`${folder}/slurm.out`, 'utf8').catch(() => '');
    const cause = causeOf(description, output);
    // If an engine is killed because it used too much memory, its script may survive and write an exit code.
    if (written && cause !== 'out-of-memory') return written;
    return { ...(written ?? LOST), cause };
  }

  return {
    name: cluster.name,
    probe: () => cluster.lacks(['sbatch', 'squeue', 'scontrol', 'scancel']),

    async start(request) {
      const { folder, limits, name } = request;
      const there = cluster.there(folder);
      await writeFile(`${folder}/job.sh`, batchScript({ ...request, folder: there }, prelude), {
        mode: 0o755,
      });
      await cluster.send(folder);
      const answer = await call('sbatch', [
        '--parsable',
        `--job-name=${name}`,
        `--chdir=${there}`,
        `--output=${there}/slurm.out`,
        `--cpus-per-task=${limits.cores}`,
        `--mem=${Math.ceil(limits.memoryMb)}M`,
        `--time=${Math.max(1, Math.ceil(limits.seconds / 60))}`,
        '--no-requeue',
        ...sbatchArguments,
        `${there}/job.sh`,
      ]).catch(async (error: unknown) => {
        // Slurm may have accepted the job and answered too late. A job without its folder ends at once.
        await call('rm', ['-rf', there]).catch(() => undefined);
        throw error;
      });
      const id = answer.trim().split(';')[0] ?? '';
      if (!/^\d+$/.test(id)) throw new Error(`sbatch answered ${JSON.stringify(answer.slice(0, 100))}`);
      return `slurm:${id}`;
    },

    canFollow: (handle) => handle.startsWith('slurm:'),

    async wait(handle, { folder }, signal) {
      const id = handle.replace(/^slurm:/, '');
      if (!/^\d+$/.test(id)) return LOST;
      waiting.add(id);
      try {
        for (;;) {
          signal.throwIfAborted();
          try {
            if (!(await isAlive(id))) return await conclusion(id, folder);
          } catch {
            // The controller is unreachable, but a finished job has written its file.
            const written = await resultElsewhere(folder).catch(() => null);
            if (written) return written;
            await sleep(pollMilliseconds);
          }
        }
      } finally {
        waiting.delete(id);
      }
    },

    async cancel(handle) {
      await call('scancel', [handle.replace(/^slurm:/, '')]).catch((error: unknown) => {
        // Any other error means that the controller did not answer, and the run would continue with nobody
        // waiting for it.
        if (!isUnknownJob(error) && !/already complet/i.test(stderrOf(error))) throw error;
      });
    },
  };
}
