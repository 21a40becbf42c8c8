/** Limits and settings in force. They stand in the environment: the processes read it when they start. */
import type { Config } from '../../config/config.ts';
import { limitFigures } from '../../config/limits.ts';
import type { Database } from '../../infra/database.ts';
import type { Language } from '../../messages/messages.ts';
import { installationShares } from '../account/sign-in-budgets.ts';

/** What may be shown: policies, never addresses or secrets. */
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

export const operatedBudgets =
  ({ db }: Pick<Database, 'db'>, config: Config, dailyLimit: number) =>
  async (language: Language) => {
    const { messagesPerHour, messagesToStrangersPerHour } = config.limits;
    const { all = 0, strangers = 0 } = await installationShares(db, config.limits);
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
  };
