/** The machine on which Slurm's commands run, with copying of run folders to and from it. */
import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findProgram } from './find-program.ts';

const run = promisify(execFile);
const COMMAND_TIMEOUT_MILLISECONDS = 30_000;

export interface Cluster {
  readonly name: string;
  /** An English message for the operator that names missing programs; null when all are present. */
  lacks(programs: readonly string[]): Promise<string | null>;
  /** The output of a command. @throws an error with its `stderr` */
  call(program: string, parameters: readonly string[]): Promise<string>;
  /** The path by which jobs find a local folder. */
  there(folder: string): string;
  /** Copies a folder with its inputs to the cluster. */
  send(folder: string): Promise<void>;
  /** Whether a job has left `done.json` in its folder. */
  isDone(folder: string): Promise<boolean>;
  /** Copies the outputs back, `done.json` last, so that its presence means that all files were copied. */
  fetch(folder: string): Promise<void>;
}

/** A cluster that includes this machine: its commands are on the PATH, and its nodes use the same folders. */
export function ownCluster(searchPath: string, environment: Readonly<Record<string, string>> = {}): Cluster {
  return {
    name: 'slurm',
    async lacks(programs) {
      const missing = programs.find((program) => !findProgram(program, searchPath));
      return missing === undefined
        ? null
        : `${missing} is not on this machine: install Debian's slurm-client and the cluster's slurm.conf, or set RUN4U_EXECUTOR=local`;
    },
    async call(program, parameters) {
      const { stdout } = await run(program, [...parameters], {
        timeout: COMMAND_TIMEOUT_MILLISECONDS,
        env: { PATH: searchPath, LC_ALL: 'C', ...environment },
      });
      return stdout;
    },
    there: (folder) => folder,
    send: async () => undefined,
    isDone: (folder) =>
      access(`${folder}/done.json`).then(
        () => true,
        () => false,
      ),
    fetch: async () => undefined,
  };
}
