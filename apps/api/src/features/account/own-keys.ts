/** API keys that members create for their own programs, if the operator allows it. */
import { createApiKey, getKey, listApiKeys, OWN_KEY_LIMITS, revokeApiKey } from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import { originOf } from '../../http/client-network.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { spendToken, tokensLeft } from '../../infra/token-bucket.ts';
import { AppError } from '../../messages/app-error.ts';
import type { AccountRepository } from './account.repository.ts';
import { API_KEY_SCOPES, type ApiKeys, DEFAULT_CALLS_PER_MINUTE, keyOnWire, stateOfKey } from './api-keys.ts';
import { writeAudit } from './audit-log.ts';
import type { Sessions } from './sessions.ts';
import type { SmsCodes } from './sms-codes.ts';

const DAY_MILLISECONDS = 86_400_000;
/** Ended keys stay listed. This limit keeps the list short. */
const MADE_A_DAY = { capacity: 10, refillSeconds: 86_400 } as const;

interface OwnKeysOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
  readonly keys: ApiKeys;
  readonly isOffered: boolean;
}

export function ownKeysRoutes(
  app: FastifyInstance,
  { database: { db }, accounts, codes, sessions, keys, isOffered }: OwnKeysOptions,
): void {
  serveCall(app, listApiKeys, async ({ identity }) => {
    const rows = await keys.list(identity.accountId);
    return {
      allowed: isOffered,
      scopes_offered: [...API_KEY_SCOPES],
      max_keys: OWN_KEY_LIMITS.keys,
      max_days: OWN_KEY_LIMITS.days,
      keys: rows.reverse().map((key) => ({ ...keyOnWire(key), state: stateOfKey(key) })),
    };
  });

  // A code confirms it because keys outlive sessions.
  serveCall(app, createApiKey, async ({ body, identity: { accountId }, request }) => {
    if (!isOffered) throw new AppError('key.not-offered');
    const scopes = [...new Set(body.scopes)];
    const unknown = scopes.find((scope) => !API_KEY_SCOPES.includes(scope));
    if (unknown !== undefined)
      throw new AppError('key.scope', { scope: unknown, offered: API_KEY_SCOPES.join(', ') });
    const expiresAt = new Date(Date.now() + body.days * DAY_MILLISECONDS);
    const made = await db.transaction().execute(async (tx) => {
      // The lock serialises concurrent requests, so that each counts the other's key.
      const held = await accounts.lockMobile(tx, accountId);
      const active = (await keys.list(accountId, tx)).filter((key) => stateOfKey(key) === 'active');
      if (active.length >= OWN_KEY_LIMITS.keys)
        throw new AppError('key.too-many', { limit: OWN_KEY_LIMITS.keys });
      const { mobile } = await codes.redeem({ token: body.sms_token, purpose: 'bind', accountId }, tx);
      if (mobile !== held) throw new AppError('login.other-number');
      const { allowed, retryAfterSeconds } = await spendToken(tx, `keys:${accountId}`, MADE_A_DAY);
      if (!allowed) throw new AppError('request.too-many', { seconds: retryAfterSeconds });
      const ratePerMinute = DEFAULT_CALLS_PER_MINUTE;
      const key = await keys.create({ accountId, label: body.label, scopes, expiresAt, ratePerMinute }, tx);
      const detail = { key: key.id, scopes: scopes.join(',') };
      await writeAudit(tx, { accountId, event: 'key-created', address: originOf(request).address, detail });
      return key;
    });
    return { ...done, ...made, expires_at: expiresAt.toISOString() };
  });

  serveCall(app, revokeApiKey, async ({ body: { id }, identity: { accountId }, request }) => {
    if ((await keys.revoke(id, accountId)) === null) throw new AppError('key.not-found');
    const { address } = originOf(request);
    await writeAudit(db, { accountId, event: 'key-revoked', address, detail: { key: id } });
    // Closes open streams of the key.
    await sessions.announce(accountId);
    return done;
  });

  /** What a key may read about itself. */
  serveCall(app, getKey, async ({ identity: { accountId, apiKeyId }, request }) => {
    const key = (await keys.list(accountId)).find(({ id }) => id === apiKeyId);
    if (!key) throw new AppError('key.none');
    const limit = key.ratePerMinute;
    const left = await tokensLeft(db, `key:${key.id}`, { capacity: limit, refillSeconds: 60 });
    return {
      ...keyOnWire(key),
      budgets: [
        { name: 'key', limit, left: Math.floor(left), window_seconds: 60 },
        ...(await app.budgetsLeft(request)),
      ],
    };
  });
}
