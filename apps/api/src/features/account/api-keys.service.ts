/**
 * Keys of collaborators' programs: `Authorization: token uck_…`. A key is 256 random bits, stored as a hash, opens the
 * groups of calls an operator chose, expires, has a budget of calls of its own and is revoked at once. Calls about the
 * account itself stay closed to keys, except the profile.
 */
import { createHash, randomBytes } from 'node:crypto';
import { calls, getKey, getUserInfor } from '@unitcell/contract';
import { AppError } from '../../messages/app-error.ts';
import type { Identity } from '../../http/auth.ts';
import type { BudgetState } from '../../http/budgets.ts';
import type { Database, Db } from '../../infra/database.ts';
import { spendToken } from '../../infra/token-bucket.ts';
import { type ApiKeyRow, apiKeysRepository } from './api-keys.repository.ts';

export const API_KEY_PREFIX = 'uck_';
export const DEFAULT_CALLS_PER_MINUTE = 120;
const ALL = 'all';
/** Keys of these groups could take an account over, or the site. */
const CLOSED_GROUPS: ReadonlySet<string> = new Set(['account', 'operate']);
/** What any key may ask: whose it is, and what there is to call. */
const OPEN_TO_ALL_KEYS: ReadonlySet<string> = new Set([getUserInfor.name, getKey.name]);
const SHOWN_CHARACTERS = API_KEY_PREFIX.length + 6;

/** Scopes a key may have: a group of calls each, or all of them. */
export const API_KEY_SCOPES: readonly string[] = [
  ALL,
  ...new Set(calls.map((call) => call.group).filter((group) => !CLOSED_GROUPS.has(group))),
];

export interface NewApiKey {
  readonly accountId: number;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly ratePerMinute: number;
}

/** What a route says of itself: its group and the name of its call. */
interface RouteDescription {
  readonly tags?: readonly string[];
  readonly operationId?: string;
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

export const stateOfKey = (key: ApiKeyRow): 'active' | 'expired' | 'revoked' => {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt.getTime() < Date.now() ? 'expired' : 'active';
};

/** What members and operators are told of a key. */
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

export function apiKeys({ db }: Database) {
  const stored = apiKeysRepository(db);
  return {
    /** Makes a key and answers it: the only time it can be read. */
    async create(request: NewApiKey, on: Db = db): Promise<{ id: number; key: string }> {
      const key = API_KEY_PREFIX + randomBytes(32).toString('base64url');
      const prefix = key.slice(0, SHOWN_CHARACTERS);
      return { id: await apiKeysRepository(on).insert({ ...request, prefix, keyHash: hashOf(key) }), key };
    },

    /** All of them, or those of one account. */
    list: (accountId?: number, on: Db = db) => apiKeysRepository(on).list(accountId),

    revoke: stored.revoke,

    /**
     * `onSpent` hears what is left of the calls of a minute.
     * @throws AppError auth.invalid, auth.expired, auth.scope, request.too-many
     */
    async verify(
      key: string,
      route: RouteDescription = {},
      onSpent: (budget: BudgetState) => void = () => undefined,
    ): Promise<Identity> {
      const found = await stored.byHash(hashOf(key));
      if (!found) throw new AppError('auth.invalid');
      if (found.isOver) throw new AppError('auth.expired');
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
