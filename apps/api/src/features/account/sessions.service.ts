/**
 * Login sessions: a token names a row of `session`, and ending the row ends the token at once, on every process: a
 * revocation is announced by NOTIFY to what each of them has cached.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../messages/app-error.ts';
import type { Concerns, Identity } from '../../http/auth.ts';
import type { Database, Db } from '../../infra/database.ts';
import { type Listener, listenTo } from '../../infra/notifications.ts';
import { loginTokens } from './login-token.ts';
import { sessionCache } from './session-cache.ts';
import { sessionsRepository } from './sessions.repository.ts';

export const SESSION_LIFETIME_SECONDS = 30 * 86_400;
/** A session nobody used for this long is over. */
export const SESSION_IDLE_SECONDS = 14 * 86_400;
/** `last_used_at` is written at most this often. */
const TOUCH_SECONDS = 300;
/** A cached session that is used after this time is looked up again. */
const FRESH_MILLISECONDS = 60_000;
const ACCOUNT_PREFIX = 'account:';
const LONGEST_USER_AGENT = 300;

export interface SessionsOptions {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly signingKey: Uint8Array;
  readonly onError: (error: Error) => void;
  /** Hears of every session and account that ended or changed, and of moments at which that may have been missed. */
  readonly onChange?: (concerns: Concerns) => void;
  /** Sessions of internal users that were opened without a second factor are over. */
  readonly demandsSecondFactor?: boolean;
  /** A minute, unless time is to pass faster. */
  readonly freshMilliseconds?: number;
}

export type Sessions = ReturnType<typeof sessions>;

export function sessions({
  database,
  databaseUrl,
  signingKey,
  onError,
  onChange = () => undefined,
  demandsSecondFactor = false,
  freshMilliseconds = FRESH_MILLISECONDS,
}: SessionsOptions) {
  const stored = sessionsRepository(database, {
    idleSeconds: SESSION_IDLE_SECONDS,
    touchSeconds: TOUCH_SECONDS,
  });
  const tokens = loginTokens(signingKey);
  const cache = sessionCache(lookUp, freshMilliseconds);
  let listener: Listener | null = null;

  async function lookUp(sessionId: string, accountId: number): Promise<Identity> {
    const found = await stored.lookUp(sessionId, accountId);
    if (!found) throw new AppError('auth.invalid');
    const lacksFactor = demandsSecondFactor && found.userType !== 1 && !found.hasSecondFactor;
    if (found.isOver || lacksFactor) throw new AppError('auth.expired');
    const { userType, isAdministrator } = found;
    return { accountId, sessionId, userType, isAdministrator };
  }

  return {
    /** Starts hearing revocations; until then every token is looked up. */
    async start(): Promise<void> {
      listener = await listenTo(databaseUrl, stored.channel, {
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

    /** Opens a session and answers its token; inside a transaction `on` it is there once that is committed. */
    async open(
      {
        accountId,
        userAgent,
        address,
        hasSecondFactor = false,
      }: { accountId: number; userAgent: string; address: string; hasSecondFactor?: boolean },
      on: Db = database.db,
    ): Promise<string> {
      const id = randomUUID();
      const lifetimeSeconds = SESSION_LIFETIME_SECONDS;
      await stored.insert(on, {
        id,
        accountId,
        lifetimeSeconds,
        userAgent: userAgent.slice(0, LONGEST_USER_AGENT),
        address,
        hasSecondFactor,
      });
      return tokens.sign(id, accountId, lifetimeSeconds);
    },

    /** @throws AppError auth.invalid or auth.expired */
    async verify(token: string): Promise<Identity> {
      const { sessionId, accountId } = tokens.read(token);
      return cache.get(sessionId, accountId);
    },

    /** The sessions of an account that are open, last used first. */
    list: stored.open,

    /** Ends one session, if it is the account's. @returns whether there was one to end */
    async revoke(accountId: number, sessionId: string): Promise<boolean> {
      const isEnded = await stored.end(accountId, sessionId);
      cache.forgetSession(sessionId);
      return isEnded;
    },

    /**
     * Ends every session of an account, except one if it is named. In a transaction `on` this process and all others
     * hear of it when the transaction is committed.
     */
    async revokeAll(accountId: number, except: string | null = null, on: Db = database.db): Promise<void> {
      await stored.endAll(on, accountId, except, ACCOUNT_PREFIX + String(accountId));
      cache.forgetAccount(accountId);
    },

    /** Notes that who uses this session has shown a second factor. */
    noteSecondFactor: (sessionId: string, on: Db): Promise<void> => stored.noteSecondFactor(on, sessionId),

    /** Tells every process that something about an account has changed, for instance its role. */
    async announce(accountId: number): Promise<void> {
      await stored.announce(database.db, ACCOUNT_PREFIX + String(accountId));
      cache.forgetAccount(accountId);
    },

    /** Forgets what is cached here of an account; call it after a transaction that ended its sessions was committed. */
    forget: cache.forgetAccount,
  };
}
