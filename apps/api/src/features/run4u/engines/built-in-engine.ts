/** The built-in interatomic potential, run in worker threads of this process. */
import { BUILT_IN_ENGINE } from '@unitcell/contract/run4u';
import { openModelInNode } from '@unitcell/potential/node';
import { openThreadPool, type ThreadHandle } from '../../../infra/thread-pool.ts';
import type { BuiltInEngine } from './engine.ts';
import type * as potentialThread from './potential.thread.ts';

let found: BuiltInEngine | undefined;

export function builtInEngine(): BuiltInEngine {
  // The manifest says `SevenNet-0 (11July2024)`.
  const version = (): string => /\((.+)\)/.exec(openModelInNode().manifest.name)?.[1] ?? 'unknown';
  found ??= { name: BUILT_IN_ENGINE, version: version() };
  return found;
}

/** Time limit of one step of a prediction. All tasks for 100 atoms without symmetry take three minutes on one core. */
export const PREDICTION_SECONDS = 600;

export type PotentialThread = Pick<ThreadHandle<typeof potentialThread>, 'run'>;

export interface Potential {
  /** @throws ScienceError of the package `potential`; TaskRefused after PREDICTION_SECONDS or when the signal of the caller fires */
  readonly thread: PotentialThread;
  close(): Promise<void>;
}

/** @param slots predictions at the same time */
export function openPotential(slots: number): Potential {
  const pool = openThreadPool({ size: Math.max(1, slots), taskSeconds: PREDICTION_SECONDS });
  return {
    thread: pool.open<typeof potentialThread>(new URL('./potential.thread.ts', import.meta.url)),
    close: () => pool.close(),
  };
}
