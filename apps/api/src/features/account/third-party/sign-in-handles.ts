/**
 * The secrets of one third-party sign-in: `state` on the way out, then `third-party` (a new identity) or
 * `ticket` (a known one). Each is random, sealed, short-lived and for single use. It is valid only in the browser
 * that began the sign-in, which has a secret in a cookie that scripts cannot read. The database stores hashes.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Database, Db } from '../../../infra/database.ts';
import { fromNow, json, now } from '../../../infra/sql.ts';

const provider = z.enum(['github', 'wechat']);
const authorization = z.enum(['github', 'wechat', 'oidc']);

/** Data stored with each kind of handle. */
const handleData = {
  state: z.object({ provider: authorization, redirectUri: z.string(), codeVerifier: z.string() }),
  'third-party': z.object({ provider, providerUserId: z.string(), displayName: z.string() }),
  ticket: z.object({ provider: authorization }),
  /** An invitation link of the operator, valid for the first browser that opens it. */
  invite: z.object({}),
};

export type HandleKind = keyof typeof handleData;
export type HandleData<Kind extends HandleKind> = z.infer<(typeof handleData)[Kind]>;

export const HANDLE_LIFETIME_SECONDS: Readonly<Record<HandleKind, number>> = {
  /** Time to sign in at the provider. */
  state: 600,
  /** Time to receive a code and type it. */
  'third-party': 900,
  ticket: 60,
  /** Lifetime of an invitation: long enough to cover a weekend. */
  invite: 259_200,
};

export interface Handle<Kind extends HandleKind> {
  readonly accountId: number | null;
  readonly data: HandleData<Kind>;
}

const dataOf = <Kind extends HandleKind>(kind: Kind, data: unknown): HandleData<Kind> =>
  handleData[kind].parse(data) as HandleData<Kind>;

export type SignInHandles = ReturnType<typeof signInHandles>;

/** Placeholder for the browser's secret while no browser is known yet. */
export const INVITED_BROWSER = 'invited';

export const TICKET_PREFIX = 'uct_';

export function signInHandles({ db }: Database, sealKey: Buffer) {
  const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest();
  const sealOf = (kind: HandleKind, random: string): string =>
    createHmac('sha256', sealKey).update(`${kind}:${random}`).digest('base64url').slice(0, 22);

  /** An edited handle, or one of another kind, is rejected before the database is queried. */
  function isSealed(kind: HandleKind, handle: string): boolean {
    const [random = '', seal = ''] = handle.replace(TICKET_PREFIX, '').split('.');
    const expected = Buffer.from(sealOf(kind, random));
    const given = Buffer.from(seal);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  return {
    async make<Kind extends HandleKind>(
      kind: Kind,
      request: { browser: string; accountId: number | null; data: HandleData<Kind> },
    ): Promise<string> {
      const random = randomBytes(32).toString('base64url');
      const handle = `${kind === 'ticket' ? TICKET_PREFIX : ''}${random}.${sealOf(kind, random)}`;
      await db
        .insertInto('sign_in_handle')
        .values({
          handle_hash: hash(handle),
          kind,
          browser_hash: hash(request.browser),
          account_id: request.accountId,
          data: json(request.data),
          expires_at: fromNow(HANDLE_LIFETIME_SECONDS[kind]),
        })
        .execute();
      return handle;
    },

    /**
     * Uses a handle up; null when it is unknown, used, expired, edited, of another kind or of another
     * browser. Inside a transaction `on` this takes effect on commit.
     */
    async redeem<Kind extends HandleKind>(
      kind: Kind,
      handle: string,
      browser: string | null,
      on: Db = db,
    ): Promise<Handle<Kind> | null> {
      if (browser === null || !isSealed(kind, handle)) return null;
      const used = await on
        .updateTable('sign_in_handle')
        .set({ consumed_at: now })
        .where('handle_hash', '=', hash(handle))
        .where('kind', '=', kind)
        .where('browser_hash', '=', hash(browser))
        .where('consumed_at', 'is', null)
        .where('expires_at', '>', now)
        .returning(['account_id', 'data'])
        .executeTakeFirst();
      return used ? { accountId: used.account_id, data: dataOf(kind, used.data) } : null;
    },
  };
}

/** Lifetime of the cookie that ties a third-party sign-in to the browser that began it. */
const COOKIE_SECONDS = 1800;
const VALUE = /^[\w-]{43}$/;

export function browserCookie(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  // With this prefix browsers reject a cookie planted by another host or over plain HTTP.
  const name = isSecure ? '__Host-unitcell_browser' : 'unitcell_browser';

  function read(request: FastifyRequest): string | null {
    for (const part of (request.headers.cookie ?? '').split(';')) {
      const [key, value = ''] = part.trim().split('=');
      if (key === name && VALUE.test(value)) return value;
    }
    return null;
  }

  return {
    read,

    /** The browser's secret, created if missing. Lax: it must survive the redirect from the provider. */
    ensure(request: FastifyRequest, reply: FastifyReply): string {
      const value = read(request) ?? randomBytes(32).toString('base64url');
      void reply.header(
        'Set-Cookie',
        `${name}=${value}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
      );
      return value;
    },
  };
}

export type BrowserCookie = ReturnType<typeof browserCookie>;
