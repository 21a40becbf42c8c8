/**
 * Stand-ins of the base images, where no image registry is reached: Debian by debootstrap (root), Node from npm, PostgreSQL as the
 * project embeds it, Redis and Caddy of Debian. What they are is said in the report of the run.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRepository } from '../../tools/lib/paths.mjs';
import { mustRun } from '../../tools/lib/run.mjs';
import { binaries } from '../../tools/src/postgres.ts';
import { findProgram } from '../../tools/src/system-packages.ts';
import { docker, hasImage, isHere, pipe } from './engine.ts';

const DEBIAN = 'unitcell-stand-in-debian';
const SUITE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const NODE_MAJOR = 24;
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Each base image of the composition, and what stands in for it. */
const BASES = {
  node: { image: 'node:24-bookworm-slim', stands: `Debian ${SUITE} and Node ${NODE_MAJOR} from npm` },
  postgres: { image: 'postgres:18', stands: `Debian ${SUITE} and the PostgreSQL 18 the project embeds` },
  redis: { image: 'redis:7', stands: `redis-server of Debian ${SUITE}` },
  caddy: { image: 'caddy:2', stands: `caddy of Debian ${SUITE}` },
  prometheus: { image: 'prom/prometheus:v3.5.0', stands: `prometheus of Debian ${SUITE}` },
} as const;

async function importDebian(scratch: string): Promise<void> {
  if (await isHere(DEBIAN)) return;
  const debootstrap = findProgram(['debootstrap', '/usr/sbin/debootstrap']);
  if (!debootstrap) throw new Error('stand-ins of base images are made with debootstrap: install it');
  const folder = join(scratch, 'debian');
  await mustRun('debootstrap', debootstrap, [
    '--variant=minbase',
    '--include=ca-certificates',
    SUITE,
    folder,
    MIRROR,
  ]);
  // Packages are fetched as this machine fetches them.
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(folder, CERTIFICATES));
  rmSync(join(folder, 'etc/apt/sources.list'), { force: true });
  writeFileSync(
    join(folder, 'etc/apt/sources.list.d/debian.sources'),
    `Types: deb\nURIs: ${MIRROR}\nSuites: ${SUITE} ${SUITE}-updates\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n`,
  );
  await pipe(
    [
      'tar',
      '--directory',
      folder,
      '--exclude=./dev/*',
      '--exclude=./proc/*',
      '--exclude=./var/cache/apt/*',
      '-c',
      '.',
    ],
    ['docker', 'import', '-', DEBIAN],
  );
}

/** What the Dockerfile of the stand-ins copies. */
async function context(scratch: string): Promise<string> {
  const folder = join(scratch, 'context');
  cpSync(inRepository('workshop/composition/stand-ins'), folder, { recursive: true });
  const npm = join(scratch, 'npm');
  mkdirSync(npm);
  const platform = `node-${process.platform}-${process.arch}`;
  await mustRun('npm install', 'npm', [
    'install',
    '--prefix',
    npm,
    '--ignore-scripts',
    '--force',
    '--no-save',
    `${platform}@${NODE_MAJOR}`,
    'npm@11',
  ]);
  cpSync(join(npm, 'node_modules', platform, 'bin/node'), join(folder, 'node'));
  cpSync(join(npm, 'node_modules/npm'), join(folder, 'npm'), { recursive: true });
  cpSync(binaries(), join(folder, 'postgres'), { recursive: true, verbatimSymlinks: true });
  return folder;
}

/**
 * Makes a stand-in of every base image the engine neither has nor can fetch.
 * @returns a line for each that was made
 */
export async function makeStandIns(): Promise<string[]> {
  const lacking: (keyof typeof BASES)[] = [];
  for (const [name, { image }] of Object.entries(BASES))
    if (!(await hasImage(image))) lacking.push(name as keyof typeof BASES);
  if (lacking.length === 0) return [];
  const scratch = mkdtempSync(join(tmpdir(), 'unitcell-stand-ins-'));
  try {
    await importDebian(scratch);
    const folder = await context(scratch);
    for (const name of lacking)
      await docker('build', '--network=host', '--target', name, '--tag', BASES[name].image, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return lacking.map((name) => `${BASES[name].image}: ${BASES[name].stands}`);
}
