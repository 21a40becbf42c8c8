/**
 * Whose session it is, kept for a short time. It never outlives a revocation that was announced: what was looked up
 * before an announcement is neither kept after it nor given to those who ask after it, and while announcements cannot
 * be heard nothing is kept at all. What has been kept for a while is looked up again beside the request that finds it, so
 * that people who are at work do not wait for it.
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../../messages/app-error.ts';
import type { Identity } from '../../http/auth.ts';

const ENTRIES = 20_000;
/** Kept so many times longer than it counts as fresh, by those who are not at work. */
const STALE_FACTOR = 5;

/** Asks the database. @throws AppError auth.invalid or auth.expired */
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
    perf: { now: () => performance.now() }, // the clock of the moment: tests let time pass
  });
  /** A page that opens asks several things at once: one look-up answers them all. */
  const underWay = new Map<string, LookUpUnderWay>();
  let isListening = false;
  /** Counts announcements and the moments at which some may have been missed. */
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

  /** The look-up under way that answers a question of now, or a new one. */
  function sharedLookUp(sessionId: string, accountId: number): Promise<Identity> {
    const shared = isListening ? underWay.get(sessionId) : undefined;
    if (shared?.generation === generation) return shared.identity;
    const identity = lookUpAndKeep(sessionId, accountId);
    underWay.set(sessionId, { generation, identity });
    return identity;
  }

  /** A session that has ended without an announcement is forgotten; a database that is away is asked again later. */
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
    /** From now on every announcement is heard. */
    listening(): void {
      forgetAll();
      isListening = true;
    },

    /** From now on announcements may be missed. */
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
