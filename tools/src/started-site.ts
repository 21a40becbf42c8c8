/** A site of `npm start` with its own home, whose processes can be killed one by one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRepository } from '../lib/paths.mjs';
import { hashOf } from '../lib/stamp.mjs';
import { capture } from '../lib/run.mjs';
import { freePort } from './postgres.ts';

export const VICTIMS = ['api', 'worker', 'postgres'] as const;
export type Victim = (typeof VICTIMS)[number];

const PROGRAMS = { api: 'main.js', worker: 'worker.js' } as const;

export interface StartedSite {
  readonly home: string;
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
  /** Resolves when the site answers; rejects with the launcher's output if the launcher ends first. */
  readonly ready: Promise<void>;
  isHealthy(): Promise<boolean>;
  /** Requests a login code, a call that writes to the database. @returns the status of the answer */
  askForCode(mobile: string): Promise<number>;
  printed(): string;
  postmaster(): { readonly pid: number; readonly port: number };
  databaseUrl(): string;
  /** Process id; NaN when the process is not running. */
  pidOf(victim: Victim): Promise<number>;
  /** The launcher's exit status; null while it runs. */
  exitCode(): number | null;
  stop(): Promise<void>;
}

/** `pid command` of each child of a process; reads /proc because a minimal Linux has no ps. */
function childrenInProc(parent: number | undefined): string[] {
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return ''; // it has ended meanwhile
    }
  };
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && Number(/\) \S (\d+)/.exec(read(pid, 'stat'))?.[1]) === parent)
    .map((pid) => `${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ')}`);
}

/**
 * Starts a site and returns at once; wait for `ready`. `isSeeded: false` leaves the catalogue empty, which
 * saves seconds.
 */
export async function launchSite({
  isSeeded = true,
  env: own = {},
}: {
  isSeeded?: boolean;
  env?: NodeJS.ProcessEnv;
} = {}): Promise<StartedSite> {
  const home = mkdtempSync(join(tmpdir(), 'unitcell-started-'));
  if (!isSeeded) {
    mkdirSync(join(home, 'postgres'));
    // The file by which the launcher knows that these seed data are loaded.
    writeFileSync(join(home, 'postgres/seeded'), hashOf([inRepository('seed-data')]), { mode: 0o600 });
  }
  const port = await freePort();
  const env = {
    ...process.env,
    UNITCELL_HOME: home,
    PORT: String(port),
    DATABASE_URL: '',
    NODE_ENV: 'production',
    ...own,
  };
  const launcher = spawn(process.execPath, [inRepository('tools/up.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [launcher.stdout, launcher.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        printed += chunk;
        if (printed.includes('Unitcell is ready at')) resolve();
      });
    launcher.once('close', (code) => reject(new Error(`The site ended (exit code ${code}):\n${printed}`)));
  });
  // Prevents an unhandled rejection if the site is stopped before it serves.
  ready.catch(() => undefined);
  const postmaster = () => {
    const lines = readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  };
  const url = `http://127.0.0.1:${port}`;
  return {
    home,
    url,
    env,
    ready,
    isHealthy: () =>
      fetch(`${url}/api/ready`).then(
        (answer) => answer.ok,
        () => false,
      ),
    async askForCode(mobile) {
      const answer = await fetch(`${url}/api/arkid/register_request_sm/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ mobile }),
      });
      return answer.status;
    },
    printed: () => printed,
    postmaster,
    databaseUrl() {
      const password = readFileSync(join(home, 'postgres/password'), 'utf8').trim();
      return `postgresql://unitcell:${password}@127.0.0.1:${postmaster().port}/unitcell`;
    },
    async pidOf(victim) {
      if (victim === 'postgres') return postmaster().pid;
      const lines = existsSync('/proc/self/stat')
        ? childrenInProc(launcher.pid)
        : (await capture('ps', ['-o', 'pid=,args=', '--ppid', String(launcher.pid)])).output.split('\n');
      return Number.parseInt(lines.find((line) => line.includes(PROGRAMS[victim])) ?? '', 10);
    },
    exitCode: () => launcher.exitCode,
    async stop() {
      if (launcher.exitCode === null) {
        launcher.kill('SIGTERM');
        await once(launcher, 'exit');
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}
