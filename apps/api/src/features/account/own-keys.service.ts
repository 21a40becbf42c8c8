/** Keys members make for their own programs, where the operator lets them; confirmed by a code, since a key outlives sign-ins. */
import { type createApiKey, type listApiKeys, OWN_KEY_LIMITS } from '@unitcell/contract/account';
import type { CallAnswer, CallRequest } from '@unitcell/contract/define-call';
import { AppError } from '../../messages/app-error.ts';
import type { Database } from '../../infra/database.ts';
import { spendToken, tokensLeft } from '../../infra/token-bucket.ts';
import type { AccountRepository } from './account.repository.ts';
import { API_KEY_SCOPES, type ApiKeys, DEFAULT_CALLS_PER_MINUTE, keyOnWire, stateOfKey } from './api-keys.ts';
import { writeAudit } from './audit-log.ts';
import type { Caller } from './caller.ts';
import type { SmsCodes } from './sms-codes.ts';

const DAY_MILLISECONDS = 86_400_000;
/** Ended keys stay listed; this keeps the list short whatever a member does. */
const MADE_A_DAY = { capacity: 10, refillSeconds: 86_400 } as const;

export interface OwnKeysOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly keys: ApiKeys;
  readonly isOffered: boolean;
}

export type OwnKeys = ReturnType<typeof ownKeys>;

export function ownKeys({ database, accounts, codes, keys, isOffered }: OwnKeysOptions) {
  const { db } = database;
  return {
    async list(accountId: number): Promise<CallAnswer<typeof listApiKeys>> {
      const rows = await keys.list(accountId);
      return {
        allowed: isOffered,
        scopes_offered: [...API_KEY_SCOPES],
        max_keys: OWN_KEY_LIMITS.keys,
        max_days: OWN_KEY_LIMITS.days,
        keys: rows.reverse().map((key) => ({ ...keyOnWire(key), state: stateOfKey(key) })),
      };
    },

    /** @throws AppError key.not-offered, key.scope, key.too-many, login.wrong-token, login.other-number, request.too-many */
    async create(accountId: number, asked: CallRequest<typeof createApiKey>, caller: Caller) {
      if (!isOffered) throw new AppError('key.not-offered');
      const scopes = [...new Set(asked.scopes)];
      const unknown = scopes.find((scope) => !API_KEY_SCOPES.includes(scope));
      if (unknown !== undefined)
        throw new AppError('key.scope', { scope: unknown, offered: API_KEY_SCOPES.join(', ') });
      const expiresAt = new Date(Date.now() + asked.days * DAY_MILLISECONDS);
      return db.transaction().execute(async (tx) => {
        // The lock makes two requests at once count each other.
        const held = await accounts.lockMobile(tx, accountId);
        const active = (await keys.list(accountId, tx)).filter((key) => stateOfKey(key) === 'active');
        if (active.length >= OWN_KEY_LIMITS.keys)
          throw new AppError('key.too-many', { limit: OWN_KEY_LIMITS.keys });
        const { mobile } = await codes.redeem({ token: asked.sms_token, purpose: 'bind', accountId }, tx);
        if (mobile !== held) throw new AppError('login.other-number');
        const { allowed, retryAfterSeconds } = await spendToken(tx, `keys:${accountId}`, MADE_A_DAY);
        if (!allowed) throw new AppError('request.too-many', { seconds: retryAfterSeconds });
        const ratePerMinute = DEFAULT_CALLS_PER_MINUTE;
        const made = await keys.create(
          { accountId, label: asked.label, scopes, expiresAt, ratePerMinute },
          tx,
        );
        await writeAudit(tx, {
          accountId,
          event: 'key-created',
          address: caller.address,
          detail: { key: made.id, scopes: scopes.join(',') },
        });
        return { ...made, expires_at: expiresAt.toISOString() };
      });
    },

    /** @throws AppError key.not-found */
    async revoke(accountId: number, id: number, caller: Caller): Promise<void> {
      if ((await keys.revoke(id, accountId)) === null) throw new AppError('key.not-found');
      await writeAudit(db, { accountId, event: 'key-revoked', address: caller.address, detail: { key: id } });
    },

    /** What a key may know of itself. @throws AppError key.none */
    async ofKey(accountId: number, apiKeyId: number | undefined) {
      const key = (await keys.list(accountId)).find(({ id }) => id === apiKeyId);
      if (!key) throw new AppError('key.none');
      const budget = { capacity: key.ratePerMinute, refillSeconds: 60 };
      const left = Math.floor(await tokensLeft(db, `key:${key.id}`, budget));
      return {
        ...keyOnWire(key),
        budgets: [{ name: 'key', limit: key.ratePerMinute, left, window_seconds: 60 }],
      };
    },
  };
}
