/**
 * The operator's page. The commands use the same functions. This is the only feature that imports other
 * features, because
 * it operates them.
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
import { operatedBackups } from './backups.service.ts';
import { siteHealth } from './health.ts';
import { operatedImports } from './imports.ts';
import { operatedKeys, people, peopleRoutes } from './people.ts';
import { peopleListRoutes } from './people-list.ts';
import { pageRenderer } from '../about/about.feature.ts';
import { operatedAudit, operatedBudgets, operatedTexts, siteRoutes } from './site.ts';
import { operatedStorage } from './storage.ts';
import { operatedJobs, operatedSubmissions, workRoutes } from './work.ts';

/**
 * Sessions that end and announce but do not listen: the account feature of every process receives the
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
    keys: operatedKeys(database, ending),
  };
}

export function operateFeature(app: FastifyInstance, services: Services): void {
  const { config, database, queue, threads, indexes } = services;
  const { dailyLimit } = readRun4uSettings(config);
  const accounts = operatedAccounts(config, database);
  const { people: operated, sessions: open } = accounts;
  peopleListRoutes(app, { database, sessions: open, people: operated.listed, dailyLimit });
  peopleRoutes(app, operated);
  workRoutes(app, {
    submissions: operatedSubmissions(database, config.timeZone),
    imports: operatedImports(database, config.home),
    jobs: operatedJobs(database, queue),
    backend: config.redisUrl === null ? 'postgres' : 'redis',
  });
  siteRoutes(app, {
    health: siteHealth({ config, database, queue, process: { threads, indexes } }),
    texts: operatedTexts(database, pageRenderer(threads)),
    keys: accounts.keys,
    budgets: operatedBudgets(database, config, dailyLimit),
    storage: operatedStorage(database, config.home),
    backups: operatedBackups(database, config, queue),
    audit: operatedAudit(database),
  });
}
