/** The walk through the composition, step by step; each says in a line what it saw, or fails. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { calculateOnCluster } from './cluster.ts';
import type { Composition } from './composition.ts';
import { docker, isHere, pipe } from './engine.ts';
import { walkInstitute } from './institute.ts';
import { makeStandIns } from './stand-ins.ts';
import { calculate, match, register, search, wearPicture } from './visitor.ts';

/** What a step leaves for those after it; kept in a file, so that steps can be run one by one. */
export interface Kept {
  mobile?: string;
  token?: string;
  picture?: string;
  materials?: number;
}

export interface Step {
  readonly name: string;
  readonly what: string;
  run(site: Composition, kept: Kept, options: { starts: number }): Promise<string>;
}

/** Another one each time: a number registers once. */
const freshMobile = (): string => `138${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
const CALCULATION_SECONDS = 480;
const BACK_SECONDS = 120;
const NEXT = 'next';
const ADDED = '29991231000000_walk';
const RESTORED_PORT = 20;
const SERVICES = ['postgres', 'redis', 'api', 'worker', 'web'] as const;

const need = <T>(value: T | undefined, step: string): T => {
  if (value === undefined) throw new Error(`run the step "${step}" first`);
  return value;
};

async function until(what: string, seconds: number, isTrue: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() - begun > seconds * 1000) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(200);
  }
  return (performance.now() - begun) / 1000;
}

const isReady = async (site: Composition): Promise<boolean> =>
  (await fetch(`${site.url}/api/ready`, { signal: AbortSignal.timeout(5000) })).ok;

/** A database on an empty volume, and the migrations on it. */
async function freshDatabase(site: Composition): Promise<void> {
  await site.run('down', '--volumes', '--timeout', '5');
  await site.run('run', '--rm', 'migrate');
}

async function containersOf(site: Composition, service: string): Promise<string[]> {
  return (await site.run('ps', '--quiet', service)).split('\n').filter(Boolean);
}

/** The version of the schema, as `migrate` left it. */
const countRows = async (site: Composition, sql: string): Promise<string> =>
  (
    await site.run('exec', '-T', 'postgres', 'psql', '--username=unitcell', '--dbname=unitcell', '-tAc', sql)
  ).trim();

/** Requests one after another until it is stopped. */
function load(site: Composition, token: string) {
  const seen = { answered: 0, failed: [] as string[], longest: 0 };
  const over = new AbortController();
  const work = async () => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      await search(site, token).then(
        () => seen.answered++,
        (error: unknown) => seen.failed.push(String(error)),
      );
      seen.longest = Math.max(seen.longest, (performance.now() - begun) / 1000);
      await sleep(50);
    }
  };
  const workers = [work(), work()];
  return async () => {
    over.abort();
    await Promise.all(workers);
    return seen;
  };
}

export const STEPS: readonly Step[] = [
  {
    name: 'images',
    what: 'base images, and both images of this checkout',
    async run(site) {
      const standIns = await makeStandIns();
      await site.run('build', '--quiet');
      const sizes = await docker(
        'image',
        'ls',
        '--format',
        '{{.Repository}} {{.Size}}',
        '--filter',
        'reference=unitcell*',
      );
      return `${sizes.trim().split('\n').join(', ')}; ${standIns.length > 0 ? `stand-ins made now: ${standIns.join('; ')}` : 'base images were there'}`;
    },
  },
  {
    name: 'starts',
    what: 'PostgreSQL on an empty volume, then the migrations, again and again; once with a server that takes 15 s to set up',
    async run(site, _kept, { starts }) {
      for (let start = 0; start < starts; start++) await freshDatabase(site);
      mkdirSync(join(site.folder, 'slow'), { recursive: true });
      writeFileSync(join(site.folder, 'slow/wait.sh'), 'sleep 15\n');
      writeFileSync(
        join(site.folder, 'slow.yml'),
        'services:\n  postgres:\n    volumes:\n      - ./slow:/docker-entrypoint-initdb.d:ro\n',
      );
      await freshDatabase(site.having({}, 'slow.yml'));
      return `${starts} of ${starts}, and the slow one`;
    },
  },
  {
    name: 'up',
    what: 'the whole composition on empty volumes, again and again',
    async run(site, _kept, { starts }) {
      const seconds: number[] = [];
      for (let start = 0; start < starts; start++) {
        await site.run('down', '--volumes', '--timeout', '5');
        const begun = performance.now();
        await site.run('up', '--detach', '--wait');
        seconds.push(Math.round((performance.now() - begun) / 1000));
        if (!(await site.page('/')).includes('<title>')) throw new Error('the first page is no page');
      }
      return `${starts} of ${starts}, ready after ${Math.min(...seconds)} to ${Math.max(...seconds)} s, seed included`;
    },
  },
  {
    name: 'sign-in',
    what: 'registration by the code in the log, a picture, a search, an XRD match',
    async run(site, kept) {
      kept.mobile = freshMobile();
      kept.token = await register(site, kept.mobile);
      kept.picture = await wearPicture(site, kept.token);
      kept.materials = await search(site, kept.token);
      if (kept.materials === 0) throw new Error('nothing in Na-Cl');
      const verdict = await match(site, kept.token);
      if (!verdict.includes('NaCl')) throw new Error(`halite was not recognised: ${verdict}`);
      return `${kept.materials} materials of Na-Cl; ${verdict}`;
    },
  },
  {
    name: 'command',
    what: 'the operator’s command in the container: a token, the accounts, health, what is missing',
    async run(site, kept) {
      const mobile = need(kept.mobile, 'sign-in');
      const unitcell = (...args: string[]) => site.run('exec', '-T', 'api', 'unitcell', ...args);
      const token = (await unitcell('token', '--mobile', mobile)).trim().split('\n').at(-1) ?? '';
      const found = await search(site, token);
      const people = await unitcell('user', 'list');
      if (!people.includes('138')) throw new Error(`the account is not listed: ${people}`);
      const { code, output } = await site.attempt('exec', '-T', 'api', 'unitcell', 'health');
      const diagnosis = await site.attempt('exec', '-T', 'api', 'unitcell', 'diagnose');
      if (diagnosis.code > 1) throw new Error(diagnosis.output);
      return `the printed token finds ${found}; health ended ${code}: ${output.trim().split('\n').length} parts; diagnose ended ${diagnosis.code}`;
    },
  },
  {
    name: 'run4u',
    what: 'a calculation by the engine in the image of the worker',
    async run(site, kept) {
      const row = await calculate(site, need(kept.token, 'sign-in'), 'He', CALCULATION_SECONDS);
      if (row.status !== 'finished')
        throw new Error(`it is ${row.status}: ${JSON.stringify(row).slice(0, 500)}`);
      return `finished as material ${row.struct_id}`;
    },
  },
  {
    name: 'backup',
    what: 'a backup to standard output, restored into a fresh stack, pictures included',
    async run(site, kept) {
      const token = need(kept.token, 'sign-in');
      const file = join(site.folder, 'walk.backup.gz');
      await pipe(site.command('exec', '-T', 'api', 'unitcell', 'backup', '-'), ['dd', `of=${file}`]);
      const other = site.beside('restored', Number(new URL(site.url).port) + RESTORED_PORT);
      await other.run('down', '--volumes', '--timeout', '5');
      try {
        await other.run('run', '--rm', 'migrate');
        await pipe(['cat', file], other.command('run', '--rm', '-T', 'api', 'cli', 'restore', '-', '--yes'));
        await other.run('up', '--detach', '--wait');
        const sql =
          'SELECT (SELECT count(*) FROM material), (SELECT count(*) FROM account), (SELECT count(*) FROM submission)';
        const [before, after] = await Promise.all([countRows(site, sql), countRows(other, sql)]);
        if (before !== after) throw new Error(`materials|accounts|submissions: ${before} became ${after}`);
        const picture = need(kept.picture, 'sign-in');
        if (!(await site.page(picture)).equals(await other.page(picture)))
          throw new Error('the picture is another one');
        await search(other, token);
        return `${(readFileSync(file).length / 1e6).toFixed(1)} MB; materials|accounts|submissions ${after}, the picture byte for byte, the token still opens`;
      } finally {
        await other.run('down', '--volumes', '--timeout', '5');
      }
    },
  },
  {
    name: 'kill',
    what: 'the main process of every container killed with -9',
    async run(site, kept) {
      const seen: string[] = [];
      for (const service of SERVICES) {
        const [id = ''] = await containersOf(site, service);
        const pid = Number((await docker('inspect', '--format', '{{.State.Pid}}', id)).trim());
        process.kill(pid, 'SIGKILL');
        const seconds = await until(`${service} came back`, BACK_SECONDS, async () => {
          const [state = ''] = (
            await docker(
              'inspect',
              '--format',
              '{{.State.Pid}} {{.State.Running}} {{if .State.Health}}{{.State.Health.Status}}{{end}}',
              id,
            )
          ).split('\n');
          const [now, isRunning, health = ''] = state.trim().split(' ');
          return (
            Number(now) !== pid && isRunning === 'true' && ['', 'healthy'].includes(health) && isReady(site)
          );
        });
        seen.push(`${service} ${seconds.toFixed(0)} s`);
        await search(site, need(kept.token, 'sign-in'));
      }
      return `back and healthy: ${seen.join(', ')}`;
    },
  },
  {
    name: 'upgrade',
    what: 'a newer version with one more migration, two copies of the api, under load',
    async run(site, kept) {
      const token = need(kept.token, 'sign-in');
      const folder = join(site.folder, 'next');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'migration.sql'), 'CREATE TABLE IF NOT EXISTS walk_probe (id int);\n');
      const version = JSON.parse(readFileSync(join(site.folder, 'package.json'), 'utf8')).version;
      for (const image of ['unitcell', 'unitcell-worker']) {
        if (!(await isHere(`${image}:${version}`))) throw new Error('run the step "images" first');
        writeFileSync(
          join(folder, 'Dockerfile'),
          `FROM ${image}:${version}\nCOPY migration.sql /app/prisma/migrations/${ADDED}/migration.sql\n`,
        );
        await docker('build', '--quiet', '--tag', `${image}:${NEXT}`, folder);
      }
      await site.run('up', '--detach', '--wait', '--no-build', '--scale', 'api=2');
      const stop = load(site, token);
      await sleep(2000);
      const upgrade = await site.having({ UNITCELL_VERSION: NEXT }).script('deploy/upgrade.sh');
      await sleep(3000);
      const { answered, failed, longest } = await stop();
      const applied = await countRows(
        site,
        `SELECT count(*) FROM _prisma_migrations WHERE migration_name = '${ADDED}'`,
      );
      const said = `${answered} answered, ${failed.length} failed, the longest waited ${longest.toFixed(1)} s`;
      if (upgrade.code !== 0) throw new Error(upgrade.output.slice(-1500));
      if (applied !== '1') throw new Error('the migration was not applied');
      const copies = await containersOf(site, 'api');
      const images = await docker('inspect', '--format', '{{.Config.Image}}', ...copies);
      if (images.trim() !== `unitcell:${NEXT}\nunitcell:${NEXT}`) throw new Error(`now running: ${images}`);
      if (failed.length > 0) throw new Error(`${said}: ${[...new Set(failed)].slice(0, 5).join('; ')}`);
      return said;
    },
  },
  {
    name: 'newer-schema',
    what: 'the older version on the newer schema',
    async run(site) {
      const refused = await site.attempt('run', '--rm', '--no-deps', 'migrate');
      if (refused.code === 0) throw new Error('it started without a word');
      if (!refused.output.includes(ADDED)) throw new Error(`refused, but not for that: ${refused.output}`);
      await site.run('run', '--rm', '--no-deps', 'migrate', 'deploy', '--force');
      await countRows(site, `DELETE FROM _prisma_migrations WHERE migration_name = '${ADDED}'`);
      return 'refused with the name of the migration; --force goes on';
    },
  },
  {
    name: 'down-up',
    what: 'down, and up again',
    async run(site, kept) {
      await site.run('down');
      const begun = performance.now();
      await site.run('up', '--detach', '--wait', '--no-build');
      const seconds = (performance.now() - begun) / 1000;
      const found = await search(site, need(kept.token, 'sign-in'));
      if (found !== kept.materials) throw new Error(`${kept.materials} materials of Na-Cl became ${found}`);
      await site.page(need(kept.picture, 'sign-in'));
      return `ready after ${seconds.toFixed(0)} s with accounts, pictures and materials`;
    },
  },
  {
    name: 'institute',
    what: 'HTTPS, sign-in by OpenID Connect, two copies of everything, a nightly backup, figures in Prometheus',
    run: walkInstitute,
  },
  {
    name: 'cluster',
    what: 'a calculation on a Slurm cluster behind a login node, by the ssh and rsync in the image of the worker',
    run: (site, kept) => calculateOnCluster(site, need(kept.token, 'sign-in'), CALCULATION_SECONDS),
  },
];
