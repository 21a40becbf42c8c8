/**
 * The secrets of one third-party sign-in: `state` on the way out, then `third-party` (somebody the provider knows and we
 * do not) or `ticket` (somebody we know). Each is random, sealed, short-lived, single use, and worth something only in
 * the browser the sign-in began in, which holds a secret in a cookie scripts cannot read. The database keeps hashes.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database, Queryable } from '../../../plugins/database.ts';

export type HandleKind = 'state' | 'third-party' | 'ticket';

/** Seconds a handle lives. */
export const HANDLE_LIFETIME_SECONDS: Readonly<Record<HandleKind, number>> = {
  /** Time to sign in at the provider. */
  state: 600,
  /** Time to receive a code and type it. */
  'third-party': 900,
  ticket: 60,
};

export interface Handle<Data> {
  readonly accountId: number | null;
  readonly data: Data;
}

export type SignInHandles = ReturnType<typeof signInHandles>;

export const TICKET_PREFIX = 'uct_';

export function signInHandles({ pool }: Database, sealKey: Buffer) {
  const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest();
  const sealOf = (kind: HandleKind, random: string): string =>
    createHmac('sha256', sealKey).update(`${kind}:${random}`).digest('base64url').slice(0, 22);

  /** An edited handle, or one of another kind, is refused before the database is asked. */
  function isSealed(kind: HandleKind, handle: string): boolean {
    const [random = '', seal = ''] = handle.replace(TICKET_PREFIX, '').split('.');
    const expected = Buffer.from(sealOf(kind, random));
    const given = Buffer.from(seal);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  return {
    async make(
      kind: HandleKind,
      request: { browser: string; accountId: number | null; data: object },
    ): Promise<string> {
      const random = randomBytes(32).toString('base64url');
      const handle = `${kind === 'ticket' ? TICKET_PREFIX : ''}${random}.${sealOf(kind, random)}`;
      await pool.query(
        `INSERT INTO sign_in_handle (handle_hash, kind, browser_hash, account_id, data, expires_at)
         VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
        [
          hash(handle),
          kind,
          hash(request.browser),
          request.accountId,
          JSON.stringify(request.data),
          HANDLE_LIFETIME_SECONDS[kind],
        ],
      );
      return handle;
    },

    /**
     * Uses a handle up; null when it is unknown, used, expired, edited, of another kind or of another browser.
     * Inside a transaction `db` it is used up only if that is committed.
     */
    async redeem<Data>(
      kind: HandleKind,
      handle: string,
      browser: string | null,
      db: Queryable = pool,
    ): Promise<Handle<Data> | null> {
      if (browser === null || !isSealed(kind, handle)) return null;
      const { rows } = await db.query<{ account_id: number | null; data: Data }>(
        `UPDATE sign_in_handle SET consumed_at = now()
         WHERE handle_hash = $1 AND kind = $2 AND browser_hash = $3 AND consumed_at IS NULL AND expires_at > now()
         RETURNING account_id, data`,
        [hash(handle), kind, hash(browser)],
      );
      return rows[0] ? { accountId: rows[0].account_id, data: rows[0].data } : null;
    },
  };
}
