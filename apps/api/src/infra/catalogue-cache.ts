/**
 * A cache of answers that follow from the catalogue. Every change of it is announced by NOTIFY in the transaction that
 * makes it; while announcements cannot be heard nothing is remembered, so no answer outlives what it was made from.
 */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Db } from './database.ts';
import { type Listener, listenTo } from './notifications.ts';

const CHANNEL = 'catalogue_changed';

/** To be called inside the transaction that changes materials, energies or anything derived from them. */
export async function announceCatalogueChange(tx: Db): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, '')`.execute(tx);
}

export interface CatalogueCache<Value extends object | number | string> {
  /**
   * The remembered answer, or the one `make` gives now. An answer that was being made while the catalogue changed is
   * handed out but not kept.
   */
  remember(key: string, make: () => Promise<Value>): Promise<Value>;
}

export interface CatalogueCaches {
  /** A cache for `max` answers that is emptied with every change of the catalogue. */
  create<Value extends object | number | string>(max: number): CatalogueCache<Value>;
  /** The same, bounded by bytes; a value larger than a hundredth of them is not kept. */
  createSized<Value extends object | string>(
    maxBytes: number,
    bytesOf: (value: Value) => number,
  ): CatalogueCache<Value>;
  /** Calls back after every change, and whenever some may have been missed: for what is kept up to date itself. */
  onChange(callback: () => void): void;
  close(): Promise<void>;
}

export async function openCatalogueCaches(
  databaseUrl: string,
  onError: (error: Error) => void,
): Promise<CatalogueCaches> {
  const caches: { clear(): void }[] = [];
  const callbacks: (() => void)[] = [];
  let isListening = false;
  let generation = 0;
  const clearAll = () => {
    generation++;
    for (const cache of caches) cache.clear();
  };
  const listener: Listener = await listenTo(databaseUrl, CHANNEL, {
    onListening: () => {
      clearAll();
      isListening = true;
      for (const callback of callbacks) callback();
    },
    onLost: (error) => {
      isListening = false;
      clearAll();
      if (error) onError(error);
    },
    onMessage: () => {
      clearAll();
      for (const callback of callbacks) callback();
    },
  });
  function cacheIn<Value extends object | number | string>(
    cache: LRUCache<string, Value>,
  ): CatalogueCache<Value> {
    caches.push(cache);
    return {
      async remember(key, make) {
        const known = isListening ? cache.get(key) : undefined;
        if (known !== undefined) return known;
        const madeIn = generation;
        const value = await make();
        if (isListening && generation === madeIn) cache.set(key, value);
        return value;
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
    close: () => listener.close(),
  };
}
