/** `unitcell diagnose`: checks everything that the site needs. Each failed check states what to do. */
import type { Command } from 'commander';
import { sql } from 'kysely';
import { type DataMigration, migrationStatus } from '../catalogue/data-migrations/migrate.ts';
import { DATA_MIGRATIONS } from '../catalogue/data-migrations/migrations.ts';
import { aboutRepository } from '../features/about/about.feature.ts';
import { openPlacesOf } from '../features/about/content-schema.ts';
import { describeLimits } from '../config/limits.ts';
import { detectEngine } from '../features/run4u/engines/detect-engine.ts';
import { operationsRepository } from '../features/run4u/operations.repository.ts';
import { readRun4uSettings } from '../features/run4u/run4u-settings.ts';
import { waitUpTo } from '../infra/process.ts';
import { openQueue } from '../infra/queue.ts';
import type { Language } from '../messages/messages.ts';
import { type CliContext, withContext } from './cli-context.ts';
import { gapSentences } from './completeness-command.ts';

interface Probe {
  readonly name: string;
  /** Returns the finding; throws an error that states the problem and what to do about it. */
  readonly find: (context: CliContext) => Promise<string>;
}

/** Longest wait for the state of the queue. */
const QUEUE_MILLISECONDS = 5_000;
/** A worker sends a heartbeat every few seconds. */
const HEARTBEAT_SECONDS = 60;
const LANGUAGES: readonly Language[] = ['zh', 'en'];

/** Data migrations that the worker still has to apply after an upgrade. */
const probeOf = (migration: DataMigration): Probe => ({
  name: migration.kind,
  find: async ({ database }) => {
    const { old, last } = await migrationStatus(database, migration);
    if (old > 0)
      return `${old} from an older version still have to be migrated: the worker does this, or run \`unitcell rebuild ${migration.kind}\``;
    if (!last?.doneOn) return 'up to date';
    const count = last.left.length;
    const left = count === 0 ? '' : `; ${count} could not be migrated: import it again`;
    return `${last.changed} from an older version were migrated on ${last.doneOn}${left}`;
  },
});

const PROBES: readonly Probe[] = [
  {
    name: 'database',
    find: async ({ config, database }) => {
      const { version } = await database.db
        .selectNoFrom(sql<string>`current_setting('server_version')`.as('version'))
        .executeTakeFirstOrThrow();
      const address = new URL(config.databaseUrl);
      address.password = '';
      return `PostgreSQL ${version} at ${address.href}`;
    },
  },
  {
    name: 'queue',
    find: async ({ config }) => {
      const queue = await openQueue(config, () => undefined);
      try {
        let counts: Awaited<ReturnType<typeof queue.counts>> | undefined;
        const ask = async (): Promise<void> => {
          counts = await queue.counts();
        };
        await waitUpTo(QUEUE_MILLISECONDS, ask());
        if (!counts)
          throw new Error(
            config.redisUrl
              ? `Redis at ${new URL(config.redisUrl).host} (REDIS_URL) does not answer: workers start jobs late, everything else works`
              : 'the job queue in PostgreSQL does not answer',
          );
        const shown = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
        return `${config.redisUrl ? 'Redis' : 'PostgreSQL'}: ${shown.join(', ')}`;
      } finally {
        await queue.close();
      }
    },
  },
  {
    name: 'materials',
    find: async ({ database }) => {
      const count = sql<number>`count(*)::int`.as('count');
      const { count: materials } = await database.db
        .selectFrom('material')
        .select(count)
        .executeTakeFirstOrThrow();
      const { count: dirty } = await database.db
        .selectFrom('dirty_system')
        .select(count)
        .executeTakeFirstOrThrow();
      if (materials === 0)
        throw new Error('the catalogue is empty: run `unitcell seed` or `unitcell import`');
      if (dirty > 0)
        return `${materials}, of which ${dirty} chemical systems have outdated hulls: the worker recomputes them, or run \`unitcell rebuild hulls\``;
      return `${materials}, all derived data up to date`;
    },
  },
  ...DATA_MIGRATIONS.map(probeOf),
  {
    name: 'completeness',
    // Missing compounds are no failure: the pages of a site state what is incomplete.
    find: async (context) => (await gapSentences(context)).join('\n     ') || 'no energies yet',
  },
  {
    name: 'run4u',
    // A site may run without this program: submissions then wait, and the page says so.
    find: async ({ config, database }) => {
      // In containers only the worker's image has the engine, so reports of workers take precedence over this
      // machine.
      const workers = (await operationsRepository(database).workers()).filter(
        ({ slots, secondsAgo }) => slots > 0 && secondsAgo < HEARTBEAT_SECONDS,
      );
      const engines = workers.map(
        ({ engine, engineVersion, executor }) => engine && `${engine} ${engineVersion}, executor ${executor}`,
      );
      const calculating = engines.filter((engine) => engine !== null);
      if (calculating.length > 0)
        return `calculated by ${calculating.length} of ${workers.length} workers: ${[...new Set(calculating)].join('; ')}`;
      const settings = readRun4uSettings(config);
      const detection = await detectEngine(settings, process.env.PATH ?? '');
      if (detection.engine)
        return `${detection.engine.name} ${detection.engine.version}, executor ${settings.executor}`;
      return `submissions wait as queued: ${detection.missing}`;
    },
  },
  {
    name: 'texts',
    // A site may run with the sample texts. Only the operator gets a list of the texts to replace.
    find: async ({ database }) => {
      const open: string[] = [];
      for (const language of LANGUAGES) {
        for (const [slug, body] of await aboutRepository(database).contents(language))
          for (const place of openPlacesOf(body)) open.push(`${slug} (${language}): ${place}`);
      }
      return open.length === 0
        ? 'complete'
        : `${open.length} placeholders to fill in (unitcell content export, edit, import):\n     ${open.join('\n     ')}`;
    },
  },
  {
    name: 'limits',
    find: async ({ config }) => describeLimits(config.limits).join(', '),
  },
  {
    name: 'sms',
    find: async ({ config }) =>
      config.sms.provider === 'console'
        ? 'codes are printed in the terminal or log (SMS_PROVIDER=console): anyone who can read it can sign in as any user'
        : config.sms.provider,
  },
  {
    name: 'security contact',
    find: async ({ config }) =>
      config.securityContact ??
      'no address for vulnerability reports: set SECURITY_CONTACT to an e-mail or https address',
  },
];

export function addDiagnoseCommand(program: Command): void {
  program
    .command('diagnose')
    .description('check what the site needs; exit status 1 when something is missing')
    .option('--json', 'machine-readable output')
    .action((flags: { json?: boolean }) =>
      withContext(async (context) => {
        const results: { name: string; isWell: boolean; found: string }[] = [];
        for (const { name, find } of PROBES) {
          try {
            results.push({ name, isWell: true, found: await find(context) });
          } catch (error) {
            results.push({ name, isWell: false, found: (error as Error).message });
          }
        }
        if (flags.json) context.print(JSON.stringify(results));
        else
          for (const { name, isWell, found } of results)
            context.print(`${isWell ? 'ok  ' : 'FAIL'} ${name}: ${found}`);
        if (results.some(({ isWell }) => !isWell)) process.exitCode = 1;
      }),
    );
}
