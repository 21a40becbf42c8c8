/** The worker process runs submissions and queue jobs, as selected by WORKER_ROLES. */
import { jobs, run4uWake } from '@unitcell/contract/jobs';
import { calculatedMaterials } from './catalogue/calculated-materials.ts';
import { catalogueJobs, followCatalogue, resumeCatalogueJobs } from './catalogue/catalogue.jobs.ts';
import { readConfig, WORKER_ROLES } from './config/config.ts';
import { backupJobs, backups, runBackups } from './domain/backup/backups.ts';
import { migrateByDeploy } from './domain/backup/verify-backup.ts';
import { refusalOf } from './domain/refusals.ts';
import { designJobs, resumeDesigns } from './features/design/design.jobs.ts';
import { run4uWorker } from './features/run4u/run4u.jobs.ts';
import { serveWorkerHealth } from './http/health.ts';
import { openDatabase } from './infra/database.ts';
import { createLog, exitOnStartupError, runUntilStopped } from './infra/process.ts';
import { assertComplete, handles, openQueue, startJobWorker } from './infra/queue.ts';
import { startTracing } from './infra/tracing/tracing.ts';

/** Number of concurrent jobs: jobs that take hours, such as predictions of a catalogue, leave slots for others. */
const JOBS_AT_ONCE = 3;

// Files of calculations and dumps are for this user alone.
process.umask(0o077);

try {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel, 'worker');
  const tracing = await startTracing(config.telemetry, 'worker', log);
  const database = openDatabase(
    config,
    (error) => log.error({ err: error }, 'database connection lost'),
    undefined,
    undefined,
    tracing,
  );
  const queue = await openQueue(
    config,
    (error) => log.error({ err: error }, 'queue error'),
    (sentence) => log.info(sentence),
  );
  const [calculates, derives] = WORKER_ROLES.map((role) => config.workerRoles.includes(role));
  const runner = calculates
    ? run4uWorker({
        config,
        database,
        log,
        catalogue: calculatedMaterials(database, queue, config.defaultFunctional, config.sourceOrder),
        searchPath: process.env.PATH ?? '',
      })
    : null;
  const follower = await followCatalogue(config, queue, log);
  const made = backups({ config, database, migrate: migrateByDeploy });
  const registrations = [
    ...catalogueJobs(database, queue, config),
    ...designJobs({ config, database, caches: follower }),
    ...backupJobs(made),
    // A worker that runs no submissions ignores the message. Workers that run submissions poll within seconds
    // anyway.
    handles(run4uWake, async () => runner?.wake()),
  ];
  assertComplete(jobs, registrations);
  const health = await serveWorkerHealth({ config, log, queue, pool: database.pool, refusalOf });
  const worker = derives
    ? await startJobWorker({
        config,
        log,
        registrations,
        tracing,
        concurrency: JOBS_AT_ONCE,
        onEnd: health.jobEnded,
      })
    : null;
  if (derives) {
    await resumeCatalogueJobs(queue);
    await resumeDesigns(database.db, queue);
  }
  const refresher = derives ? runBackups(made, log) : null;
  log.info({ roles: config.workerRoles, jobs: registrations.map(({ job }) => job.name) }, 'worker ready');
  runUntilStopped(log, async () => {
    refresher?.close();
    await health.close();
    await Promise.all([worker?.close(), runner?.close()]);
    await follower.close();
    await queue.close();
    await database.close();
    await tracing?.close();
  });
} catch (error) {
  exitOnStartupError(error);
}
