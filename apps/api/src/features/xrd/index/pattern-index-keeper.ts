/**
 * Keeps the search index: built once in a thread, then brought up to date after changes of the catalogue. Matches that
 * run keep the buffer they began with; the newest finished one serves while the next is made, and whatever goes wrong.
 */
import type { Logger } from 'pino';
import { AppError } from '../../../messages/app-error.ts';
import type { IndexState, Refreshed, RefreshRequest } from './refresh-index.ts';

/** An import announces every batch: changes are gathered for this long. */
const GATHER_MILLISECONDS = 500;
/** Refreshing takes at most one part in this many of a processor, however often the catalogue changes. */
const REST_FACTOR = 10;
const RETRY_MILLISECONDS = 5_000;

export interface PatternIndexKeeper {
  /**
   * The newest finished index; waits for the first one.
   * @throws AppError server.busy when the first cannot be built now
   */
  current(): Promise<SharedArrayBuffer>;
  /** 0 to 1 while the first index is being built, else null. */
  buildProgress(): number | null;
  /** Starts building without waiting. */
  start(): void;
  close(): void;
}

interface KeeperOptions {
  readonly databaseUrl: string;
  /** In a thread that does nothing else, so that a search never waits for it. */
  readonly refreshIndex: (request: RefreshRequest) => Promise<Refreshed>;
  /** Calls back after every change of the catalogue and whenever some may have been missed. */
  readonly onCatalogueChange: (callback: () => void) => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export function patternIndexKeeper(options: KeeperOptions): PatternIndexKeeper {
  const { databaseUrl, refreshIndex, onCatalogueChange, log } = options;
  const progress = new SharedArrayBuffer(8);
  let state: IndexState | null = null;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isClosed = false;
  /** Changes were announced after the refresh under way began. */
  let isDue = false;
  let notBefore = 0;

  async function refresh(): Promise<void> {
    isDue = false;
    new Int32Array(progress).fill(0);
    const request: RefreshRequest = { databaseUrl, state, progress };
    const { state: fresh, milliseconds } = await refreshIndex(request);
    // The first build tells nothing about what a refresh takes.
    if (request.state) notBefore = performance.now() + REST_FACTOR * milliseconds;
    if (fresh === null) return;
    state = fresh;
    const patterns = fresh.versions.length / 2;
    const megabytes = Math.round((fresh.buffer.byteLength + fresh.versions.byteLength) / 1e6);
    log.info({ patterns, megabytes, milliseconds }, 'pattern index ready');
    if (fresh.unreadable > 0)
      log.warn(
        { unreadable: fresh.unreadable },
        'stored patterns of another format are not searched: unitcell rebuild patterns',
      );
  }

  function schedule(milliseconds: number): void {
    if (timer || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      void run();
    }, milliseconds);
    timer.unref();
  }

  /** One refresh at a time; never rejects. */
  function run(): Promise<void> {
    isStarted = true;
    running ??= refresh()
      .catch((error: unknown) => {
        if (isClosed) return;
        log.error({ err: error }, 'pattern index not refreshed');
        schedule(RETRY_MILLISECONDS);
      })
      .finally(() => {
        running = null;
        if (isDue) onChange();
      });
    return running;
  }

  function onChange(): void {
    if (!isStarted) return;
    isDue = true;
    if (!running) schedule(Math.max(GATHER_MILLISECONDS, notBefore - performance.now()));
  }
  onCatalogueChange(onChange);

  return {
    async current() {
      if (!state) await run();
      if (!state) throw new AppError('server.busy');
      return state.buffer;
    },
    buildProgress() {
      if (state) return null;
      const [done = 0, all = 0] = new Int32Array(progress);
      return all > 0 ? done / all : 0;
    },
    start: () => void run(),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
