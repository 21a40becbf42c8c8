/**
 * Runs commands as child processes, each in its own process group, which is killed as a whole. A child dies
 * with its worker (setpriv --pdeathsig, where available), so that a worker killed with SIGKILL leaves no
 * processes.
 */
import { open, readFile } from 'node:fs/promises';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type Executor, findProgram, LOST, type RunRequest, type RunResult } from './executor.ts';

/** Resources of a process and its children, from /proc; unknown where there is no /proc. */
interface ProcessUsage {
  readonly cpuSeconds: number;
  /** MiB resident now. */
  readonly residentMb: number;
}

/** Linux counts processor time in ticks of 10 ms on every platform Node runs on. */
const TICKS_PER_SECOND = 100;
const FIELD = { userTicks: 11, systemTicks: 12 } as const;

async function usageOf(pid: number): Promise<ProcessUsage> {
  const [stat, status, children] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''),
  ]);
  // The name in brackets may contain blanks, so fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[FIELD.userTicks]) + Number(fields[FIELD.systemTicks]);
  const below = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => processUsage(Number(child))),
  );
  const sum = (pick: (usage: ProcessUsage) => number): number =>
    below.reduce((total, usage) => total + (usage ? pick(usage) : 0), 0);
  return {
    cpuSeconds: ticks / TICKS_PER_SECOND + sum((usage) => usage.cpuSeconds),
    residentMb: Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024 + sum((usage) => usage.residentMb),
  };
}

/** Usage of a process with its children; zeros after its end. */
const processUsage = (pid: number): Promise<ProcessUsage> =>
  usageOf(pid).catch(() => ({ cpuSeconds: 0, residentMb: 0 }));

/** Time between SIGTERM and SIGKILL. */
const GRACE_MILLISECONDS = 5_000;
/**
 * Interval of memory checks: an engine allocates within seconds, and a check costs well below a millisecond.
 */
const LOOK_MILLISECONDS = 500;
/** Interactive work and the site itself have priority. */
const NICENESS = '10';

interface Run {
  readonly child: ChildProcess;
  readonly over: Promise<RunResult>;
  stop(): Promise<void>;
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The process has already ended.
  }
}

/** The command wrapped in nice and setpriv, if this system has these programs. */
function wrapped(command: readonly string[], searchPath: string): string[] {
  const setpriv = findProgram('setpriv', searchPath);
  const nice = findProgram('nice', searchPath);
  return [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL'] : []),
    ...(nice ? [nice, '-n', NICENESS] : []),
    ...command,
  ];
}

async function launch({ folder, command, limits }: RunRequest, searchPath: string): Promise<Run> {
  const log = await open(`${folder}/log`, 'w');
  const [program = '', ...parameters] = wrapped(command, searchPath);
  const started = performance.now();
  const threads = String(limits.cores);
  const child = spawn(program, parameters, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: {
      PATH: searchPath,
      HOME: folder,
      LC_ALL: 'C',
      OMP_NUM_THREADS: threads,
      OPENBLAS_NUM_THREADS: threads,
      GFORTRAN_UNBUFFERED_PRECONNECTED: '1',
    },
  });
  let cause: RunResult['cause'] = 'ended';
  let usage = { cpuSeconds: 0, peakMb: 0 };
  let grace: NodeJS.Timeout | undefined;
  const end = (why: RunResult['cause'], signal: NodeJS.Signals): void => {
    if (cause === 'ended') cause = why;
    killGroup(child, signal);
    grace ??= setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MILLISECONDS);
  };
  const lookAtMemory = async (): Promise<void> => {
    if (child.pid === undefined) return;
    const { cpuSeconds, residentMb } = await processUsage(child.pid);
    usage = {
      cpuSeconds: Math.max(usage.cpuSeconds, cpuSeconds),
      peakMb: Math.max(usage.peakMb, residentMb),
    };
    if (residentMb > limits.memoryMb) end('out-of-memory', 'SIGKILL');
  };
  const look = setInterval(() => void lookAtMemory(), LOOK_MILLISECONDS);
  const timer = setTimeout(() => end('time-limit', 'SIGTERM'), limits.seconds * 1000);
  const over = new Promise<RunResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => {
      const wallSeconds = (performance.now() - started) / 1000;
      // This also kills processes that the command left in its group.
      killGroup(child, 'SIGKILL');
      resolve({ cause, exitCode, signal, wallSeconds, ...usage });
    });
  }).finally(() => {
    clearInterval(look);
    clearTimeout(timer);
    clearTimeout(grace);
    void log.close();
  });
  // Avoids an unhandled rejection before `wait` is called. `wait` reports the error later.
  over.catch(() => undefined);
  return {
    child,
    over,
    async stop() {
      end('lost', 'SIGTERM');
      await over.catch(() => undefined);
    },
  };
}

export function localExecutor(searchPath: string): Executor {
  const runs = new Map<string, Run>();
  return {
    name: 'local',
    probe: async () => null,

    async start(request) {
      const run = await launch(request, searchPath);
      const handle = `local:${randomUUID()}`;
      runs.set(handle, run);
      return handle;
    },

    canFollow: (handle) => runs.has(handle),

    async wait(handle, _request, signal) {
      const run = runs.get(handle);
      // The run was started by another process and ended together with that process.
      if (!run) return LOST;
      const stop = (): void => void run.stop();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      try {
        const result = await run.over;
        signal.throwIfAborted();
        return result;
      } finally {
        signal.removeEventListener('abort', stop);
        runs.delete(handle);
      }
    },

    async cancel(handle) {
      await runs.get(handle)?.stop();
      runs.delete(handle);
    },
  };
}
