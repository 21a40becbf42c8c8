/** Removes what has run out: codes, confirmations, handles, sessions, full buckets, pictures nobody shows. */
import type { Logger } from 'pino';
import type { Database } from '../../infra/database.ts';
import { fromNow } from '../../infra/sql.ts';
import type { AccountRepository } from './account.repository.ts';
import type { Avatars } from './avatars.service.ts';

const INTERVAL_MILLISECONDS = 3_600_000;

const DAY = 86_400;

/** What has run out is deleted this long after. */
const KEPT_SECONDS = {
  sms_code: DAY,
  sms_token: DAY,
  sign_in_handle: DAY,
  second_factor_challenge: DAY,
  session: 30 * DAY,
  // No bucket takes longer than a day to fill up: one untouched for two is full, and full is what a new one is.
  rate_bucket: 2 * DAY,
  audit_log: 400 * DAY,
} as const;

async function deleteWhatRanOut({ db }: Database): Promise<void> {
  for (const table of ['sms_code', 'sms_token', 'sign_in_handle', 'second_factor_challenge'] as const)
    await db.deleteFrom(table).where('expires_at', '<', fromNow(-KEPT_SECONDS[table])).execute();
  const longAgo = fromNow(-KEPT_SECONDS.session);
  await db
    .deleteFrom('session')
    .where((is) => is.or([is('expires_at', '<', longAgo), is('revoked_at', '<', longAgo)]))
    .execute();
  await db.deleteFrom('rate_bucket').where('updated_at', '<', fromNow(-KEPT_SECONDS.rate_bucket)).execute();
  await db.deleteFrom('audit_log').where('at', '<', fromNow(-KEPT_SECONDS.audit_log)).execute();
}

export interface HousekeepingOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly avatars: Avatars;
  readonly log: Logger;
}

export function housekeeping({ database, accounts, avatars, log }: HousekeepingOptions) {
  async function sweep(): Promise<void> {
    await deleteWhatRanOut(database);
    await avatars.sweep((address) => accounts.isAvatarUsed(address));
  }
  let timer: NodeJS.Timeout | undefined;
  return {
    sweep,
    /** Sweeps every hour from now on. */
    start(): void {
      timer = setInterval(() => {
        sweep().catch((error: unknown) => log.error({ err: error }, 'housekeeping failed'));
      }, INTERVAL_MILLISECONDS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
