/** API keys. */
import { createHash, randomBytes } from 'node:crypto';
import { calls } from '@unitcell/contract';
import {
  createApiKey,
  getKey,
  getUserInfor,
  listApiKeys,
  OWN_KEY_LIMITS,
  revokeApiKey,
} from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Identity } from '../../http/auth.ts';
import type { BudgetState } from '../../http/budgets.ts';
import type { Database, Db } from '../../infra/database.ts';
import { fromNow, now, shownName } from '../../infra/sql.ts';
import { spendToken, tokensLeft } from '../../infra/token-bucket.ts';
import { AppError } from '../../messages/app-error.ts';
import { originOf } from '../../http/client-network.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { AccountRepository } from './account.repository.ts';
import { writeAudit } from './audit-log.ts';
import type { Sessions } from './sessions.ts';
import type { SmsCodes } from './sms-codes.ts';

/** `last_used_at` is written at most this often, in seconds. */
const TOUCH_SECONDS = 60;

export const API_KEY_PREFIX = 'uck_';
export const DEFAULT_CALLS_PER_MINUTE = 120;
const ALL = 'all';
/** Groups not offered as scopes: a key with them could take over an account or the site. */
const CLOSED_GROUPS: ReadonlySet<string> = new Set(['account', 'operate']);
/** Calls open to every key: information about the key, and the OpenAPI document. */
const OPEN_TO_ALL_KEYS: ReadonlySet<string> = new Set([getUserInfor.name, getKey.name]);
const SHOWN_CHARACTERS = API_KEY_PREFIX.length + 6;

/** Scopes a key may have: one per call group, or all. */
export const API_KEY_SCOPES: readonly string[] = [
  ALL,
  ...new Set(calls.map((call) => call.group).filter((group) => !CLOSED_GROUPS.has(group))),
];

/** All keys, or those of one account. */
const listKeys = (db: Db, accountId?: number) =>
  db
    .selectFrom('api_key')
    .innerJoin('account', 'account.id', 'api_key.account_id')
    .select(['api_key.id', 'account_id as accountId', 'label', 'prefix', 'scopes'])
    .select(({ ref }) => shownName(ref('account.name'), ref('account.username')).as('account'))
    .select('rate_per_minute as ratePerMinute')
    .select(['api_key.created_at as createdAt', 'expires_at as expiresAt'])
    .select(['last_used_at as lastUsedAt', 'revoked_at as revokedAt'])
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .orderBy('api_key.id')
    .execute();

type ApiKeyRow = Awaited<ReturnType<typeof listKeys>>[number];

interface NewApiKey {
  readonly accountId: number;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly ratePerMinute: number;
}

/** The route metadata needed here: group and name of the call. */
interface RouteDescription {
  readonly tags?: readonly string[];
  readonly operationId?: string;
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

export const stateOfKey = (key: ApiKeyRow): 'active' | 'expired' | 'revoked' => {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt.getTime() < Date.now() ? 'expired' : 'active';
};

/** The fields of a key shown to members and operators. */
export const keyOnWire = (key: ApiKeyRow) => ({
  id: key.id,
  label: key.label,
  prefix: key.prefix,
  scopes: key.scopes,
  rate_per_minute: key.ratePerMinute,
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
});

export type ApiKeys = ReturnType<typeof apiKeys>;

export function apiKeys({ db, prisma }: Database) {
  return {
    /** Creates a key and returns it. It cannot be read again later. */
    async create(request: NewApiKey, on: Db = db): Promise<{ id: number; key: string }> {
      const key = API_KEY_PREFIX + randomBytes(32).toString('base64url');
      const prefix = key.slice(0, SHOWN_CHARACTERS);
      const { id } = await on
        .insertInto('api_key')
        .values({
          account_id: request.accountId,
          label: request.label,
          prefix,
          key_hash: hashOf(key),
          scopes: [...request.scopes],
          rate_per_minute: request.ratePerMinute,
          expires_at: request.expiresAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { id, key };
    },

    /** All keys, or those of one account. */
    list: (accountId?: number, on: Db = db) => listKeys(on, accountId),

    /** @returns the account that owned the key; null when there is no such key or it has ended */
    async revoke(id: number, accountId?: number): Promise<number | null> {
      const [revoked] = await prisma.apiKey.updateManyAndReturn({
        where: { id, revokedAt: null, ...(accountId === undefined ? {} : { accountId }) },
        data: { revokedAt: new Date() },
      });
      return revoked?.accountId ?? null;
    },

    /**
     * Identifies the account of a key. `onSpent` receives the number of calls left in this minute.
     * @throws AppError auth.invalid, auth.expired, auth.scope, request.too-many
     */
    async verify(
      key: string,
      route: RouteDescription = {},
      onSpent: (budget: BudgetState) => void = () => undefined,
    ): Promise<Identity> {
      const found = await db
        .selectFrom('api_key')
        .innerJoin('account', 'account.id', 'api_key.account_id')
        .select(['api_key.id', 'account_id as accountId', 'user_type as userType', 'scopes'])
        .select('rate_per_minute as ratePerMinute')
        .select((at) => at('api_key.expires_at', '<', now).as('isOver'))
        .select((at) =>
          at
            .or([at('last_used_at', 'is', null), at('last_used_at', '<', fromNow(-TOUCH_SECONDS))])
            .as('isStale'),
        )
        .where('key_hash', '=', hashOf(key))
        .where('revoked_at', 'is', null)
        .where('account.deleted_at', 'is', null)
        .where('account.blocked_at', 'is', null)
        .executeTakeFirst();
      if (!found) throw new AppError('auth.invalid', {}, {}, 'auth.key-invalid');
      if (found.isOver) throw new AppError('auth.expired', {}, {}, 'auth.key-expired');
      const budget = { capacity: found.ratePerMinute, refillSeconds: 60 };
      const { allowed, left, retryAfterSeconds } = await spendToken(db, `key:${found.id}`, budget);
      const seconds = Math.max(1, retryAfterSeconds, Math.ceil(60 / found.ratePerMinute));
      onSpent({ name: 'key', limit: found.ratePerMinute, left, seconds });
      if (!allowed) throw new AppError('request.too-many', { seconds: retryAfterSeconds });
      const group = route.tags?.[0] ?? '';
      const isOpen =
        OPEN_TO_ALL_KEYS.has(route.operationId ?? '') ||
        (!CLOSED_GROUPS.has(group) && (found.scopes.includes(ALL) || found.scopes.includes(group)));
      if (!isOpen) throw new AppError('auth.scope', { scope: group });
      if (found.isStale)
        await db.updateTable('api_key').set({ last_used_at: now }).where('id', '=', found.id).execute();
      return { accountId: found.accountId, sessionId: null, userType: found.userType, apiKeyId: found.id };
    },
  };
}

const DAY_MILLISECONDS = 86_400_000;
/** Keys that a member may create per day. Ended keys stay listed, so this limit keeps the list short. */
const MADE_A_DAY = { capacity: 10, refillSeconds: 86_400 } as const;

interface OwnKeysOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
  readonly keys: ApiKeys;
  readonly isOffered: boolean;
}

/** API keys that members create for their own programs, if the operator allows it. */
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

  // The member confirms with a code, because keys stay valid after the session ends.
  serveCall(app, createApiKey, async ({ body, identity: { accountId }, request }) => {
    if (!isOffered) throw new AppError('key.not-offered');
    const scopes = [...new Set(body.scopes)];
    const unknown = scopes.find((scope) => !API_KEY_SCOPES.includes(scope));
    if (unknown !== undefined)
      throw new AppError('key.scope', { scope: unknown, offered: API_KEY_SCOPES.join(', ') });
    const expiresAt = new Date(Date.now() + body.days * DAY_MILLISECONDS);
    const made = await db.transaction().execute(async (tx) => {
      // The lock serialises concurrent requests, so that each request counts the keys created by the others.
      const held = await accounts.lockMobile(tx, accountId);
      const active = (await keys.list(accountId, tx)).filter((key) => stateOfKey(key) === 'active');
      if (active.length >= OWN_KEY_LIMITS.keys)
        throw new AppError('key.too-many', { limit: OWN_KEY_LIMITS.keys });
      await codes.redeemForHeld(body.sms_token, accountId, held, tx);
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

  /** Information that a key may read about itself. */
  serveCall(app, getKey, async ({ identity: { accountId, apiKeyId }, request }) => {
    const key = (await keys.list(accountId)).find(({ id }) => id === apiKeyId);
    if (!key) throw new AppError('key.none');
    const limit = key.ratePerMinute;
    const budget = { capacity: limit, refillSeconds: 60 };
    const [left = limit] = await tokensLeft(db, [{ key: `key:${key.id}`, budget }]);
    return {
      ...keyOnWire(key),
      budgets: [
        { name: 'key', limit, left: Math.floor(left), window_seconds: 60 },
        ...(await app.budgetsLeft(request)),
      ],
    };
  });
}
