/**
 * A day on the site in minutes, while its processes are killed in turn:
 *
 *   npm run soak -- --minutes 1 --seed 1 --visitors 6 --every 15
 *
 * Starts a site as `npm start` does (embedded PostgreSQL, seed data, a fake engine of Run4U), lets simulated
 * users work, and sends SIGKILL to api, worker or PostgreSQL about every `every` seconds. In the end all
 * acknowledged data must exist exactly once. Prints tables; the exit status is 1 when something was lost or
 * duplicated, was answered with a 5xx other than 503, or when the site did not recover.
 */
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launchSite, type StartedSite, VICTIMS } from '@unitcell/tools/started-site';
import { seededRandom } from '@unitcell/numerics';
import { until } from '@unitcell/tools/timeouts';
import { isReady } from '../visit.ts';
import { openRecord } from './record.ts';
import { below, openVisitor } from './visitor.ts';

const START_MS = 600_000;
const BACK_SECONDS = 120;
/** Longest wait at the end: submissions of a killed worker continue only when its lease expires. */
const FINISH_SECONDS = 300;
const THINK_MS = 400;
const METALS =
  'Li Na K Rb Cs Mg Ca Sr Ba Sc Y La Ti Zr Hf V Nb Ta Cr Mo W Mn Fe Co Ni Cu Ag Zn Cd Al Ga In Sn Pb Bi'.split(
    ' ',
  );
const OTHERS = 'N P As Sb O S Se Te F Cl Br I H B C'.split(' ');

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    visitors: { type: 'string', default: '6' },
    every: { type: 'string', default: '15' },
  },
});

const [minutes, seed, visitors, every] = [values.minutes, values.seed, values.visitors, values.every].map(
  Number,
);
if (![minutes, seed, visitors, every].every((value) => value > 0 && Number.isFinite(value))) {
  console.error('--minutes, --seed, --visitors and --every: expected numbers above 0');
  process.exit(2);
}

async function soak(site: StartedSite): Promise<boolean> {
  const random = seededRandom(seed);
  const record = openRecord();
  let [numbers, pairs] = [0, 0];
  const all = METALS.flatMap((metal) => OTHERS.map((other) => [metal, other] as const));
  const surroundings = {
    url: site.url,
    record,
    printed: site.printed,
    freshMobile: () => `139${String(++numbers).padStart(8, '0')}`,
    freshPair: () => all[pairs++],
  };
  const over = new AbortController();
  const members = Array.from({ length: visitors }, async (_, index) => {
    const own = seededRandom(seed * 1000 + index);
    const visitor = openVisitor({ ...surroundings, random: own });
    let token: string | null = null;
    while (!over.signal.aborted) {
      token ??= await visitor.register();
      if (token !== null) await visitor.work(token);
      await pause(own() * THINK_MS);
    }
  });
  const end = performance.now() + minutes * 60_000;
  for (let kill = below(random, VICTIMS.length); ; kill++) {
    await pause(Math.min((0.5 + random()) * every * 1000, Math.max(0, end - performance.now())));
    if (performance.now() >= end) break;
    const victim = VICTIMS[kill % VICTIMS.length] ?? 'api';
    const pid = await site.pidOf(victim);
    const killed = performance.now();
    process.kill(pid, 'SIGKILL');
    const isBack = async () => {
      const now = await site.pidOf(victim);
      return now > 0 && now !== pid && (await isReady(site.url));
    };
    await until(`the ${victim} came back`, isBack, BACK_SECONDS);
    record.noteOutage(victim, (performance.now() - killed) / 1000);
  }
  over.abort();
  await Promise.all(members);
  await until('all submissions ended', () => record.areFinished(site.databaseUrl()), FINISH_SECONDS);
  const isWell = await record.verify(site.url, site.databaseUrl());
  console.log(
    `${minutes} min, seed ${seed}, ${visitors} visitors, ${cpus().length} × ${cpus()[0]?.model ?? ''}`,
  );
  return isWell;
}

const site = await launchSite({
  env: {
    TRUSTED_PROXIES: '1',
    RUN4U_ENGINE: 'template',
    RUN4U_TEMPLATE_COMMAND: `${process.execPath} ${fileURLToPath(new URL('./engine.mjs', import.meta.url))}`,
    RUN4U_PRESET: 'ci',
    RUN4U_SLOTS: '2',
    RUN4U_DAILY_LIMIT: '30000',
    RUN4U_MEMORY_MB: '400',
    RUN4U_MINIMUM_FREE_MB: '1',
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void site.stop().then(() => process.exit(130)));
try {
  await Promise.race([
    site.ready,
    pause(START_MS, undefined, { ref: false }).then(() => {
      throw new Error(`the site has not started:\n${site.printed()}`);
    }),
  ]);
  process.exitCode = (await soak(site)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await site.stop();
}
