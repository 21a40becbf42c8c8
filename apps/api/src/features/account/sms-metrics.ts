/** Figures of text messages for Prometheus; asked and refused proofs of work are counted among the refusals. */
import type { Limits } from '../../config/limits.ts';
import type { MetricsSource } from '../../http/metrics.ts';
import type { Database } from '../../infra/database.ts';
import { installationShares } from './sign-in-budgets.ts';

export const smsMetrics =
  ({ db }: Pick<Database, 'db'>, limits: Limits): MetricsSource =>
  async () => [
    {
      name: 'unitcell_sms_share_left',
      help: 'Share of the hourly text messages that is left, of all and of those to strangers.',
      type: 'gauge',
      samples: Object.entries(await installationShares(db, limits)).map(([budget, value]) => ({
        labels: { budget },
        value,
      })),
    },
  ];
