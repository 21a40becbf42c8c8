/**
 * Login tokens: JWTs whose id is a row of `session`. Ending the row ends the token at once, on every process: a
 * revocation is announced by NOTIFY, and while the announcements cannot be heard nothing is cached.
 */
import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../plugins/app-error.ts';
import type { Identity } from '../../plugins/auth.ts';
import type { Database, Queryable } from '../../plugins/database.ts';
import { type Listener, listenTo } from '../../plugins/notifications.ts';

export const SESSION_LIFETIME_SECONDS = 30 * 86_400;
/** A session nobody used for this long is over. */
export const SESSION_IDLE_SECONDS = 14 * 86_400;
/** `last_used_at` is written at most this often. */
const TOUCH_SECONDS = 300;
/** Even a cached session is looked up again after this time. */
const CACHE_MILLISECONDS = 60_000;
const CACHE_ENTRIES = 20_000;
const CHANNEL = 'session_revoked';
const ALGORITHM = 'HS256';
const AUDIENCE = 'unitcell';

interface SignedClaims {
  readonly sessionId: string;
  readonly accountId: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface SessionsOptions {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly signingKey: Uint8Array;
  readonly onError: (error: Error) => void;
}

export interface SessionRow {
  readonly id: string;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

export type Sessions = ReturnType<typeof sessions>;

export function sessions({ database, databaseUrl, signingKey, onError }: SessionsOptions) {
  const { pool } = database;
  const cache = new LRUCache<string, Identity>({ max: CACHE_ENTRIES, ttl: CACHE_MILLISECONDS });
  /** Tokens whose signature was checked: it stays right until they expire, and checking it costs more than all the rest. */
  const signed = new LRUCache<string, SignedClaims>({ max: CACHE_ENTRIES });
  let listener: Listener | null = null;
  let isListening = false;
  /** Counts announcements: what was looked up before one of them is not cached after it. */
  let generation = 0;

  /** @throws AppError auth.invalid or auth.expired */
  async function claimsOf(token: string): Promise<SignedClaims> {
    const known = signed.get(token);
    if (known) {
      if (known.expiresAt > Date.now()) return known;
      throw new AppError('auth.expired');
    }
    try {
      const { payload } = await jwtVerify(token, signingKey, { algorithms: [ALGORITHM], audience: AUDIENCE });
      const accountId = Number(payload.sub);
      if (!payload.jti || !payload.exp || !Number.isInteger(accountId)) throw new AppError('auth.invalid');
      const claims = { sessionId: payload.jti, accountId, expiresAt: payload.exp * 1000 };
      signed.set(token, claims);
      return claims;
    } catch (error) {
      throw new AppError(error instanceof errors.JWTExpired ? 'auth.expired' : 'auth.invalid');
    }
  }

  async function lookUp(sessionId: string, accountId: number): Promise<Identity> {
    const { rows } = await pool.query<{ user_type: number; is_over: boolean; is_stale: boolean }>(
      `SELECT account.user_type,
              (session.expires_at < now() OR session.last_used_at < now() - make_interval(secs => $3)) AS is_over,
              session.last_used_at < now() - make_interval(secs => $4) AS is_stale
       FROM session JOIN account ON account.id = session.account_id
       WHERE session.id = $1 AND account.id = $2 AND session.revoked_at IS NULL AND account.deleted_at IS NULL`,
      [sessionId, accountId, SESSION_IDLE_SECONDS, TOUCH_SECONDS],
    );
    const row = rows[0];
    if (!row) throw new AppError('auth.invalid');
    if (row.is_over) throw new AppError('auth.expired');
    if (row.is_stale) await pool.query('UPDATE session SET last_used_at = now() WHERE id = $1', [sessionId]);
    return { accountId, sessionId, userType: row.user_type };
  }

  function forget(): void {
    generation++;
    cache.clear();
  }

  return {
    /** Starts hearing revocations; until then every token is looked up. */
    async start(): Promise<void> {
      listener = await listenTo(databaseUrl, CHANNEL, {
        onListening: () => {
          cache.clear();
          isListening = true;
        },
        onLost: (error) => {
          isListening = false;
          cache.clear();
          if (error) onError(error);
        },
        onMessage: (payload) => {
          generation++;
          if (payload.startsWith('account:')) cache.clear();
          else cache.delete(payload);
        },
      });
    },

    async close(): Promise<void> {
      await listener?.close();
    },

    /** Opens a session and answers its token. */
    async open(request: { accountId: number; userAgent: string; address: string }): Promise<string> {
      const id = randomUUID();
      await pool.query(
        `INSERT INTO session (id, account_id, expires_at, user_agent, address)
         VALUES ($1, $2, now() + make_interval(secs => $3), $4, $5)`,
        [id, request.accountId, SESSION_LIFETIME_SECONDS, request.userAgent.slice(0, 300), request.address],
      );
      return new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setJti(id)
        .setSubject(String(request.accountId))
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(`${SESSION_LIFETIME_SECONDS}s`)
        .sign(signingKey);
    },

    /** @throws AppError auth.invalid or auth.expired */
    async verify(token: string): Promise<Identity> {
      const { sessionId, accountId } = await claimsOf(token);
      const cached = isListening ? cache.get(sessionId) : undefined;
      if (cached) return cached;
      const before = generation;
      const identity = await lookUp(sessionId, accountId);
      if (isListening && generation === before) cache.set(sessionId, identity);
      return identity;
    },

    /** The sessions of an account that are open, last used first. */
    async list(accountId: number): Promise<SessionRow[]> {
      const { rows } = await pool.query<SessionRow>(
        `SELECT id, user_agent AS "userAgent", address, created_at AS "createdAt", last_used_at AS "lastUsedAt"
         FROM session
         WHERE account_id = $1 AND revoked_at IS NULL AND expires_at > now()
           AND last_used_at > now() - make_interval(secs => $2)
         ORDER BY last_used_at DESC, created_at DESC LIMIT 100`,
        [accountId, SESSION_IDLE_SECONDS],
      );
      return rows;
    },

    /** Ends one session, if it is the account's. @returns whether there was one to end */
    async revoke(accountId: number, sessionId: string): Promise<boolean> {
      const { rows } = await pool.query(
        `WITH ended AS (UPDATE session SET revoked_at = now()
                        WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL RETURNING id)
         SELECT pg_notify($3, id::text) FROM ended`,
        [sessionId, accountId, CHANNEL],
      );
      forget();
      return rows.length > 0;
    },

    /**
     * Ends every session of an account, except one if it is named. In a transaction `db` this process and all others
     * hear of it when the transaction is committed.
     */
    async revokeAll(accountId: number, except: string | null = null, db: Queryable = pool): Promise<void> {
      await db.query(
        `WITH ended AS (UPDATE session SET revoked_at = now()
                        WHERE account_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id <> $2))
         SELECT pg_notify($3, $4)`,
        [accountId, except, CHANNEL, `account:${accountId}`],
      );
      forget();
    },

    /** Tells every process that something about an account has changed, for instance its role. */
    async announce(accountId: number): Promise<void> {
      await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, `account:${accountId}`]);
      forget();
    },

    /** Forgets what is cached here; call it after a transaction that ended sessions was committed. */
    forget,
  };
}
