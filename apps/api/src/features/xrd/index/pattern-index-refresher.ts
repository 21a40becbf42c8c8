/** Keeps the search index of calculated patterns up to date, and reports the progress of its first build. */
import type { Logger } from 'pino';
import { indexRefresher } from '../../../infra/index-refresher.ts';
import type { IndexState, Refreshed, RefreshRequest } from './refresh-index.ts';

export interface PatternIndexRefresher {
  /**
   * The newest finished index; waits for the first one.
   * @throws AppError server.busy when the first cannot be built now
   */
  current(): Promise<SharedArrayBuffer>;
  /** Progress, 0 to 1, while the first index is being built; otherwise null. */
  buildProgress(): number | null;
  /** Time when the served index was last known to be up to date; null: there is none yet. */
  freshAt(): Date | null;
  /** Patterns of the newest index, and seconds since it changed; null before the first. */
  figures(): { readonly patterns: number; readonly ageSeconds: number } | null;
  /** Starts building without waiting. */
  start(): void;
  close(): void;
}

interface RefresherOptions {
  readonly databaseUrl: string;
  /** Runs in a separate thread, so that a search never waits for it. */
  readonly refreshIndex: (request: RefreshRequest) => Promise<Refreshed>;
  /** Calls back after every change of the catalogue and whenever changes may have been missed. */
  readonly onCatalogueChange: (callback: () => void) => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export function patternIndexRefresher(options: RefresherOptions): PatternIndexRefresher {
  const { databaseUrl, refreshIndex, onCatalogueChange, log } = options;
  const progress = new SharedArrayBuffer(8);
  let newest: { patterns: number; at: number } | null = null;
  const refresher = indexRefresher<IndexState>({
    name: 'pattern index',
    refresh: (state) => {
      new Int32Array(progress).fill(0);
      return refreshIndex({ databaseUrl, state, progress });
    },
    onFresh: (fresh, milliseconds) => {
      const patterns = fresh.versions.length / 2;
      newest = { patterns, at: performance.now() };
      const megabytes = Math.round((fresh.buffer.byteLength + fresh.versions.byteLength) / 1e6);
      log.info({ patterns, megabytes, milliseconds }, 'pattern index ready');
      if (fresh.unreadable > 0)
        log.warn(
          { unreadable: fresh.unreadable },
          'stored patterns in an old format are not searched: run unitcell rebuild patterns',
        );
    },
    onCatalogueChange,
    log,
  });
  return {
    freshAt: refresher.freshAt,
    current: async () => (await refresher.current()).buffer,
    buildProgress() {
      if (refresher.isReady()) return null;
      const [done = 0, all = 0] = new Int32Array(progress);
      return all > 0 ? done / all : 0;
    },
    figures: () =>
      newest && { patterns: newest.patterns, ageSeconds: (performance.now() - newest.at) / 1000 },
    start: refresher.start,
    close: refresher.close,
  };
}
