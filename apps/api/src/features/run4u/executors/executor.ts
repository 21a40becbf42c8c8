/** Runs a command in a folder, on this machine or on a cluster. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface RunLimits {
  readonly cores: number;
  readonly memoryMb: number;
  /** Limit of the wall time. */
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
 * unknown reason (the machine, its worker or the node failed, or it was removed from the queue) and is worth
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
  /** Returns null when commands can be run here, otherwise a message about what is missing. */
  probe(): Promise<string | null>;
  /** Starts the command. The returned handle is stored, and another worker may wait for the run with it. */
  start(request: RunRequest): Promise<string>;
  /** False for a run whose parent process has ended: it must be started again. */
  canFollow(handle: string): boolean;
  /**
   * Waits until the run is over. When `signal` fires the promise is rejected; a child of this process is
   * killed, but a run on a cluster continues.
   */
  wait(handle: string, request: RunRequest, signal: AbortSignal): Promise<RunResult>;
  /** Ends a run on any machine. It is no error if the run is over already. @throws when the cluster does not answer */
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

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a program: unchanged if it contains a slash, otherwise the first match on the search path. */
export function findProgram(name: string, searchPath: string): string | null {
  if (name.includes('/')) return isProgram(name) ? name : null;
  for (const folder of searchPath.split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && isProgram(path)) return path;
  }
  return null;
}
