/**
 * Keeps in-memory data of the catalogue current: builds them once in a thread and refreshes them after
 * changes. A caller keeps the state with which it began. The newest finished state is used while the next one
 * is built or if building fails.
 */
import type { Logger } from 'pino';
import { AppError } from '../messages/app-error.ts';

/** Time during which changes are collected, because an import notifies after every batch. */
const GATHER_MILLISECONDS = 500;
/** Pause after a refresh as a multiple of its duration. This limits refreshing to a tenth of a processor. */
const REST_FACTOR = 10;
const RETRY_MILLISECONDS = 5_000;

export interface IndexRefresher<State> {
  /**
   * The newest finished state; waits for the first one.
   * @throws AppError server.busy when the first state cannot be built now
   */
  current(): Promise<State>;
  /** True once the index has been built for the first time. */
  isReady(): boolean;
  /** Whether the state includes all changes announced so far. */
  isUpToDate(): boolean;
  /** When the current state was known to be up to date; null if there is none. */
  freshAt(): Date | null;
  /** Starts building without waiting. */
  start(): void;
  close(): void;
}

/** A finished build. `state` is null when nothing changed. */
export interface Refreshed<State> {
  readonly state: State | null;
  readonly milliseconds: number;
}

interface RefresherOptions<State> {
  /** Name in the log. */
  readonly name: string;
  /** Runs in a dedicated thread, so that requests do not wait for it. */
  readonly refresh: (state: State | null) => Promise<Refreshed<State>>;
  /** Called when a new state comes into use. */
  readonly onFresh: (state: State, milliseconds: number) => void;
  /** Calls back after every change of the catalogue and whenever changes may have been missed. */
  readonly onCatalogueChange: (callback: () => void) => void;
  readonly log: Pick<Logger, 'error'>;
}

export function indexRefresher<State>(options: RefresherOptions<State>): IndexRefresher<State> {
  const { name, onCatalogueChange, onFresh, log } = options;
  let state: State | null = null;
  let running: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isClosed = false;
  /** True if changes were announced after the current refresh began. */
  let isDue = false;
  let notBefore = 0;
  let freshAt: Date | null = null;

  async function refresh(): Promise<void> {
    isDue = false;
    const before = state;
    const { state: fresh, milliseconds } = await options.refresh(before);
    // The first build causes no pause, because its duration does not predict the duration of a refresh.
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
      if (!state) throw new AppError('server.busy', { seconds: RETRY_MILLISECONDS / 1000 });
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
