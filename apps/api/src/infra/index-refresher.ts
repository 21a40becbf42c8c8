/**
 * Keeps what is held in memory of the catalogue: made once in a thread, then brought up to date after changes. Whoever uses
 * it keeps the state it began with; the newest finished one serves while the next is made, and whatever goes wrong.
 */
import type { Logger } from 'pino';
import { AppError } from '../messages/app-error.ts';

/** An import announces every batch: changes are gathered for this long. */
const GATHER_MILLISECONDS = 500;
/** Refreshing takes at most one part in this many of a processor, however often the catalogue changes. */
const REST_FACTOR = 10;
const RETRY_MILLISECONDS = 5_000;

export interface IndexRefresher<State> {
  /**
   * The newest finished state; waits for the first one.
   * @throws AppError server.busy when the first cannot be made now
   */
  current(): Promise<State>;
  /** The first has been made. */
  isReady(): boolean;
  /** It holds every change of the catalogue that was announced so far. */
  isUpToDate(): boolean;
  /** When the one that serves was found to be up to date; null: there is none yet. */
  freshAt(): Date | null;
  /** Starts making it without waiting. */
  start(): void;
  close(): void;
}

/** `state` is null when nothing changed. */
export interface Refreshed<State> {
  readonly state: State | null;
  readonly milliseconds: number;
}

interface KeeperOptions<State> {
  /** What it is, for the log. */
  readonly name: string;
  /** In a thread that does nothing else, so that a request never waits for it. */
  readonly refresh: (state: State | null) => Promise<Refreshed<State>>;
  /** A new state serves from now on. */
  readonly onFresh: (state: State, milliseconds: number) => void;
  /** Calls back after every change of the catalogue and whenever some may have been missed. */
  readonly onCatalogueChange: (callback: () => void) => void;
  readonly log: Pick<Logger, 'error'>;
}

export function indexRefresher<State>(options: KeeperOptions<State>): IndexRefresher<State> {
  const { name, onCatalogueChange, onFresh, log } = options;
  let state: State | null = null;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isClosed = false;
  /** Changes were announced after the refresh under way began. */
  let isDue = false;
  let notBefore = 0;
  let freshAt: Date | null = null;

  async function refresh(): Promise<void> {
    isDue = false;
    const before = state;
    const { state: fresh, milliseconds } = await options.refresh(before);
    // The first build tells nothing about what a refresh takes.
    if (before) notBefore = performance.now() + REST_FACTOR * milliseconds;
    freshAt = new Date();
    if (fresh === null) return;
    state = fresh;
    onFresh(fresh, milliseconds);
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
        log.error({ err: error }, `${name} not refreshed`);
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
      return state;
    },
    isReady: () => state !== null,
    isUpToDate: () => state !== null && !isDue && running === null,
    freshAt: () => freshAt,
    start: () => void run(),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
