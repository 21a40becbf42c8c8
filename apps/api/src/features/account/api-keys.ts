/** API keys. */
import { createHash, randomBytes } from 'node:crypto';
import { calls } from '@unitcell/contract';
import {
  type createApiKey,
  getKey,
  getUserInfor,
  type listApiKeys,
  OWN_KEY_LIMITS,
} from '@unitcell/contract/account';
import type { CallAnswer, CallRequest } from '@unitcell/contract/define-call';
import type { Identity } from '../../http/auth.ts';
import type { BudgetState } from '../../http/budgets.ts';
import type { Database, Db } from '../../infra/database.ts';
import { fromNow, now, shownName } from '../../infra/sql.ts';
import { spendToken, tokensLeft } from '../../infra/token-bucket.ts';
import { AppError } from '../../messages/app-error.ts';
import type { AccountRepository } from './account.repository.ts';
import { writeAudit } from './audit-log.ts';
import type { RequestOrigin } from './request-origin.ts';
import type { SmsCodes } from './sms-codes.ts';

/**
 * Keys that members create for their own programs, if the operator allows it. A code confirms it because keys
 * outlive sessions.
 */
const DAY_MILLISECONDS = 86_400_000;
/** Ended keys stay listed. This limit keeps the list short. */
const MADE_A_DAY = { capacity: 10, refillSeconds: 86_400 } as const;

interface OwnKeysOptions {
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
    async create(accountId: number, asked: CallRequest<typeof createApiKey>, origin: RequestOrigin) {
      if (!isOffered) throw new AppError('key.not-offered');
      const scopes = [...new Set(asked.scopes)];
      const unknown = scopes.find((scope) => !API_KEY_SCOPES.includes(scope));
      if (unknown !== undefined)
        throw new AppError('key.scope', { scope: unknown, offered: API_KEY_SCOPES.join(', ') });
      const expiresAt = new Date(Date.now() + asked.days * DAY_MILLISECONDS);
      return db.transaction().execute(async (tx) => {
        // The lock serialises concurrent requests, so that each counts the other's key.
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
          address: origin.address,
          detail: { key: made.id, scopes: scopes.join(',') },
        });
        return { ...made, expires_at: expiresAt.toISOString() };
      });
    },

    /** @throws AppError key.not-found */
    async revoke(accountId: number, id: number, origin: RequestOrigin): Promise<void> {
      if ((await keys.revoke(id, accountId)) === null) throw new AppError('key.not-found');
      await writeAudit(db, { accountId, event: 'key-revoked', address: origin.address, detail: { key: id } });
    },

    /** What a key may read about itself. @throws AppError key.none */
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

/** `last_used_at` is written at most this often, in seconds. */
const TOUCH_SECONDS = 60;

interface StoredApiKey {
  readonly accountId: number;
  readonly label: string;
  readonly prefix: string;
  readonly keyHash: Buffer;
  readonly scopes: readonly string[];
  readonly ratePerMinute: number;
  readonly expiresAt: Date;
}

type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof apiKeysRepository>['list']>>[number];

function apiKeysRepository(db: Db) {
  return {
    async insert(key: StoredApiKey): Promise<number> {
      const { id } = await db
        .insertInto('api_key')
        .values({
          account_id: key.accountId,
          label: key.label,
          prefix: key.prefix,
          key_hash: key.keyHash,
          scopes: [...key.scopes],
          rate_per_minute: key.ratePerMinute,
          expires_at: key.expiresAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async list(accountId?: number) {
      return db
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
    },

    async byHash(hash: Buffer) {
      return db
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
        .where('key_hash', '=', hash)
        .where('revoked_at', 'is', null)
        .where('account.deleted_at', 'is', null)
        .where('account.blocked_at', 'is', null)
        .executeTakeFirst();
    },

    async touch(id: number): Promise<void> {
      await db.updateTable('api_key').set({ last_used_at: now }).where('id', '=', id).execute();
    },
  };
}

// ── The rules ──

export const API_KEY_PREFIX = 'uck_';
export const DEFAULT_CALLS_PER_MINUTE = 120;
const ALL = 'all';
/** Keys with these groups could take over an account or the site. */
const CLOSED_GROUPS: ReadonlySet<string> = new Set(['account', 'operate']);
/** Calls open to every key: its owner and the OpenAPI document. */
const OPEN_TO_ALL_KEYS: ReadonlySet<string> = new Set([getUserInfor.name, getKey.name]);
const SHOWN_CHARACTERS = API_KEY_PREFIX.length + 6;

/** Scopes a key may have: one per call group, or all. */
export const API_KEY_SCOPES: readonly string[] = [
  ALL,
  ...new Set(calls.map((call) => call.group).filter((group) => !CLOSED_GROUPS.has(group))),
];

interface NewApiKey {
  readonly accountId: number;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly ratePerMinute: number;
}

/** The route metadata needed here: the group and name of its call. */
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
  const stored = apiKeysRepository(db);
  return {
    /** Creates a key and returns it. It cannot be read again later. */
    async create(request: NewApiKey, on: Db = db): Promise<{ id: number; key: string }> {
      const key = API_KEY_PREFIX + randomBytes(32).toString('base64url');
      const prefix = key.slice(0, SHOWN_CHARACTERS);
      return { id: await apiKeysRepository(on).insert({ ...request, prefix, keyHash: hashOf(key) }), key };
    },

    /** All keys, or those of one account. */
    list: (accountId?: number, on: Db = db) => apiKeysRepository(on).list(accountId),

    /** @returns the account that owned the key; null when there is no such key or it has ended */
    async revoke(id: number, accountId?: number): Promise<number | null> {
      const [revoked] = await prisma.apiKey.updateManyAndReturn({
        where: { id, revokedAt: null, ...(accountId === undefined ? {} : { accountId }) },
        data: { revokedAt: new Date() },
      });
      return revoked?.accountId ?? null;
    },

    /**
     * `onSpent` receives the calls left in this minute.
     * @throws AppError auth.invalid, auth.expired, auth.scope, request.too-many
     */
    async verify(
      key: string,
      route: RouteDescription = {},
      onSpent: (budget: BudgetState) => void = () => undefined,
    ): Promise<Identity> {
      const found = await stored.byHash(hashOf(key));
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
      if (found.isStale) await stored.touch(found.id);
      return { accountId: found.accountId, sessionId: null, userType: found.userType, apiKeyId: found.id };
    },
  };
}
