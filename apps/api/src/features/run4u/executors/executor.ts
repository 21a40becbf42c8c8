/** Runs a command in a folder, on this machine or on a cluster. */

export interface RunLimits {
  readonly cores: number;
  readonly memoryMb: number;
  /** Wall time. */
  readonly seconds: number;
}

export interface RunRequest {
  /** Absolute path with the inputs and outputs; `log` receives what the command prints. */
  readonly folder: string;
  readonly command: readonly string[];
  readonly limits: RunLimits;
  /** Shown in process lists and in the queue of the cluster. */
  readonly name: string;
}

/**
 * Why a run is over. `ended`: the command exited by itself (also with an error). `lost`: it vanished for an
 * unknown
 * reason - the machine, its worker or the node failed, or it was removed from the queue - and is worth
 * another attempt.
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
  /** null when commands can be run here, otherwise what is missing. */
  probe(): Promise<string | null>;
  /** Starts the command. The handle is stored, and another worker may wait for it. */
  start(request: RunRequest): Promise<string>;
  /** False for a run that was a child of a process that is gone: it must be started again. */
  canFollow(handle: string): boolean;
  /**
   * Waits until the run is over. When `signal` fires the promise is rejected; a child of this process is
   * killed, a run on
   * a cluster continues.
   */
  wait(handle: string, request: RunRequest, signal: AbortSignal): Promise<RunResult>;
  /** Ends a run wherever it is; no error when it is over already. */
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
