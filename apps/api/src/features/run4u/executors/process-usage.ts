/** What a process and its children take, from /proc; nothing is known where there is no /proc. */
import { readFile } from 'node:fs/promises';

export interface ProcessUsage {
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
  // The name in brackets may hold blanks: fields are counted behind it.
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

/** Usage of a process with its children; zeros when it is gone. */
export const processUsage = (pid: number): Promise<ProcessUsage> =>
  usageOf(pid).catch(() => ({ cpuSeconds: 0, residentMb: 0 }));
