/** Removes what has run out: codes, confirmations, handles, sessions, full buckets, pictures nobody shows. */
import type { Logger } from 'pino';
import type { Database } from '../../plugins/database.ts';
import type { AccountRepository } from './account.repository.ts';
import type { Avatars } from './avatars.service.ts';

const INTERVAL_MILLISECONDS = 3_600_000;

const STATEMENTS = [
  "DELETE FROM sms_code WHERE expires_at < now() - interval '1 day'",
  "DELETE FROM sms_token WHERE expires_at < now() - interval '1 day'",
  "DELETE FROM sign_in_handle WHERE expires_at < now() - interval '1 day'",
  "DELETE FROM session WHERE expires_at < now() - interval '30 days' OR revoked_at < now() - interval '30 days'",
  // No bucket takes longer than a day to fill up: one untouched for two is full, and full is what a new one is.
  "DELETE FROM rate_bucket WHERE updated_at < now() - interval '2 days'",
  "DELETE FROM audit_log WHERE at < now() - interval '400 days'",
];

export interface HousekeepingOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly avatars: Avatars;
  readonly log: Logger;
}

export function housekeeping({ database, accounts, avatars, log }: HousekeepingOptions) {
  async function sweep(): Promise<void> {
    for (const statement of STATEMENTS) await database.pool.query(statement);
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
