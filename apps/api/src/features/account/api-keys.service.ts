/**
 * Keys of collaborators' programs: `Authorization: token uck_…`. A key is 256 random bits, stored as a hash, opens the
 * groups of calls an operator chose, expires, has a budget of calls of its own and is revoked at once. Calls about the
 * account itself stay closed to keys, except the profile.
 */
import { createHash, randomBytes } from 'node:crypto';
import { calls, getUserInfor } from '@unitcell/contract';
import { AppError } from '../../plugins/app-error.ts';
import type { Identity } from '../../plugins/auth.ts';
import type { Database } from '../../plugins/database.ts';
import { spendToken } from '../../plugins/token-bucket.ts';

export const API_KEY_PREFIX = 'uck_';
export const DEFAULT_CALLS_PER_MINUTE = 120;
const ALL = 'all';
/** Keys of this group could take an account over. */
const CLOSED_GROUP = 'account';
/** What any key may ask: whose it is, and what there is to call. */
export const OPENAPI_OPERATION = 'openApi';
const OPEN_TO_ALL_KEYS: ReadonlySet<string> = new Set([getUserInfor.name, OPENAPI_OPERATION]);
/** `last_used_at` is written at most this often, in seconds. */
const TOUCH_SECONDS = 60;
const SHOWN_CHARACTERS = API_KEY_PREFIX.length + 6;

/** Scopes a key may have: a group of calls each, or all of them. */
export const API_KEY_SCOPES: readonly string[] = [
  ALL,
  ...new Set(calls.map((call) => call.group).filter((group) => group !== CLOSED_GROUP)),
];

export interface ApiKeyRow {
  readonly id: number;
  readonly label: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly ratePerMinute: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

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

export type ApiKeys = ReturnType<typeof apiKeys>;

export function apiKeys({ pool }: Database) {
  return {
    /** Makes a key and answers it: the only time it can be read. */
    async create(request: NewApiKey): Promise<{ id: number; key: string }> {
      const key = API_KEY_PREFIX + randomBytes(32).toString('base64url');
      const { rows } = await pool.query<{ id: number }>(
        `INSERT INTO api_key (account_id, label, prefix, key_hash, scopes, rate_per_minute, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
        [
          request.accountId,
          request.label,
          key.slice(0, SHOWN_CHARACTERS),
          hashOf(key),
          request.scopes,
          request.ratePerMinute,
          request.expiresAt,
        ],
      );
      return { id: rows[0]!.id, key };
    },

    async list(): Promise<ApiKeyRow[]> {
      const { rows } = await pool.query<ApiKeyRow>(
        `SELECT id, label, prefix, scopes, rate_per_minute AS "ratePerMinute", created_at AS "createdAt",
                expires_at AS "expiresAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
         FROM api_key ORDER BY id`,
      );
      return rows;
    },

    /** @returns the account whose key it was; null when there is no such key or it has ended */
    async revoke(id: number): Promise<number | null> {
      const { rows } = await pool.query<{ account_id: number }>(
        'UPDATE api_key SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING account_id',
        [id],
      );
      return rows[0]?.account_id ?? null;
    },

    /** @throws AppError auth.invalid, auth.expired, auth.scope, request.too-many */
    async verify(key: string, route: RouteDescription = {}): Promise<Identity> {
      const { rows } = await pool.query<{
        id: number;
        account_id: number;
        user_type: number;
        scopes: string[];
        rate_per_minute: number;
        is_over: boolean;
        is_stale: boolean;
      }>(
        `SELECT api_key.id, account_id, user_type, scopes, rate_per_minute, api_key.expires_at < now() AS is_over,
                coalesce(last_used_at < now() - make_interval(secs => $2), true) AS is_stale
         FROM api_key JOIN account ON account.id = account_id
         WHERE key_hash = $1 AND revoked_at IS NULL AND account.deleted_at IS NULL`,
        [hashOf(key), TOUCH_SECONDS],
      );
      const row = rows[0];
      if (!row) throw new AppError('auth.invalid');
      if (row.is_over) throw new AppError('auth.expired');
      const budget = { capacity: row.rate_per_minute, refillSeconds: 60 };
      const { allowed, retryAfterSeconds } = await spendToken(pool, `key:${row.id}`, budget);
      if (!allowed) throw new AppError('request.too-many', { seconds: retryAfterSeconds });
      const group = route.tags?.[0] ?? '';
      const isOpen =
        OPEN_TO_ALL_KEYS.has(route.operationId ?? '') ||
        (group !== CLOSED_GROUP && (row.scopes.includes(ALL) || row.scopes.includes(group)));
      if (!isOpen) throw new AppError('auth.scope', { scope: group });
      if (row.is_stale) await pool.query('UPDATE api_key SET last_used_at = now() WHERE id = $1', [row.id]);
      return { accountId: row.account_id, sessionId: null, userType: row.user_type, apiKeyId: row.id };
    },
  };
}
