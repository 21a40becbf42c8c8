/** Sessions: signed-in accounts and the expiry of each sign-in. */
import { sql } from 'kysely';
import { listSessions, type LoginSession, revokeSession } from '@unitcell/contract/account';
import fastify, { type FastifyInstance } from 'fastify';
import type { Concerns, Identity } from '../../http/auth.ts';
import { type Database, databaseTrouble, type Db } from '../../infra/database.ts';
import { type Listener, listenTo } from '../../infra/notifications.ts';
import { now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { sessionCache } from './session-cache.ts';
import { originOf, type RequestOrigin } from '../../http/client-network.ts';
import { withoutAjv } from '../../http/errors.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import { type AuditEntry, writeAudit } from './audit-log.ts';
import {
  lookUpSession,
  lookUpSessionOnly,
  openConfirmedSession,
  openingOf,
  openSession,
  type OpenSession,
  openSessionsOf,
  SESSION_LIFETIME_SECONDS,
} from './sessions.repository.ts';
import fastifyJwt, { type JWT } from '@fastify/jwt';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

const CHANNEL = 'session_revoked';
/** A cached session that is used after this time is looked up again. */
const FRESH_MILLISECONDS = 60_000;
const ACCOUNT_PREFIX = 'account:';

interface SessionsOptions {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly signingKey: Uint8Array;
  readonly onError: (error: Error) => void;
  /**
   * Called for every session and account that ended or changed, and when such announcements may have been
   * missed.
   */
  readonly onChange?: (concerns: Concerns) => void;
  /** If true, sessions of internal users that were opened without a second factor end. */
  readonly demandsSecondFactor?: boolean;
}

export type Sessions = ReturnType<typeof sessions>;

export function sessions({
  database,
  databaseUrl,
  signingKey,
  onError,
  onChange = () => undefined,
  demandsSecondFactor = false,
}: SessionsOptions) {
  const { db } = database;
  const tokens = loginTokens(signingKey);
  const cache = sessionCache(lookUp, FRESH_MILLISECONDS);
  let listener: Listener | null = null;

  /** The owner of a session. The same query also records the use of the session if the last record is old. */
  async function lookUp(sessionId: string, accountId: number): Promise<Identity> {
    const [found] = await lookUpSession(db, sessionId, accountId).catch((error: unknown) => {
      // A full disk must not prevent requests. Use is recorded again once there is space.
      if (databaseTrouble(error) === 'disk-full') return lookUpSessionOnly(db, sessionId, accountId);
      throw error;
    });
    if (!found) throw new AppError('auth.invalid');
    // A sign-in that began before a factor was activated may open its session after the others were ended.
    const needsFactor = found.isEnrolled || (demandsSecondFactor && found.userType !== 1);
    const lacksFactor = needsFactor && !found.hasSecondFactor;
    if (found.isOver || lacksFactor) throw new AppError('auth.expired');
    const { userType, isAdministrator } = found;
    return { accountId, sessionId, userType, isAdministrator };
  }

  /** Notifies all processes on commit. */
  async function notify(on: Db, message: string): Promise<void> {
    await on.selectNoFrom(sql`pg_notify(${CHANNEL}, ${message})`.as('announced')).execute();
  }

  return {
    /** Starts listening for revocations. Until then every token is looked up. */
    async start(): Promise<void> {
      listener = await listenTo(databaseUrl, CHANNEL, {
        onListening: () => {
          cache.listening();
          onChange(() => true);
        },
        onLost: (error) => {
          cache.deaf();
          if (error) onError(error);
        },
        onMessage: (payload) => {
          if (payload.startsWith(ACCOUNT_PREFIX)) {
            const changed = Number(payload.slice(ACCOUNT_PREFIX.length));
            cache.forgetAccount(changed);
            onChange(({ accountId }) => accountId === changed);
          } else {
            cache.forgetSession(payload);
            onChange(({ sessionId }) => sessionId === payload);
          }
        },
      });
    },

    async close(): Promise<void> {
      await listener?.close();
    },

    /**
     * Opens a session, writes the sign-in to the audit log, and returns the token. If `on` is a transaction,
     * the session exists only after its commit.
     * @throws AppError auth.invalid if the account was deleted or blocked meanwhile
     */
    async open(
      {
        accountId,
        origin,
        hasSecondFactor = false,
        audit: { address: noted, detail } = {},
      }: {
        accountId: number;
        origin: Pick<RequestOrigin, 'address' | 'userAgent'>;
        hasSecondFactor?: boolean;
        audit?: Partial<Pick<AuditEntry, 'address' | 'detail'>>;
      },
      on: Db = db,
    ): Promise<string> {
      const session = openingOf(origin, detail, hasSecondFactor, noted);
      const [opened] = await openSession(on, accountId, ...session);
      if (!opened) throw new AppError('auth.invalid');
      return tokens.sign(session[0], accountId, SESSION_LIFETIME_SECONDS);
    },

    /**
     * Opens a session for the account of a confirmed number, in one statement. Returns null and changes
     * nothing if the confirmation is not valid, or if the account does not exist, is blocked, or has to
     * present a second factor.
     */
    async openConfirmed(
      tokenHash: Buffer,
      mobile: string,
      origin: RequestOrigin,
      detail: AuditEntry['detail'],
    ): Promise<string | null> {
      const session = openingOf(origin, detail);
      const [opened] = await openConfirmedSession(db, tokenHash, mobile, demandsSecondFactor, ...session);
      return opened ? tokens.sign(session[0], opened.accountId, SESSION_LIFETIME_SECONDS) : null;
    },

    /** @throws AppError auth.invalid or auth.expired */
    async verify(token: string): Promise<Identity> {
      const { sessionId, accountId } = await tokens.read(token);
      return cache.get(sessionId, accountId);
    },

    list: (accountId: number) => openSessionsOf(db, accountId),

    /** Ends one session if it belongs to the account. @returns whether there was one */
    async revoke(accountId: number, sessionId: string): Promise<boolean> {
      const ended = await db
        .with('ended', (of) =>
          of
            .updateTable('session')
            .set({ revoked_at: now })
            .where('id', '=', sessionId)
            .where('account_id', '=', accountId)
            .where('revoked_at', 'is', null)
            .returning('id'),
        )
        .selectFrom('ended')
        .select(({ ref }) => sql`pg_notify(${CHANNEL}, ${ref('id')}::text)`.as('announced'))
        .execute();
      cache.forgetSession(sessionId);
      return ended.length > 0;
    },

    /**
     * Ends all sessions of an account (except the session `except`, if given), and also its sign-ins that
     * wait for a second factor. If `on` is a transaction, all processes are notified when it commits.
     */
    async revokeAll(accountId: number, except: string | null = null, on: Db = db): Promise<void> {
      // Deleted first, because the deletion waits for a sign-in that is just opening its session.
      await on.deleteFrom('second_factor_challenge').where('account_id', '=', accountId).execute();
      await on
        .updateTable('session')
        .set({ revoked_at: now })
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .$if(except !== null, (query) => query.where('id', '<>', except!))
        .execute();
      await notify(on, ACCOUNT_PREFIX + String(accountId));
      cache.forgetAccount(accountId);
    },

    /** Records that this session has presented a second factor. */
    async noteSecondFactor(sessionId: string, on: Db): Promise<void> {
      await on.updateTable('session').set({ has_second_factor: true }).where('id', '=', sessionId).execute();
    },

    /** Notifies all processes that an account has changed, for instance its role. */
    async announce(accountId: number): Promise<void> {
      await notify(db, ACCOUNT_PREFIX + String(accountId));
      cache.forgetAccount(accountId);
    },

    /** Drops cached sessions of an account; call it after the commit of a transaction that ended them. */
    forget: cache.forgetAccount,
  };
}

/** The open sessions of an account: the list for its owner, and the end of one of them (spec §4.4). */
export function ownSessionsRoutes(app: FastifyInstance, { db }: Database, open: Sessions): void {
  serveCall(app, listSessions, async ({ identity: { accountId, sessionId } }) => ({
    sessions: (await open.list(accountId)).map((row) => toLoginSession(row, sessionId)),
  }));

  serveCall(app, revokeSession, async ({ body, identity: { accountId }, request }) => {
    if (!(await open.revoke(accountId, body.session_id))) throw new AppError('account.no-such-session');
    const { address } = originOf(request);
    await writeAudit(db, { accountId, event: 'logout', address, detail: { other: true } });
    return done;
  });
}

/** A session in the list for its owner. */
export const toLoginSession = (row: OpenSession, currentId: string | null): LoginSession => ({
  id: row.id,
  device: deviceName(row.userAgent),
  address: maskAddress(row.address),
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt.toISOString(),
  current: row.id === currentId,
});

// ── Texts by which owners recognise a session ──

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger\//, 'WeChat'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** For example `Firefox on Linux`. An unrecognised user agent is shown as it is, shortened. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return (
    browser ??
    system ??
    userAgent
      .replace(/[^\x20-\x7e]/g, '')
      .slice(0, 40)
      .trim()
  );
}

/** `192.0.2.*`, `2001:db8:1:2:*`: enough to recognise a network. */
export function maskAddress(address: string): string {
  if (address.includes('.')) return address.replace(/\.\d+$/, '.*');
  return address.includes(':') ? `${address.split(':').slice(0, 4).join(':')}:*` : address;
}

/* Login tokens: JWTs signed by this installation. The id of a token is the id of a row of `session`. */

const ALGORITHM = 'HS256';
const AUDIENCE = 'unitcell';
const EXPIRED = 'FAST_JWT_EXPIRED';
const MILLISECONDS = 1000;
/** Size of the cache of verified tokens, about one kilobyte each. */
const KEPT = 10_000;

/** The library validates these claims only if present; here they are required. */
const claims = z.object({
  jti: z.string().min(1),
  sub: z.coerce.number().int(),
  exp: z.number(),
  aud: z.literal(AUDIENCE),
});

interface TokenClaims {
  readonly sessionId: string;
  readonly accountId: number;
}

interface ReadToken {
  readonly claims: TokenClaims;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A separate Fastify instance, because the command line signs tokens without a server. */
async function openJwt(signingKey: Uint8Array): Promise<JWT> {
  const app = fastify({ schemaController: withoutAjv });
  await app.register(fastifyJwt, {
    secret: Buffer.from(signingKey),
    sign: { algorithm: ALGORITHM, aud: AUDIENCE },
    verify: { algorithms: [ALGORITHM], allowedAud: AUDIENCE, cache: false },
  });
  return app.jwt;
}

export function loginTokens(signingKey: Uint8Array) {
  const opened = openJwt(signingKey);
  /** Cache of verified tokens, because active users send the same token with each call. */
  const kept = new LRUCache<string, ReadToken>({ max: KEPT });

  /** Require canonical base64url: lenient decoders accept several encodings of one signature. */
  const isCanonical = (token: string): boolean => {
    const signature = token.slice(token.lastIndexOf('.') + 1);
    return Buffer.from(signature, 'base64url').toString('base64url') === signature;
  };

  return {
    sign: async (sessionId: string, accountId: number, lifetimeSeconds: number): Promise<string> =>
      (await opened).sign({}, { jti: sessionId, sub: String(accountId), expiresIn: lifetimeSeconds }),

    /** The claims of a token signed by this installation. @throws AppError auth.invalid or auth.expired */
    async read(token: string): Promise<TokenClaims> {
      const known = kept.get(token);
      if (known && known.expiresAt > Date.now()) return known.claims;
      if (!isCanonical(token)) throw new AppError('auth.invalid');
      const jwt = await opened;
      try {
        const { jti, sub, exp } = claims.parse(jwt.verify(token));
        const read: TokenClaims = { sessionId: jti, accountId: sub };
        kept.set(token, { claims: read, expiresAt: exp * MILLISECONDS });
        return read;
      } catch (error) {
        const isOver = error instanceof Error && 'code' in error && error.code === EXPIRED;
        throw new AppError(isOver ? 'auth.expired' : 'auth.invalid');
      }
    },
  };
}
