/** Something that runs a command in a folder: on this machine, or on a cluster. */

export interface RunLimits {
  readonly cores: number;
  readonly memoryMb: number;
  /** Wall time. */
  readonly seconds: number;
}

export interface RunRequest {
  /** Absolute; holds the inputs, takes the outputs, and `log` for what the command prints. */
  readonly folder: string;
  readonly command: readonly string[];
  readonly limits: RunLimits;
  /** For people who look at the process list or the queue of the cluster. */
  readonly name: string;
}

/**
 * Why a run is over. `ended`: the command came to an end by itself (also with an error). `lost`: it is gone and nobody
 * knows how - the machine or its worker died, the node failed, it was taken off the queue - so it is worth another try.
 */
export type RunCause = 'ended' | 'time-limit' | 'out-of-memory' | 'lost';

export interface RunResult {
  readonly cause: RunCause;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

export interface Executor {
  readonly name: string;
  /** null when it can run things here, else what is missing. */
  probe(): Promise<string | null>;
  /** Starts the command; the handle is stored, and may be followed by another worker. */
  start(request: RunRequest): Promise<string>;
  /** False for a run that lived through a process that is gone: it must be begun again. */
  canFollow(handle: string): boolean;
  /**
   * Waits until the run is over. When `signal` fires, a run that only lives through this process is killed, a run that
   * lives elsewhere goes on, and the promise is rejected.
   */
  wait(handle: string, request: RunRequest, signal: AbortSignal): Promise<RunResult>;
  /** Ends a run, wherever it is; no error when it is over already. */
  cancel(handle: string): Promise<void>;
}

export const LOST: RunResult = {
  cause: 'lost',
  exitCode: null,
  signal: null,
  wallSeconds: 0,
  cpuSeconds: 0,
  peakMb: 0,
};
