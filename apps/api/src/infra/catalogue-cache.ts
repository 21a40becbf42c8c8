/**
 * A cache of answers that depend on the catalogue. Every change of the catalogue sends a NOTIFY in its
 * transaction. While notifications cannot be received nothing is cached, so no answer becomes stale.
 */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Db } from './database.ts';
import { type Listener, listenTo } from './notifications.ts';
import { oneAtATime } from './process.ts';

const CHANNEL = 'catalogue_changed';
const ASK_AGAIN_MILLISECONDS = 1_000;

/** Call it inside the transaction that changes materials, energies or derived data. */
export async function announceCatalogueChange(tx: Db): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, '')`.execute(tx);
}

export interface CatalogueCache<Value extends object | number | string> {
  /** The cached answer; undefined if there is none. */
  known(key: string): Value | undefined;
  /**
   * The cached answer, or a new one from `make`. Concurrent calls for one answer wait until the first call
   * has made it, and make their own only if the first call fails. An answer made while the catalogue changed
   * is returned but not cached.
   */
  remember(key: string, make: () => Promise<Value>): Promise<Value>;
}

export interface CatalogueCaches {
  /** A cache for `max` answers that is cleared by every change of the catalogue. */
  create<Value extends object | number | string>(max: number): CatalogueCache<Value>;
  /** A cache limited by bytes. A value larger than a hundredth of the limit is not cached. */
  createSized<Value extends object | string>(
    maxBytes: number,
    bytesOf: (value: Value) => number,
  ): CatalogueCache<Value>;
  /**
   * Calls back after every change and whenever changes may have been missed, for data that are refreshed
   * separately.
   */
  onChange(callback: () => void): void;
  close(): Promise<void>;
}

/** @param arrived resolves when the replica, if one serves reads, has all changes announced before the call */
export async function openCatalogueCaches(
  databaseUrl: string,
  onError: (error: Error) => void,
  arrived: (() => Promise<void>) | null = null,
): Promise<CatalogueCaches> {
  const caches: { clear(): void }[] = [];
  const callbacks: (() => void)[] = [];
  let isListening = false;
  let generation = 0;
  const clearAll = () => {
    generation++;
    for (const cache of caches) cache.clear();
  };
  const changed = () => {
    clearAll();
    for (const callback of callbacks) callback();
  };
  // A change reaches a replica later than its announcement. When it has arrived, the caches are cleared
  // again, because they may contain data that were read from the replica before. A replica that does not
  // answer is asked again, because it may come back without the change.
  const changedOnReplica: (() => void) | null =
    arrived &&
    oneAtATime(() =>
      arrived().then(
        changed,
        () => void setTimeout(() => isListening && changedOnReplica?.(), ASK_AGAIN_MILLISECONDS).unref(),
      ),
    );
  const listener: Listener = await listenTo(databaseUrl, CHANNEL, {
    onListening: () => {
      isListening = true;
      changed();
      changedOnReplica?.();
    },
    onLost: (error) => {
      isListening = false;
      clearAll();
      if (error) onError(error);
    },
    onMessage: () => {
      changed();
      changedOnReplica?.();
    },
  });
  function cacheIn<Value extends object | number | string>(
    cache: LRUCache<string, Value>,
  ): CatalogueCache<Value> {
    /** Answers in progress. Cleared with the cache, so that none uses an older state of the catalogue. */
    const making = new Map<string, Promise<Value>>();
    caches.push(cache, making);
    const known = (key: string): Value | undefined => (isListening ? cache.get(key) : undefined);
    return {
      known,
      async remember(key, make) {
        for (;;) {
          // The first call may fail, for instance because its visitor has left.
          const found = known(key) ?? (await making.get(key)?.catch(() => undefined));
          if (found !== undefined) return found;
          if (!making.has(key)) break;
        }
        const madeIn = generation;
        const made = make();
        if (isListening) making.set(key, made);
        try {
          const value = await made;
          if (isListening && generation === madeIn) cache.set(key, value);
          return value;
        } finally {
          if (making.get(key) === made) making.delete(key);
        }
      },
    };
  }
  return {
    create: (max) => cacheIn(new LRUCache({ max })),
    createSized: (maxBytes, bytesOf) =>
      cacheIn(
        new LRUCache({
          maxSize: maxBytes,
          maxEntrySize: Math.ceil(maxBytes / 100),
          sizeCalculation: bytesOf,
        }),
      ),
    onChange: (callback) => void callbacks.push(callback),
    close() {
      isListening = false;
      return listener.close();
    },
  };
}
