/** The thread that follows inputs one after the other and says where it is, so that it can be ended when it hangs. */
import { parentPort, workerData } from 'node:worker_threads';
import { seededRandom } from '@unitcell/numerics';
import type { Target } from './target.ts';

export interface ThreadTask {
  /** URL of a module that exports TARGETS. */
  readonly module: string;
  readonly target: string;
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  /** 32-bit numbers, see `Slot`: readable from outside whatever the thread is doing. */
  readonly progress: SharedArrayBuffer;
  /** CPU milliseconds from which an input is reported as slow, where it is so twice. */
  readonly slowMs: number;
}

export type Finding = {
  readonly index: number;
  readonly kind: 'crash' | 'slow' | 'hang';
  readonly what: string;
  readonly input: unknown;
};

export type ThreadMessage = { readonly finding: Finding } | 'done';

/** Places in the shared progress: the input being followed (−1 before the first), and how many went which way. */
export const Slot = { position: 0, accepted: 1, refused: 2 } as const;

/** Parts the streams of neighbouring inputs. */
const STREAM = 1_000_003;

/** The input of a target with this number: the same for the same seed, wherever the count began. */
export const inputOf = (target: Target, seed: number, index: number): unknown =>
  target.make(seededRandom(seed * STREAM + index));

/** CPU milliseconds of this process during a call. */
async function cpuMsOf(call: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function followAll(task: ThreadTask, post: (message: ThreadMessage) => void): Promise<void> {
  const { TARGETS } = (await import(task.module)) as { TARGETS: Readonly<Record<string, Target>> };
  const target = TARGETS[task.target];
  if (!target) throw new Error(`no target ${task.target}: one of ${Object.keys(TARGETS).join(', ')}`);
  const progress = new Int32Array(task.progress);
  for (let index = task.from; index < task.count; index++) {
    const input = inputOf(target, task.seed, index);
    Atomics.store(progress, Slot.position, index);
    try {
      const ms = await cpuMsOf(async () => Atomics.add(progress, Slot[await target.follow(input)], 1));
      if (ms <= task.slowMs) continue;
      // Once more: the first input of a reader loads and compiles what reads it, which is not the input's doing.
      const again = await cpuMsOf(() => target.follow(input));
      if (again > task.slowMs)
        post({ finding: { index, kind: 'slow', what: `${Math.round(again)} ms CPU`, input } });
    } catch (error) {
      post({ finding: { index, kind: 'crash', what: String(error).slice(0, 300), input } });
    }
  }
  post('done');
}

const parent = parentPort;
if (parent)
  await followAll(workerData as ThreadTask, (message) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
    parent.postMessage(message);
  });
