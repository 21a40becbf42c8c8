/**
 * A day on the site in minutes, while its processes are killed in turns:
 *
 *   npm run soak -- --minutes 1 --seed 1 --visitors 6 --every 15
 *
 * Starts a site of its own as `npm start` does (embedded PostgreSQL, seed data, a stand-in for the engine of Run4U), lets
 * visitors work, and sends SIGKILL to api, worker or PostgreSQL about every `every` seconds. In the end all that was
 * acknowledged has to be there, once. Prints tables; the exit status is 1 when something was lost or doubled, was answered
 * with a 5xx other than 503, or when the site did not come back.
 */
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launchSite, type StartedSite, VICTIMS } from '@unitcell/tools/started-site';
import { seededRandom } from '@unitcell/numerics';
import { openLedger } from './ledger.ts';
import { openTally } from './tally.ts';
import { below, openVisitor } from './visitor.ts';

const START_MS = 600_000;
const BACK_MS = 120_000;
/** Submissions that wait for a lease of a killed worker come last. */
const FINISH_MS = 300_000;
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

/** Ends the program when it is none. */
function positive(name: keyof typeof values): number {
  const value = Number(values[name]);
  if (!(value > 0 && Number.isFinite(value))) {
    console.error(`--${name} ${values[name]}: expected a number above 0`);
    process.exit(2);
  }
  return value;
}
const [minutes, seed, visitors, every] = [
  positive('minutes'),
  positive('seed'),
  positive('visitors'),
  positive('every'),
];

async function until(what: string, ms: number, isTrue: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${ms / 1000} s`);
    await pause(50);
  }
}

const isReady = (site: StartedSite): Promise<boolean> =>
  fetch(`${site.url}/api/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.ok,
    () => false,
  );

async function soak(site: StartedSite): Promise<boolean> {
  const random = seededRandom(seed);
  const [tally, ledger] = [openTally(), openLedger()];
  let [numbers, pairs] = [0, 0];
  const all = METALS.flatMap((metal) => OTHERS.map((other) => [metal, other] as const));
  const surroundings = {
    url: site.url,
    tally,
    ledger,
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
    await until(`the ${victim} came back`, BACK_MS, async () => {
      const now = await site.pidOf(victim).catch(() => Number.NaN);
      return now > 0 && now !== pid && (await isReady(site));
    });
    tally.notePause({ victim, seconds: (performance.now() - killed) / 1000 });
  }
  over.abort();
  await Promise.all(members);
  await until('all submissions ended', FINISH_MS, () => ledger.areFinished(site.databaseUrl()));
  const { lost, doubled, ...kept } = await ledger.verify(site.url, site.databaseUrl());
  console.log(tally.tables());
  console.log(
    `\nanswered ${tally.total('answered')}, refused ${tally.total('refused')}, other 5xx ${tally.total('failed')}, ` +
      `cut off ${tally.total('cut')}; lost ${lost.length}, doubled ${doubled.length} of ${kept.accounts} accounts, ` +
      `${kept.submissions} submissions, ${kept.names} names; longest time without an answer ` +
      `${tally.longestSilenceSeconds().toFixed(1)} s (${minutes} min, seed ${seed}, ${visitors} visitors, ` +
      `${cpus().length} × ${cpus()[0]?.model ?? ''})`,
  );
  for (const line of lost) console.log(`lost: ${line}`);
  for (const line of doubled) console.log(`doubled: ${line}`);
  return lost.length + doubled.length + tally.total('failed') === 0;
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
