/**
 * Short-lived cache of sessions. An entry never outlives an announced revocation: what was looked up before
 * an announcement is neither kept nor given to callers that ask after it, and while announcements cannot be
 * received nothing is kept. A stale entry is refreshed in the background of the request that finds it, so
 * that active users do not wait.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../messages/app-error.ts';
import type { Identity } from '../../http/auth.ts';

const ENTRIES = 20_000;
/** Entries are usable for this many times the fresh period, for users who are less active. */
const STALE_FACTOR = 5;

/** Queries the database. @throws AppError auth.invalid or auth.expired */
export type LookUpSession = (sessionId: string, accountId: number) => Promise<Identity>;

interface LookUpUnderWay {
  readonly generation: number;
  readonly identity: Promise<Identity>;
}

export function sessionCache(lookUp: LookUpSession, freshMilliseconds: number) {
  const lifetime = freshMilliseconds * STALE_FACTOR;
  const cache = new LRUCache<string, Identity>({
    max: ENTRIES,
    ttl: lifetime,
    perf: { now: () => performance.now() }, // clock per call, so that tests can advance time
  });
  /** A page sends several requests at once: one look-up serves them all. */
  const underWay = new Map<string, LookUpUnderWay>();
  let isListening = false;
  /** Incremented by announcements, and whenever some may have been missed. */
  let generation = 0;

  async function lookUpAndKeep(sessionId: string, accountId: number): Promise<Identity> {
    const before = generation;
    try {
      const identity = await lookUp(sessionId, accountId);
      if (isListening && generation === before) cache.set(sessionId, identity);
      return identity;
    } finally {
      if (underWay.get(sessionId)?.generation === before) underWay.delete(sessionId);
    }
  }

  /** The running look-up if it is recent enough for this caller, or a new one. */
  function sharedLookUp(sessionId: string, accountId: number): Promise<Identity> {
    const shared = isListening ? underWay.get(sessionId) : undefined;
    if (shared?.generation === generation) return shared.identity;
    const identity = lookUpAndKeep(sessionId, accountId);
    underWay.set(sessionId, { generation, identity });
    return identity;
  }

  /**
   * Forgets a session that ended without an announcement; if the database is away, a later request tries
   * again.
   */
  async function refresh(sessionId: string, accountId: number): Promise<void> {
    try {
      await sharedLookUp(sessionId, accountId);
    } catch (error) {
      if (error instanceof AppError) cache.delete(sessionId);
    }
  }

  function forgetAll(): void {
    generation++;
    cache.clear();
  }

  return {
    /** Announcements are received from now on. */
    listening(): void {
      forgetAll();
      isListening = true;
    },

    /** Announcements may be missed from now on. */
    deaf(): void {
      forgetAll();
      isListening = false;
    },

    forgetSession(sessionId: string): void {
      generation++;
      cache.delete(sessionId);
    },

    forgetAccount(accountId: number): void {
      generation++;
      for (const [sessionId, identity] of cache.entries())
        if (identity.accountId === accountId) cache.delete(sessionId);
    },

    /** The session's account. @throws AppError auth.invalid or auth.expired */
    async get(sessionId: string, accountId: number): Promise<Identity> {
      const kept = cache.get(sessionId);
      if (!kept) return sharedLookUp(sessionId, accountId);
      if (lifetime - cache.getRemainingTTL(sessionId) > freshMilliseconds) void refresh(sessionId, accountId);
      return kept;
    },
  };
}
