import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Progress } from '../lib/bootstrap.mjs';
import { capture } from '../lib/run.mjs';

/** The first of these programs that is on the PATH (or exists, for an absolute name). */
export function findProgram(
  names: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  for (const name of names) {
    if (name.startsWith('/')) {
      if (existsSync(name)) return name;
      continue;
    }
    for (const directory of (env.PATH ?? '').split(delimiter)) {
      if (directory !== '' && existsSync(join(directory, name))) return join(directory, name);
    }
  }
  return undefined;
}

/** A program that some tests need. */
export interface Needed {
  /** Its names on the PATH, or absolute paths. */
  readonly names: readonly string[];
  /** A folder it is of no use without. */
  readonly folder?: string;
  /** Debian packages that bring it. */
  readonly packages: string;
  /** What to do where they do not exist. */
  readonly advice: string;
}

const chromium: Needed = {
  names: [
    ...(process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : []),
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  packages: 'chromium',
  advice: 'install Chromium or Chrome, or set CHROMIUM_PATH to its program',
};

export const NEEDED = {
  /** For the browser journeys. */
  chromium,
  /** For the tests of the queue's Redis backend. */
  redis: {
    names: ['redis-server', 'valkey-server'],
    packages: 'redis-server',
    advice: 'install redis-server, or set TEST_REDIS_URL',
  },
  /** The engine of Run4U with its data sets, for the journey that calculates something. */
  abinit: {
    names: ['abinit'],
    folder: '/usr/share/gpaw-setups',
    packages: 'abinit gpaw-data libopenblas0-pthread',
    advice: 'install abinit and gpaw-data, or leave Run4U untested',
  },
  /** For the test of the Slurm executor. */
  slurm: {
    names: ['slurmctld', '/usr/sbin/slurmctld'],
    packages: 'slurm-wlm',
    advice: 'install slurm-wlm, or leave the Slurm executor untested',
  },
  /** For the test of Slurm behind a login node. */
  sshd: {
    names: ['sshd', '/usr/sbin/sshd'],
    packages: 'openssh-server openssh-client',
    advice: 'install openssh-server, or leave Slurm over ssh untested',
  },
  /** Carries the files of the same. */
  rsync: {
    names: ['rsync'],
    packages: 'rsync',
    advice: 'install rsync, or leave Slurm over ssh untested',
  },
  /** For the test of the proxy that stands before the api in docker-compose.yml. */
  caddy: {
    names: ['caddy'],
    packages: 'caddy',
    advice: 'install caddy, or leave the proxy of the composition untested',
  },
  /** For the sign-in by an LDAP directory. */
  slapd: {
    names: ['slapd', '/usr/sbin/slapd'],
    packages: 'slapd',
    advice: 'install slapd, or leave the sign-in by LDAP untested',
  },
  /** For the test of the alert rules given to Prometheus. */
  promtool: {
    names: ['promtool'],
    packages: 'prometheus',
    advice: 'install prometheus, or leave its rules untested',
  },
} satisfies Record<string, Needed>;

/** Only as root on a Debian-like system nobody has to be asked for a password. */
const canInstall = () => process.getuid?.() === 0 && findProgram(['apt-get']) !== undefined;

/** Installs Debian packages. @returns why it failed, or undefined */
async function aptInstall(packages: string): Promise<string | undefined> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '--yes', '--no-install-recommends', ...packages.split(' ')];
  const apt = (args: readonly string[]) => capture('apt-get', args, { env });
  if ((await apt(install)).code === 0) return undefined;
  await apt(['update']);
  const { code, output } = await apt(install);
  return code === 0 ? undefined : output.trimEnd().split('\n').at(-1);
}

/**
 * Finds a program; where it is missing and the person has agreed, says so and installs its Debian packages.
 * @param mayInstall nothing is installed without
 */
export async function findOrInstall(
  { names, folder, packages, advice }: Needed,
  { progress, mayInstall }: { progress: Progress; mayInstall: boolean },
): Promise<{ path: string } | { missing: string }> {
  const find = () => (folder === undefined || existsSync(folder) ? findProgram(names) : undefined);
  const found = find();
  if (found) return { path: found };
  if (!canInstall()) return { missing: `${packages} is not on this machine; ${advice}` };
  if (!mayInstall)
    return { missing: `${packages} is not on this machine; npm test -- --install installs it with apt-get` };
  progress.say(`  …  Installing ${packages} on this machine with apt-get`);
  const failure = await progress.step(`Installing ${packages}`, () => aptInstall(packages));
  const path = find();
  return path ? { path } : { missing: `apt-get could not install ${packages} (${failure}); ${advice}` };
}
