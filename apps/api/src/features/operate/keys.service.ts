/** API keys as their operator sees them. */
import type { Database } from '../../infra/database.ts';
import { AppError } from '../../messages/app-error.ts';
import { apiKeys } from '../account/api-keys.ts';
import { writeAudit } from '../account/audit-log.ts';
import type { Sessions } from '../account/sessions.ts';
import type { By } from './by.ts';

export function operatedKeys(database: Database, sessions: Sessions) {
  const keys = apiKeys(database);
  return {
    /** Newest first. */
    list: async () => (await keys.list()).reverse(),

    /** Ends a key, and what it holds open. @throws AppError operate.not-found */
    async revoke(by: By, id: number): Promise<void> {
      const accountId = await keys.revoke(id);
      if (accountId === null) throw new AppError('operate.not-found');
      await writeAudit(database.db, { ...by, accountId, event: 'key-revoked', detail: { key: id } });
      await sessions.announce(accountId);
    },
  };
}
