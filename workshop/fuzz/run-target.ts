/** Feeds one target from a thread that is ended when an input takes more CPU time than allowed. */
import { Worker } from 'node:worker_threads';
import { type Finding, inputOf, Slot, type ThreadMessage, type ThreadTask } from './follow-inputs.ts';
import { SLOW_MS } from './slow-ms.ts';
import type { Target } from './target.ts';

export interface RunOptions {
  readonly target: string;
  readonly seed: number;
  readonly count: number;
  /** CPU milliseconds after which an input counts as a hang and its thread is ended. */
  readonly limitMs: number;
  /** URL of the module that exports TARGETS. */
  readonly module?: string;
}

export interface TargetReport {
  readonly target: string;
  readonly inputs: number;
  readonly accepted: number;
  readonly refused: number;
  readonly findings: readonly Finding[];
  readonly cpuSeconds: number;
  /** MiB of the process when a tenth of the inputs was followed, and in the end: what is loaded and compiled is there by then. */
  readonly memoryMib: { readonly early: number; readonly late: number };
}

const POLL_MS = 50;

/** CPU milliseconds that this process and its threads have used. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const memoryMib = (): number => Math.round(process.memoryUsage.rss() / 2 ** 20);

interface Stretch {
  readonly accepted: number;
  readonly refused: number;
  readonly findings: readonly Finding[];
  /** The first input that is still to be followed. */
  readonly next: number;
  /** Memory at the first look behind a tenth of the inputs; null where the stretch ended before. */
  readonly earlyMib: number | null;
  readonly lateMib: number;
}

/** The input of a number, made once more: a thread that hangs cannot tell it. */
async function inputAgain({ target, seed }: RunOptions, module: string, index: number): Promise<unknown> {
  const { TARGETS } = (await import(module)) as { TARGETS: Readonly<Record<string, Target>> };
  const made = TARGETS[target];
  return made && inputOf(made, seed, index);
}

/** Follows inputs from `from` on until all are done or one hangs. */
async function stretch(options: RunOptions, module: string, from: number): Promise<Stretch> {
  const { target, seed, count, limitMs } = options;
  const progress = new SharedArrayBuffer(12);
  const slots = new Int32Array(progress);
  slots[Slot.position] = -1;
  const task: ThreadTask = { module, target, seed, from, count, progress, slowMs: SLOW_MS };
  const worker = new Worker(new URL('./fuzz-thread.mjs', import.meta.url), { workerData: task });
  const findings: Finding[] = [];
  let [watched, since] = [-1, cpuMs()];
  let earlyMib: number | null = null;
  const ended = new Promise<{ next: number; hangs: boolean }>((resolve, reject) => {
    const watch = setInterval(() => {
      const now = Atomics.load(slots, Slot.position);
      if (now >= count / 10) earlyMib ??= memoryMib();
      if (now !== watched) [watched, since] = [now, cpuMs()];
      else if (now >= 0 && cpuMs() - since > limitMs) resolve({ next: now + 1, hangs: true });
    }, POLL_MS);
    worker.on('message', (message: ThreadMessage) => {
      if (message === 'done') resolve({ next: count, hangs: false });
      else findings.push(message.finding);
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearInterval(watch);
      reject(new Error(`the thread of ${target} ended at input ${Atomics.load(slots, Slot.position)}`));
    });
  });
  const { next, hangs } = await ended;
  const lateMib = memoryMib();
  await worker.terminate();
  if (hangs)
    findings.push({
      index: next - 1,
      kind: 'hang',
      what: `more than ${limitMs} ms CPU`,
      input: await inputAgain(options, module, next - 1),
    });
  return {
    accepted: Atomics.load(slots, Slot.accepted),
    refused: Atomics.load(slots, Slot.refused),
    findings,
    next,
    earlyMib,
    lateMib,
  };
}

/** Follows `count` inputs of a target. The same options give the same inputs. */
export async function runTarget(options: RunOptions): Promise<TargetReport> {
  const module = options.module ?? new URL('./targets.ts', import.meta.url).href;
  const begun = cpuMs();
  const findings: Finding[] = [];
  let [accepted, refused, next] = [0, 0, 0];
  let [early, late] = [null as number | null, 0];
  while (next < options.count) {
    const part = await stretch(options, module, next);
    accepted += part.accepted;
    refused += part.refused;
    findings.push(...part.findings);
    next = part.next;
    early ??= part.earlyMib;
    late = part.lateMib;
  }
  const { target, count } = options;
  const cpuSeconds = (cpuMs() - begun) / 1000;
  const memory = { early: early ?? late, late };
  return { target, inputs: count, accepted, refused, findings, cpuSeconds, memoryMib: memory };
}
