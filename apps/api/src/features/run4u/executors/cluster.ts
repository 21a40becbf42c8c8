/** The machine on which Slurm's commands run: this one, or a login node that run folders are copied to and from. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { relative } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './executor.ts';

const run = promisify(execFile);
const COMMAND_TIMEOUT_MILLISECONDS = 30_000;

export interface Cluster {
  readonly name: string;
  /** An English message for the operator that names missing programs; null when all are present. */
  lacks(programs: readonly string[]): Promise<string | null>;
  /** The output of a command. @throws an error with its `stderr` */
  call(program: string, parameters: readonly string[]): Promise<string>;
  /** The path of a local folder as jobs on the cluster see it. */
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

// ── A cluster behind a login node: Slurm's commands run by the system's `ssh`, folders are copied by `rsync` ──
// Only key authentication with a pinned host key is used. ssh never prompts, so it cannot hang on a prompt.

const SSH_TIMEOUT_MILLISECONDS = 60_000;
/** Time limit of a copy; enough for the densities and wave functions of a run over a slow line. */
const TRANSFER_TIMEOUT_MILLISECONDS = 3_600_000;
const CONNECT_SECONDS = 15;
/** Folders that were never fetched (cancelled runs) are deleted after this many days when another run is sent. */
const KEEP_DAYS = 14;
/**
 * Makes the folder $1 and deletes old run folders below $0. Only a folder with the script of a run is one: the institute
 * may keep other files there. Jobs that wait in Slurm keep theirs.
 */
export const MAKE_FOLDER = String.raw`
mkdir -p "$1" && cd "$0" || exit
live=$(squeue --noheader --user="$(id -un)" --format=%Z) || exit 0
find . -mindepth 3 -maxdepth 4 -name job.sh -mtime +${KEEP_DAYS} | while read -r script; do
  folder="$0/$(dirname "$script" | cut -c 3-)"
  grep -qF "cd '$folder' || exit 97" "$script" || continue
  printf '%s\n' "$live" | grep -qxF "$folder" || rm -rf "$folder"
done`;

export interface SshLogin {
  /** `user@login.example.org` */
  readonly host: string;
  readonly port: number;
  /** The private key, without a passphrase. */
  readonly key: string;
  /** A file with the host's key, as `ssh-keyscan` prints it; no other key is accepted. */
  readonly knownHosts: string;
  /** Absolute path of the run folders on the cluster, visible on its nodes. */
  readonly folder: string;
}

export const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The arguments of `ssh` before the host. */
export const sshArguments = ({ port, key, knownHosts }: SshLogin): readonly string[] => [
  '-p',
  String(port),
  '-i',
  key,
  ...[
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'PreferredAuthentications=publickey',
    'StrictHostKeyChecking=yes',
    `UserKnownHostsFile=${knownHosts}`,
    'GlobalKnownHostsFile=/dev/null',
    'ForwardAgent=no',
    'ClearAllForwardings=yes',
    `ConnectTimeout=${CONNECT_SECONDS}`,
    `ServerAliveInterval=${CONNECT_SECONDS}`,
  ].flatMap((option) => ['-o', option]),
];

/** Returns an ssh error as one line for the operator. */
export function sshTrouble(stderr: string, { host, key, knownHosts }: SshLogin): string {
  if (/host key verification failed|no .* host key is known/i.test(stderr))
    return `${host} has another host key than ${knownHosts} says: ask who runs it, then pin its key (ssh-keyscan)`;
  if (/permission denied/i.test(stderr))
    return `${host} does not take the key ${key}: add its public half to authorized_keys there`;
  return `${host} cannot be reached: ${stderr.trim().split('\n').at(-1) ?? ''}`;
}

/**
 * @param scratch  local folder of the runs; a run has the same relative path on the cluster
 * @param searchPath  folders in which ssh and rsync are searched
 */
export function sshCluster(login: SshLogin, scratch: string, searchPath: string): Cluster {
  const options = sshArguments(login);
  const env = { PATH: searchPath, LC_ALL: 'C', HOME: process.env.HOME ?? '/' };
  const there = (folder: string): string => `${login.folder}/${relative(scratch, folder)}`;
  const call = async (program: string, parameters: readonly string[]): Promise<string> => {
    const command = [program, ...parameters].map(quote).join(' ');
    const { stdout } = await run('ssh', [...options, login.host, command], {
      timeout: SSH_TIMEOUT_MILLISECONDS,
      env,
    });
    return stdout;
  };
  const rsync = async (parameters: readonly string[]): Promise<void> => {
    await run(
      'rsync',
      // Folder names are not interpreted by the remote shell.
      ['--archive', '--protect-args', '--rsh', ['ssh', ...options].map(quote).join(' '), ...parameters],
      { timeout: TRANSFER_TIMEOUT_MILLISECONDS, env },
    );
  };
  const isDone = (folder: string): Promise<boolean> =>
    call('test', ['-e', `${there(folder)}/done.json`]).then(
      () => true,
      (error: { code?: number }) => {
        // ssh's own errors have exit code 255.
        if (error.code === 1) return false;
        throw error;
      },
    );

  return {
    name: 'slurm over ssh',
    call,
    there,
    isDone,

    async lacks(programs) {
      for (const program of ['ssh', 'rsync'])
        if (!findProgram(program, searchPath))
          return `${program} is not on this machine: install Debian's openssh-client and rsync`;
      for (const file of [login.key, login.knownHosts])
        if (!existsSync(file)) return `there is no file ${file}: see RUN4U_SSH_KEY and RUN4U_SSH_KNOWN_HOSTS`;
      try {
        const script = `for p in ${['rsync', ...programs].join(' ')}; do command -v $p >/dev/null || echo $p; done`;
        const missing = (await call('sh', ['-c', script])).trim().split('\n').filter(Boolean);
        return missing.length === 0 ? null : `${missing.join(', ')} cannot be found on ${login.host}`;
      } catch (error) {
        return sshTrouble((error as { stderr?: string }).stderr ?? String(error), login);
      }
    },

    async send(folder) {
      await call('sh', ['-c', MAKE_FOLDER, login.folder, there(folder)]);
      await rsync(['--delete', `${folder}/`, `${login.host}:${there(folder)}/`]);
    },

    async fetch(folder) {
      const [from, to] = [`${login.host}:${there(folder)}/`, `${folder}/`];
      await rsync(['--exclude=/done.json', from, to]);
      if (!(await isDone(folder))) return;
      await rsync(['--include=/done.json', '--exclude=*', from, to]);
      // All files have been fetched.
      await call('rm', ['-rf', there(folder)]);
    },
  };
}
