/**
 * Login sessions: a token names a row of `session`, and ending the row ends the token at once, on every process: a
 * revocation is announced by NOTIFY to what each of them has cached.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../plugins/app-error.ts';
import type { Identity } from '../../plugins/auth.ts';
import type { Database, Queryable } from '../../plugins/database.ts';
import { type Listener, listenTo } from '../../plugins/notifications.ts';
import { loginTokens } from './login-token.ts';
import { sessionCache } from './session-cache.ts';

export const SESSION_LIFETIME_SECONDS = 30 * 86_400;
/** A session nobody used for this long is over. */
export const SESSION_IDLE_SECONDS = 14 * 86_400;
/** `last_used_at` is written at most this often. */
const TOUCH_SECONDS = 300;
/** A cached session that is used after this time is looked up again. */
const FRESH_MILLISECONDS = 60_000;
const CHANNEL = 'session_revoked';
const ACCOUNT_PREFIX = 'account:';

export interface SessionsOptions {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly signingKey: Uint8Array;
  readonly onError: (error: Error) => void;
  /** A minute, unless time is to pass faster. */
  readonly freshMilliseconds?: number;
}

export interface SessionRow {
  readonly id: string;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

export type Sessions = ReturnType<typeof sessions>;

/** One round trip: whose session it is, and a note that it was used, if the last one is old. */
const LOOK_UP = `
  WITH found AS MATERIALIZED (
    SELECT account.user_type,
           (session.expires_at < now() OR session.last_used_at < now() - make_interval(secs => $3)) AS is_over,
           session.last_used_at < now() - make_interval(secs => $4) AS is_stale
    FROM session JOIN account ON account.id = session.account_id
    WHERE session.id = $1 AND account.id = $2 AND session.revoked_at IS NULL AND account.deleted_at IS NULL
  ), touched AS (
    UPDATE session SET last_used_at = now() WHERE id = $1 AND (SELECT is_stale AND NOT is_over FROM found)
  )
  SELECT user_type, is_over FROM found`;

export function sessions({
  database,
  databaseUrl,
  signingKey,
  onError,
  freshMilliseconds = FRESH_MILLISECONDS,
}: SessionsOptions) {
  const { pool } = database;
  const tokens = loginTokens(signingKey);
  const cache = sessionCache(lookUp, freshMilliseconds);
  let listener: Listener | null = null;

  async function lookUp(sessionId: string, accountId: number): Promise<Identity> {
    const { rows } = await pool.query<{ user_type: number; is_over: boolean }>({
      name: 'session-look-up',
      text: LOOK_UP,
      values: [sessionId, accountId, SESSION_IDLE_SECONDS, TOUCH_SECONDS],
    });
    const row = rows[0];
    if (!row) throw new AppError('auth.invalid');
    if (row.is_over) throw new AppError('auth.expired');
    return { accountId, sessionId, userType: row.user_type };
  }

  return {
    /** Starts hearing revocations; until then every token is looked up. */
    async start(): Promise<void> {
      listener = await listenTo(databaseUrl, CHANNEL, {
        onListening: cache.listening,
        onLost: (error) => {
          cache.deaf();
          if (error) onError(error);
        },
        onMessage: (payload) => {
          if (payload.startsWith(ACCOUNT_PREFIX))
            cache.forgetAccount(Number(payload.slice(ACCOUNT_PREFIX.length)));
          else cache.forgetSession(payload);
        },
      });
    },

    async close(): Promise<void> {
      await listener?.close();
    },

    /** Opens a session and answers its token; inside a transaction `db` it is there once that is committed. */
    async open(
      request: { accountId: number; userAgent: string; address: string },
      db: Queryable = pool,
    ): Promise<string> {
      const id = randomUUID();
      await db.query(
        `INSERT INTO session (id, account_id, expires_at, user_agent, address)
         VALUES ($1, $2, now() + make_interval(secs => $3), $4, $5)`,
        [id, request.accountId, SESSION_LIFETIME_SECONDS, request.userAgent.slice(0, 300), request.address],
      );
      return tokens.sign(id, request.accountId, SESSION_LIFETIME_SECONDS);
    },

    /** @throws AppError auth.invalid or auth.expired */
    async verify(token: string): Promise<Identity> {
      const { sessionId, accountId } = await tokens.read(token);
      return cache.get(sessionId, accountId);
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
      cache.forgetSession(sessionId);
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
        [accountId, except, CHANNEL, ACCOUNT_PREFIX + String(accountId)],
      );
      cache.forgetAccount(accountId);
    },

    /** Tells every process that something about an account has changed, for instance its role. */
    async announce(accountId: number): Promise<void> {
      await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, ACCOUNT_PREFIX + String(accountId)]);
      cache.forgetAccount(accountId);
    },

    /** Forgets what is cached here of an account; call it after a transaction that ended its sessions was committed. */
    forget: cache.forgetAccount,
  };
}
