/** The state of the site: health, limits in force, storage, and all API keys. */
import {
  operateBudgets,
  operateHealth,
  operateKeys,
  operateRevokeKey,
  operateStorage,
} from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { limitFigures } from '../../config/limits.ts';
import { originOf } from '../../http/client-network.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { AppError } from '../../messages/app-error.ts';
import { apiKeys, keyOnWire, stateOfKey } from '../account/api-keys.ts';
import { askedBy, type By, writeAudit } from '../account/audit-log.ts';
import type { Sessions } from '../account/sessions.ts';
import { installationShares } from '../account/sign-in-budgets.ts';
import type { siteHealth } from './health.ts';
import { operatedStorage } from './storage.ts';

/** Shown settings: only policies, never addresses or secrets. */
const settingsOf = (config: Config, dailyLimit: number) => [
  { variable: 'SMS_PROVIDER', value: config.sms.provider },
  { variable: 'SECOND_FACTOR', value: config.secondFactor },
  { variable: 'API_KEYS', value: config.apiKeys },
  { variable: 'OPTIMADE_ACCESS', value: config.optimadeAccess },
  { variable: 'RELEASE_ACCESS', value: config.releaseAccess },
  { variable: 'RUN4U_DAILY_LIMIT', value: String(dailyLimit) },
  { variable: 'UNITCELL_ENERGY_SCALE', value: config.defaultFunctional },
  { variable: 'UNITCELL_SOURCE_ORDER', value: config.sourceOrder.join(', ') },
  { variable: 'TRUSTED_PROXIES', value: String(config.trustedProxies) },
];

/** Revokes a key and closes its open streams. @throws AppError operate.not-found */
export async function revokeKey(
  database: Database,
  sessions: Pick<Sessions, 'announce'>,
  by: By,
  id: number,
): Promise<void> {
  const accountId = await apiKeys(database).revoke(id);
  if (accountId === null) throw new AppError('operate.not-found');
  await writeAudit(database.db, { ...by, accountId, event: 'key-revoked', detail: { key: id } });
  await sessions.announce(accountId);
}

interface SiteRoutes {
  readonly database: Database;
  readonly config: Config;
  readonly sessions: Sessions;
  readonly health: ReturnType<typeof siteHealth>;
  /** Default number of submissions per day. */
  readonly dailyLimit: number;
}

export function siteRoutes(
  app: FastifyInstance,
  { database, config, sessions, health, dailyLimit }: SiteRoutes,
): void {
  const { db } = database;
  const storage = operatedStorage(database, config.home);
  const keys = apiKeys(database);

  serveCall(app, operateHealth, async () => ({ at: new Date().toISOString(), parts: await health() }));

  serveCall(app, operateStorage, storage);

  // Limits and settings come from the environment, which processes read at start.
  serveCall(app, operateBudgets, async ({ request }) => {
    const { language } = originOf(request);
    const { messagesPerHour, messagesToStrangersPerHour } = config.limits;
    const { all, strangers } = await installationShares(db, config.limits);
    return {
      limits: limitFigures(config.limits).map((figure) => ({ ...figure, meaning: figure.meaning[language] })),
      settings: settingsOf(config, dailyLimit),
      messages: {
        left: Math.max(0, Math.floor(all * messagesPerHour)),
        limit: messagesPerHour,
        left_to_strangers: Math.max(0, Math.floor(strangers * messagesToStrangersPerHour)),
        limit_to_strangers: messagesToStrangersPerHour,
      },
    };
  });

  serveCall(app, operateKeys, async () => ({
    keys: (await keys.list()).reverse().map((key) => ({
      ...keyOnWire(key),
      account_id: key.accountId,
      account: key.account,
      state: stateOfKey(key),
    })),
  }));

  serveCall(app, operateRevokeKey, async (input) => {
    await revokeKey(database, sessions, askedBy(input), input.body.id);
    return done;
  });
}
