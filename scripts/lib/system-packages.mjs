import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { capture } from './run.mjs';

/** The first of these programs that is on the PATH (or exists, for an absolute name). */
export function findProgram(names, env = process.env) {
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

/** May this process install a system package? Only as root on a Debian-like system, where nobody has to be asked. */
const mayInstall = () => process.getuid?.() === 0 && findProgram(['apt-get']) !== undefined;

/**
 * Finds a program, installing its Debian package where we may.
 * @returns {Promise<{ path: string } | { missing: string }>} the path, or the reason with what to do
 */
export async function findOrInstall(names, packageName, advice, progress) {
  const found = findProgram(names);
  if (found) return { path: found };
  if (!mayInstall()) return { missing: `${packageName} is not on this machine; ${advice}` };
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  let failure = '';
  const apt = async (...args) => {
    const { code, output } = await capture('apt-get', args, { env });
    if (code !== 0) failure = output.trimEnd().split('\n').at(-1);
    return code === 0;
  };
  await progress.step(`Installing ${packageName} with apt-get`, async () => {
    const install = ['install', '--yes', '--no-install-recommends', ...packageName.split(' ')];
    if (await apt(...install)) return undefined;
    return (await apt('update')) && (await apt(...install)) ? undefined : 'failed';
  });
  const installed = findProgram(names);
  return installed
    ? { path: installed }
    : { missing: `apt-get could not install ${packageName} (${failure}); ${advice}` };
}

/** A Chromium for the browser journeys. */
export function findChromium(progress, env = process.env) {
  const names = [
    ...(env.CHROMIUM_PATH ? [env.CHROMIUM_PATH] : []),
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  const advice = 'install Chromium or Chrome, or set CHROMIUM_PATH to its program';
  return findOrInstall(names, 'chromium', advice, progress);
}

/** A Redis server for the tests of the queue's Redis backend. */
export const findRedis = (progress) =>
  findOrInstall(
    ['redis-server', 'valkey-server'],
    'redis-server',
    'install redis-server, or set TEST_REDIS_URL',
    progress,
  );

/** The engine of Run4U with its data sets, for the journey that calculates something. */
export const findAbinit = (progress) =>
  findOrInstall(
    ['abinit'],
    'abinit gpaw-data libopenblas0-pthread',
    'install abinit and gpaw-data, or leave Run4U untested',
    progress,
  );

/** Slurm on this machine, for the test of the Slurm executor. */
export const findSlurm = (progress) =>
  findOrInstall(
    ['slurmctld', '/usr/sbin/slurmctld'],
    'slurm-wlm',
    'install slurm-wlm, or leave the Slurm executor untested',
    progress,
  );
