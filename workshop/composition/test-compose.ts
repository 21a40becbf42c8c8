/**
 * `npm run test:compose`: builds the images of this checkout and tests the composition with a real container
 * engine, step by step; each step prints a line with its result, or fails. Skipped, with the reason, without
 * an engine.
 *
 *   npm run test:compose                            every step, in a new folder that is removed afterwards
 *   npm run test:compose -- kill down-up            these steps, on the state that earlier ones left
 *   npm run test:compose -- --folder DIR --port 3900 --starts 10
 *
 * To remove everything: npm run test:compose -- --down. HTTPS, sign-in by OpenID Connect and a Slurm cluster
 * have separate tests (proxy.institute.ts, oidc tests of the api).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  calculate,
  type Composition,
  docker,
  isHere,
  match,
  missingForContainers,
  openComposition,
  register,
  search,
  setAvatar,
} from './composition.ts';
import { until } from '@unitcell/tools/timeouts';
import { isReady } from '../visit.ts';

/** State that a step leaves for later steps; kept in a file, so that steps can be run one by one. */
interface Kept {
  mobile?: string;
  token?: string;
  picture?: string;
  materials?: number;
}

type Step = (site: Composition, kept: Kept, options: { starts: number }) => Promise<string>;

/** A new phone number each time, because a number can register only once. */
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

async function containersOf(site: Composition, service: string): Promise<string[]> {
  return (await site.run('ps', '--quiet', service)).split('\n').filter(Boolean);
}

const queried = async (site: Composition, sql: string): Promise<string> =>
  (
    await site.run('exec', '-T', 'postgres', 'psql', '--username=unitcell', '--dbname=unitcell', '-tAc', sql)
  ).trim();

/** Sends requests one after another until it is stopped. */
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

const COPIES = 2;
const PROMETHEUS_PORT = 9190;
const SCRAPED_SECONDS = 150;
const BACKUP_SECONDS = 240;

async function backsUp(site: Composition): Promise<string> {
  const backup = (...words: string[]) => site.run('exec', '-T', 'api', 'unitcell', 'backup', ...words);
  await backup('schedule', '15 2 * * *', '--keep', '14');
  await backup('now');
  const list = async () => (await backup('list')).split('\n').find((text) => text.includes('verified'));
  await until('a backup was verified', list, BACKUP_SECONDS);
  return `backup ${(await list())?.trim().replaceAll(/\s+/g, ' ')}`;
}

/** Checks that Prometheus scrapes every copy and no alert fires. */
async function isScraped(): Promise<string> {
  const api = `http://127.0.0.1:${PROMETHEUS_PORT}/api/v1`;
  const wanted = ['unitcell up', 'unitcell-worker up']
    .flatMap((one) => Array<string>(COPIES).fill(one))
    .join();
  const targetsFound = async () => {
    const { data } = await (await fetch(`${api}/targets?state=active`)).json();
    const targets = data.activeTargets as { labels: { job: string }; health: string }[];
    const found = targets.map(({ labels, health }) => `${labels.job} ${health}`);
    return found.sort().join() === wanted;
  };
  await until('Prometheus reads every copy', targetsFound, SCRAPED_SECONDS);
  const { data } = await (await fetch(`${api}/rules`)).json();
  const groups = data.groups as { rules: { state: string; name: string }[] }[];
  const rules = groups.flatMap((group) => group.rules);
  const firing = rules.filter(({ state }) => state === 'firing').map(({ name }) => name);
  if (firing.length > 0) throw new Error(`firing: ${firing.join(', ')}`);
  return `Prometheus reads ${2 * COPIES} copies and ${rules.length} rules, none fires`;
}

/** Starts several copies, checks each part of the site, and restores the original state. */
async function walkCopies(plain: Composition): Promise<string> {
  const settings = { METRICS_TOKEN: 'only-for-prometheus-to-read', GRAFANA_PASSWORD: 'not-started-here' };
  const site = plain.having(
    {
      ...settings,
      API_COPIES: String(COPIES),
      WORKER_COPIES: String(COPIES),
      PROMETHEUS_PORT: String(PROMETHEUS_PORT),
    },
    'deploy/compose/monitoring.yml',
    'copies.yml',
  );
  writeFileSync(
    join(plain.folder, 'copies.yml'),
    JSON.stringify({ services: { grafana: { profiles: ['not-here'] } } }),
  );
  try {
    for (const [name, value] of Object.entries(settings)) plain.set(name, value);
    await site.run('up', '--detach', '--wait', '--no-build');
    return [await backsUp(site), await isScraped()].join('; ');
  } finally {
    await site.attempt('rm', '--stop', '--force', 'prometheus');
    for (const name of Object.keys(settings)) plain.set(name, undefined);
  }
}

const STEPS: Readonly<Record<string, Step>> = {
  async images(site) {
    await site.run('build', '--quiet');
    const format = ['--format', '{{.Repository}} {{.Size}}', '--filter', 'reference=unitcell*'];
    const sizes = await docker('image', 'ls', ...format);
    return sizes.trim().split('\n').join(', ');
  },
  /** Starts the whole composition on empty volumes, repeatedly. */
  async up(site, _kept, { starts }) {
    const seconds: number[] = [];
    for (let start = 0; start < starts; start++) {
      await site.run('down', '--volumes', '--timeout', '5');
      const begun = performance.now();
      await site.run('up', '--detach', '--wait');
      seconds.push(Math.round((performance.now() - begun) / 1000));
      if (!(await site.page('/')).includes('<title>')) throw new Error('the home page is not a page');
    }
    return `${starts} of ${starts}, ready after ${Math.min(...seconds)} to ${Math.max(...seconds)} s, seed included`;
  },
  /** Registration with the code from the log, an avatar, a search, an XRD match. */
  async 'sign-in'(site, kept) {
    kept.mobile = freshMobile();
    kept.token = await register(site, kept.mobile);
    kept.picture = await setAvatar(site, kept.token);
    kept.materials = await search(site, kept.token);
    if (kept.materials === 0) throw new Error('nothing in Na-Cl');
    const verdict = await match(site, kept.token);
    if (!verdict.includes('NaCl')) throw new Error(`halite was not recognised: ${verdict}`);
    return `${kept.materials} materials of Na-Cl; ${verdict}`;
  },
  /** The operator’s command in the container: a token, the accounts, health, missing settings. */
  async command(site, kept) {
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
  /** A calculation by the engine in the worker's image. */
  async run4u(site, kept) {
    const row = await calculate(site, need(kept.token, 'sign-in'), CALCULATION_SECONDS);
    if (row.status !== 'finished') throw new Error(`it is ${row.status}: ${JSON.stringify(row)}`);
    return `finished as material ${row.struct_id}`;
  },
  /** Restores a backup, written to standard output, with the avatars into a fresh stack. */
  async backup(site, kept) {
    const token = need(kept.token, 'sign-in');
    const file = join(site.folder, 'walk.backup.gz');
    await site.shell('exec -T api unitcell backup - > walk.backup.gz');
    const other = site.beside('restored', Number(new URL(site.url).port) + RESTORED_PORT);
    await other.run('down', '--volumes', '--timeout', '5');
    try {
      await other.run('run', '--rm', 'migrate');
      await other.shell('run --rm -T api cli restore - --yes < walk.backup.gz');
      await other.run('up', '--detach', '--wait');
      const sql =
        'SELECT (SELECT count(*) FROM material), (SELECT count(*) FROM account), (SELECT count(*) FROM submission)';
      const [before, after] = await Promise.all([queried(site, sql), queried(other, sql)]);
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
  async kill(site, kept) {
    const seen: string[] = [];
    for (const service of SERVICES) {
      const [id = ''] = await containersOf(site, service);
      const pid = Number((await docker('inspect', '--format', '{{.State.Pid}}', id)).trim());
      process.kill(pid, 'SIGKILL');
      const format = '{{.State.Pid}} {{.State.Running}} {{if .State.Health}}{{.State.Health.Status}}{{end}}';
      const isBack = async () => {
        const state = await docker('inspect', '--format', format, id);
        const [now, isRunning, health = ''] = state.trim().split(' ');
        const isUp = Number(now) !== pid && isRunning === 'true' && ['', 'healthy'].includes(health);
        return isUp && isReady(site.url);
      };
      const seconds = await until(`${service} came back`, isBack, BACK_SECONDS);
      seen.push(`${service} ${seconds.toFixed(0)} s`);
      await search(site, need(kept.token, 'sign-in'));
    }
    return `back and healthy: ${seen.join(', ')}`;
  },
  /** Upgrades two copies of the api, under load, to a version that has one more migration. */
  async upgrade(site, kept) {
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
    const applied = await queried(
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
  async 'newer-schema'(site) {
    const refused = await site.attempt('run', '--rm', '--no-deps', 'migrate');
    if (refused.code === 0) throw new Error('it started without a warning');
    if (!refused.output.includes(ADDED)) throw new Error(`refused for another reason: ${refused.output}`);
    await site.run('run', '--rm', '--no-deps', 'migrate', 'deploy', '--force');
    await queried(site, `DELETE FROM _prisma_migrations WHERE migration_name = '${ADDED}'`);
    return 'refused with the name of the migration; --force goes on';
  },
  async 'down-up'(site, kept) {
    await site.run('down');
    const begun = performance.now();
    await site.run('up', '--detach', '--wait', '--no-build');
    const seconds = (performance.now() - begun) / 1000;
    const found = await search(site, need(kept.token, 'sign-in'));
    if (found !== kept.materials) throw new Error(`${kept.materials} materials of Na-Cl became ${found}`);
    await site.page(need(kept.picture, 'sign-in'));
    return `ready after ${seconds.toFixed(0)} s with accounts, pictures and materials`;
  },
  /** Two copies of api and worker, a scheduled backup, metrics in Prometheus. */
  copies: walkCopies,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: '/var/tmp/unitcell-walk' },
    port: { type: 'string', default: '3900' },
    starts: { type: 'string', default: '10' },
    down: { type: 'boolean', default: false },
  },
});

async function walk(): Promise<number> {
  const names = Object.keys(STEPS);
  const unknown = positionals.filter((word) => !names.includes(word));
  if (unknown.length > 0)
    throw new Error(`There is no step ${unknown.join(', ')}; there are ${names.join(', ')}.`);
  const lack = await missingForContainers();
  if (lack !== undefined) {
    console.log(`SKIPPED: the composition is not tested: ${lack}`);
    return 0;
  }
  const folder = resolve(values.folder);
  const site = await openComposition(folder, Number(values.port));
  const memory = join(folder, 'kept.json');
  const kept: Kept = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : {};
  const isAll = positionals.length === 0;
  let failures = 0;
  for (const [name, run] of Object.entries(STEPS)) {
    if (!(isAll ? !values.down : positionals.includes(name))) continue;
    const begun = performance.now();
    const outcome = await run(site, kept, { starts: Number(values.starts) }).catch((error: unknown) => {
      failures++;
      return `FAILED: ${error instanceof Error ? error.message : String(error)}`;
    });
    writeFileSync(memory, JSON.stringify(kept));
    console.log(`${name} (${((performance.now() - begun) / 1000).toFixed(0)} s): ${outcome}`);
  }
  if (isAll) await site.run('down', '--volumes', '--timeout', '5');
  return failures > 0 ? 1 : 0;
}

try {
  process.exitCode = await walk();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
