import type { OperatedAccount } from '@unitcell/contract';
import { maskMobile } from '../../infra/sms/sms-provider.ts';
import type { PersonRow } from './people.repository.ts';
import { roleOf } from './people.service.ts';

/** `dailyLimit`: what the site gives everybody. */
export const toPerson = (row: PersonRow, dailyLimit: number): OperatedAccount => ({
  id: row.id,
  username: row.username,
  name: row.name,
  mobile: row.mobile === null ? '' : maskMobile(row.mobile),
  role: roleOf(row),
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  blocked_at: row.blockedAt?.toISOString() ?? null,
  sessions: row.sessions,
  has_second_factor: row.hasSecondFactor,
  run4u: { used: row.usedToday ?? 0, limit: row.ownLimit ?? dailyLimit, own_limit: row.ownLimit },
});
