/** The engines that a worker can have. */
import type { Calculator, DataSet, StepRequest } from '@unitcell/calculators';
import { BUILT_IN_ENGINE } from '@unitcell/contract/run4u';
import type { ProgramName } from '../run4u-settings.ts';
import { manifestInNode } from '@unitcell/potential/node';
import { openThreadPool, type ThreadHandle } from '../../../infra/thread-pool.ts';
import type * as potentialThread from './potential.thread.ts';

/** A program that calculates from first principles: its calculator, its data sets and its command. */
export interface Engine {
  readonly name: ProgramName;
  readonly version: string;
  readonly calculator: Calculator;
  /** The energy scale of a functional, such as `PBE` or `PBE+U`. Energies on one scale are comparable: one hull per scale. */
  energyScale(functional: string): string;
  /** Data sets of the supported elements, and the elements without a data set. */
  dataSets(elements: readonly string[]): Promise<{
    readonly found: Readonly<Record<string, DataSet>>;
    readonly missing: readonly string[];
  }>;
  /** Puts the data sets of a request into its run folder. */
  prepare(request: StepRequest, folder: string): Promise<void>;
  /** The command of a run with `seconds` of wall time. */
  command(request: StepRequest, seconds: number): readonly string[];
}

/** The built-in interatomic potential. It only predicts and calculates nothing from first principles. */
export interface BuiltInEngine {
  readonly name: typeof BUILT_IN_ENGINE;
  readonly version: string;
}

export const isBuiltIn = (engine: Engine | BuiltInEngine): engine is BuiltInEngine =>
  engine.name === BUILT_IN_ENGINE;

/** Either a program, or what the operator must install. */
export type ProgramDetection =
  | { readonly engine: Engine }
  | { readonly engine: null; readonly missing: string };
export type Detection = ProgramDetection | { readonly engine: BuiltInEngine };

// The built-in interatomic potential, run in worker threads of this process.

let found: BuiltInEngine | undefined;

export function builtInEngine(): BuiltInEngine {
  // The manifest says `SevenNet-0 (11July2024)`.
  const version = (): string => /\((.+)\)/.exec(manifestInNode().name)?.[1] ?? 'unknown';
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
