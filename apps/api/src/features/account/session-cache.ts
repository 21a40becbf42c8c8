/**
 * Short-lived cache of sessions. An entry is never used after an announced revocation: results of look-ups
 * from before an announcement are neither kept nor given to later callers. Nothing is kept while announcements
 * cannot be received. A request that finds a stale entry uses it and refreshes it in the background, so that
 * active users do not wait.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../messages/app-error.ts';
import type { Identity } from '../../http/auth.ts';

const ENTRIES = 20_000;
/** For less active users, entries are usable for this multiple of the fresh period. */
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
  /** Running look-ups. A page sends several requests at once, which share one look-up. */
  const underWay = new Map<string, LookUpUnderWay>();
  let isListening = false;
  /** Incremented by every announcement, and whenever announcements may have been missed. */
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

  /** Returns the running look-up if it began after the last announcement, otherwise a new one. */
  function sharedLookUp(sessionId: string, accountId: number): Promise<Identity> {
    const shared = isListening ? underWay.get(sessionId) : undefined;
    if (shared?.generation === generation) return shared.identity;
    const identity = lookUpAndKeep(sessionId, accountId);
    underWay.set(sessionId, { generation, identity });
    return identity;
  }

  /**
   * Refreshes an entry, or deletes it if the session ended without an announcement. If the database is
   * unavailable, a later request tries again.
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
    /** Call this when the connection that brings announcements is open. */
    listening(): void {
      forgetAll();
      isListening = true;
    },

    /** Call this when the connection that brings announcements is lost. */
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

    /** Returns the session's account. @throws AppError auth.invalid or auth.expired */
    async get(sessionId: string, accountId: number): Promise<Identity> {
      const kept = cache.get(sessionId);
      if (!kept) return sharedLookUp(sessionId, accountId);
      if (lifetime - cache.getRemainingTTL(sessionId) > freshMilliseconds) void refresh(sessionId, accountId);
      return kept;
    },
  };
}
