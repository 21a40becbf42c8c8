/**
 * The operator's page. The commands use the same functions. This is the only feature that imports other
 * features, because it operates them.
 */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Config, deriveKey } from '../../config/config.ts';
import type { Services } from '../../domain/services.ts';
import type { Database } from '../../infra/database.ts';
import { avatars } from '../account/avatars.service.ts';
import { sessions } from '../account/sessions.ts';
import { signInHandles } from '../account/third-party/sign-in-handles.ts';
import { readRun4uSettings } from '../run4u/run4u-settings.ts';
import { auditRoute } from './audit.ts';
import { backupsRoutes } from './backups.ts';
import { siteHealth } from './health.ts';
import { importsRoutes } from './imports.ts';
import { people, peopleRoutes } from './people.ts';
import { peopleListRoutes } from './people-list.ts';
import { pageRenderer } from '../about/about.feature.ts';
import { operatedReports, reportsQueueRoutes } from './reports.ts';
import { siteRoutes } from './site.ts';
import { textsRoutes } from './texts.ts';
import { operatedJobs, operatedSubmissions, workRoutes } from './work.ts';

/**
 * Sessions that can be ended and announced here. Only the account feature of each process receives
 * announcements.
 */
const endingSessions = (config: Config, database: Database) =>
  sessions({
    database,
    databaseUrl: config.databaseUrl,
    signingKey: deriveKey(config, 'session'),
    onError: () => undefined,
  });

/** Operations on accounts and keys, for the page and the commands. */
export function operatedAccounts(config: Config, database: Database) {
  const ending = endingSessions(config, database);
  return {
    sessions: ending,
    people: people({
      database,
      sessions: ending,
      avatars: avatars({
        directory: join(config.home, 'avatars'),
        sealKey: deriveKey(config, 'avatar'),
        limits: config.limits,
      }),
      handles: signInHandles(database, deriveKey(config, 'sign-in')),
      publicUrl: config.publicUrl,
      timeZone: config.timeZone,
    }),
  };
}

export function operateFeature(app: FastifyInstance, services: Services): void {
  const { config, database, queue, threads, indexes } = services;
  const { dailyLimit } = readRun4uSettings(config);
  const { people: operated, sessions: open } = operatedAccounts(config, database);
  peopleListRoutes(app, { database, sessions: open, people: operated.listed, dailyLimit });
  peopleRoutes(app, operated);
  workRoutes(app, {
    submissions: operatedSubmissions(database, config.timeZone),
    jobs: operatedJobs(database, queue),
    backend: config.redisUrl === null ? 'postgres' : 'redis',
  });
  importsRoutes(app, database, config.home);
  const health = siteHealth({ config, database, queue, process: { threads, indexes } });
  siteRoutes(app, { database, config, sessions: open, health, dailyLimit });
  textsRoutes(app, database, pageRenderer(threads));
  backupsRoutes(app, services);
  reportsQueueRoutes(app, operatedReports(database));
  auditRoute(app, database);
}
