/**
 * Login tokens: JWTs whose id is a row of `session`. Ending the row ends the token at once, on every process: a
 * revocation is announced by NOTIFY, and while the announcements cannot be heard nothing is cached.
 */
import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { AppError } from '../../plugins/app-error.ts';
import type { Identity } from '../../plugins/auth.ts';
import type { Database } from '../../plugins/database.ts';

export const SESSION_LIFETIME_SECONDS = 30 * 86_400;
/** A session nobody used for this long is over. */
export const SESSION_IDLE_SECONDS = 14 * 86_400;
/** `last_used_at` is written at most this often. */
const TOUCH_SECONDS = 300;
/** Even a cached session is looked up again after this time. */
const CACHE_MILLISECONDS = 60_000;
const CACHE_ENTRIES = 20_000;
const RECONNECT_MILLISECONDS = 1_000;
const CHANNEL = 'session_revoked';
const ALGORITHM = 'HS256';
const AUDIENCE = 'unitcell';

export interface SessionsOptions {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly signingKey: Uint8Array;
  readonly onError: (error: Error) => void;
}

export type Sessions = ReturnType<typeof sessions>;

export function sessions({ database, databaseUrl, signingKey, onError }: SessionsOptions) {
  const { pool } = database;
  const cache = new LRUCache<string, Identity>({ max: CACHE_ENTRIES, ttl: CACHE_MILLISECONDS });
  let listener: pg.Client | null = null;
  let isListening = false;
  let isClosed = false;

  async function listen(): Promise<void> {
    if (isClosed) return;
    const client = new pg.Client({ connectionString: databaseUrl });
    const lost = (error?: Error) => {
      if (listener !== client) return;
      listener = null;
      isListening = false;
      cache.clear();
      if (error) onError(error);
      if (!isClosed) setTimeout(() => void listen(), RECONNECT_MILLISECONDS).unref();
    };
    listener = client;
    client.on('error', lost);
    client.on('end', () => lost());
    client.on('notification', ({ payload }) => {
      if (payload?.startsWith('account:')) cache.clear();
      else if (payload) cache.delete(payload);
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      cache.clear();
      isListening = true;
    } catch (error) {
      lost(error as Error);
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

  return {
    /** Starts hearing revocations; until then every token is looked up. */
    start: listen,

    async close(): Promise<void> {
      isClosed = true;
      await listener?.end().catch(() => undefined);
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
      let sessionId: string | undefined;
      let accountId: number;
      try {
        const { payload } = await jwtVerify(token, signingKey, {
          algorithms: [ALGORITHM],
          audience: AUDIENCE,
        });
        sessionId = payload.jti;
        accountId = Number(payload.sub);
      } catch (error) {
        throw new AppError(error instanceof errors.JWTExpired ? 'auth.expired' : 'auth.invalid');
      }
      if (!sessionId || !Number.isInteger(accountId)) throw new AppError('auth.invalid');
      const cached = isListening ? cache.get(sessionId) : undefined;
      if (cached) return cached;
      const identity = await lookUp(sessionId, accountId);
      if (isListening) cache.set(sessionId, identity);
      return identity;
    },

    /** Ends one session. */
    async revoke(sessionId: string): Promise<void> {
      cache.delete(sessionId);
      await pool.query('UPDATE session SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL', [
        sessionId,
      ]);
      await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, sessionId]);
    },

    /** Ends every session of an account, except one if it is named. */
    async revokeAll(accountId: number, except?: string): Promise<void> {
      cache.clear();
      await pool.query(
        'UPDATE session SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL AND ($2::uuid IS NULL OR id <> $2)',
        [accountId, except ?? null],
      );
      await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, `account:${accountId}`]);
    },
  };
}
