/**
 * Worker threads for work that would block the event loop for more than 50 ms. A thread file is in the folder of
 * the functions that it exports and is called through a typed handle:
 *
 *     import type * as functions from './x.thread.ts';
 *     const handle = pool.open<typeof functions>(new URL('./x.thread.ts', import.meta.url));
 *     await handle.run('functionOfThatFile', argument, caller);
 *
 * Every task has a time limit. If a task exceeds it or its result is no longer needed, its thread is
 * terminated.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { type TaskMessage, type TaskOutcome, unpackError } from './run-task.thread.ts';

/** The functions of a thread file, by name. */
export interface ThreadHandle<Functions> {
  /**
   * Calls the function of that name in a thread.
   * @throws TaskRefused, or the function's error; errors of the science packages and of the product keep
   * class and values
   */
  run<Name extends keyof Functions & string>(
    name: Name,
    argument: ArgumentOf<Functions[Name]>,
    caller?: Caller,
  ): Promise<ResultOf<Functions[Name]>>;
}

type ArgumentOf<Function> = Function extends (argument: infer Argument) => unknown ? Argument : never;
type ResultOf<Function> = Function extends (...parts: never) => infer Result ? Awaited<Result> : never;

export interface ThreadPool {
  /** Largest number of threads. */
  readonly size: number;
  open<Functions>(file: URL): ThreadHandle<Functions>;
  counts(): { readonly running: number; readonly waiting: number };
  close(): Promise<void>;
}

export interface ThreadPoolOptions {
  /** Largest number of threads; default: one per processor. */
  readonly size?: number;
  /** MiB of JavaScript heap after which a thread is terminated. */
  readonly maxHeapMb?: number;
  /**
   * Keeps started threads for a day without work. Starting a thread and loading its code (symmetry search,
   * network) takes ten to thirty times as long as the calculation, and on a site with few users almost every
   * call would have to wait for it. A thread takes about 100 MB.
   */
  readonly isKeptWarm?: boolean;
  /** Time limit of a task; after it the thread is terminated. */
  readonly taskSeconds: number;
  /** Limit of waiting tasks; default: none, for callers that limit them themselves. */
  readonly waiting?: number;
  readonly perOwner?: AdmissionLimits['perOwner'];
}

/** Node cannot load TypeScript in a thread. Without a build, a small JavaScript file loads it. */
const isSource = import.meta.url.endsWith('.ts');

/** A thread without work ends after this time. */
const IDLE_MS = 10_000;
const ONE_DAY_MS = 86_400_000;

/** A calculation that exceeded its limits is not worth an immediate retry. */
const RETRY_COSTLY_SECONDS = 30;

const isOutOfMemory = (error: unknown): boolean =>
  (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';

export function openThreadPool(options: ThreadPoolOptions): ThreadPool {
  const {
    size = availableParallelism(),
    maxHeapMb = 512,
    taskSeconds,
    waiting,
    perOwner,
    isKeptWarm,
  } = options;
  const pool = new Piscina({
    filename: new URL('./thread-entry.cjs', import.meta.url).href,
    name: 'runTask',
    minThreads: 0,
    maxThreads: size,
    idleTimeout: isKeptWarm === true ? ONE_DAY_MS : IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  // A thread that dies while starting or idle has no task to reject. Without this listener the error would
  // end the process.
  pool.on('error', (error: Error) => process.emitWarning(`worker thread: ${error.message}`));
  // Tasks never wait inside Piscina: its queue does not start a new thread after one was terminated.
  const admission = taskAdmission({
    slots: size,
    waiting: waiting ?? Number.POSITIVE_INFINITY,
    ...(perOwner ? { perOwner } : {}),
  });

  let isClosed = false;

  async function inThread(message: TaskMessage, abandoned?: AbortSignal): Promise<unknown> {
    // Tasks that still wait at shutdown do not start.
    if (isClosed) throw new TaskRefused('busy', 1);
    const ending = new AbortController();
    const end = (refused: TaskRefused) => ending.abort(refused);
    const abandon = () => end(new TaskRefused('abandoned', 0));
    const tooCostly = new TaskRefused('too-costly', RETRY_COSTLY_SECONDS);
    const timer = setTimeout(end, taskSeconds * 1000, tooCostly);
    if (abandoned?.aborted) abandon();
    abandoned?.addEventListener('abort', abandon, { once: true });
    try {
      const outcome: TaskOutcome = await pool.run(message, { signal: ending.signal });
      if ('error' in outcome) throw unpackError(outcome.error);
      return outcome.result;
    } catch (error) {
      if (ending.signal.aborted) throw ending.signal.reason;
      throw isOutOfMemory(error) ? tooCostly : error;
    } finally {
      clearTimeout(timer);
      abandoned?.removeEventListener('abort', abandon);
    }
  }

  return {
    size,
    open<Functions>(file: URL): ThreadHandle<Functions> {
      // The build puts all thread files into the folder of the program.
      const { href } = isSource ? file : new URL(file.pathname.replace(/\.ts$/, '.js'), file);
      return {
        run: async <Name extends keyof Functions & string>(
          name: Name,
          argument: ArgumentOf<Functions[Name]>,
          caller?: Caller,
        ) =>
          (await admission.run(
            () => inThread({ file: href, name, argument }, caller?.signal),
            caller,
          )) as ResultOf<Functions[Name]>,
      };
    },
    counts: admission.counts,
    close() {
      isClosed = true;
      return pool.destroy();
    },
  };
}

// ── Admission of tasks ──

// Limits the numbers of running and waiting tasks, in total and per owner. Owners take turns. Tasks beyond the limits
// are refused at once instead of waiting long.

/** The owner of a task, and the signal that ends it. */
export interface Caller {
  /** Account or key; tasks without one belong to the process and have no limit per owner. */
  readonly owner: string;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * `owner-busy`: this owner has too many tasks; `busy`: too many tasks in total; `abandoned`: the result is no
 * longer needed; `too-costly`: time or memory limit exceeded.
 */
export type TaskRefusal = 'owner-busy' | 'busy' | 'abandoned' | 'too-costly';

export class TaskRefused extends Error {
  override readonly name = 'TaskRefused';
  constructor(
    readonly reason: TaskRefusal,
    /** Seconds until a retry may succeed. */
    readonly retryAfterSeconds: number,
  ) {
    super(reason);
  }
}

interface AdmissionLimits {
  /** Concurrent tasks. */
  readonly slots: number;
  readonly waiting: number;
  /** Limits per owner; default: none. */
  readonly perOwner?: { readonly running: number; readonly waiting: number };
}

interface Waiting {
  begin(): void;
}

/** Waiting tasks end or are refused within seconds, so a short pause is enough. */
const RETRY_SECONDS = 2;

export type TaskAdmission = ReturnType<typeof taskAdmission>;

export function taskAdmission({ slots, waiting: maxWaiting, perOwner }: AdmissionLimits) {
  /** Waiting tasks of each owner in order; the next owner comes first. */
  const waiting = new Map<string, Waiting[]>();
  const running = new Map<string, number>();
  let runningCount = 0;
  let waitingCount = 0;

  const isFree = (owner: string): boolean =>
    runningCount < slots && (owner === '' || (running.get(owner) ?? 0) < (perOwner?.running ?? slots));

  function take(owner: string): void {
    runningCount++;
    running.set(owner, (running.get(owner) ?? 0) + 1);
  }

  function release(owner: string): void {
    runningCount--;
    const left = running.get(owner)! - 1;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);
    beginNext();
  }

  function remove(owner: string, entry: Waiting): void {
    waitingCount--;
    const left = waiting.get(owner)!.filter((one) => one !== entry);
    // Deleting and setting again moves the owner to the end.
    waiting.delete(owner);
    if (left.length > 0) waiting.set(owner, left);
  }

  function beginNext(): void {
    for (;;) {
      const next = [...waiting].find(([owner]) => isFree(owner));
      if (!next) return;
      const [owner, [entry]] = next;
      remove(owner, entry!);
      take(owner);
      entry!.begin();
    }
  }

  function waitForTurn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const own = waiting.get(owner) ?? [];
    if (perOwner && owner !== '' && own.length >= perOwner.waiting)
      throw new TaskRefused('owner-busy', RETRY_SECONDS);
    if (waitingCount >= maxWaiting) throw new TaskRefused('busy', RETRY_SECONDS);
    return new Promise((resolve, reject) => {
      const abandon = () => {
        remove(owner, entry);
        reject(new TaskRefused('abandoned', 0));
      };
      const entry: Waiting = {
        begin() {
          signal?.removeEventListener('abort', abandon);
          resolve();
        },
      };
      waiting.set(owner, [...own, entry]);
      waitingCount++;
      signal?.addEventListener('abort', abandon, { once: true });
    });
  }

  /**
   * Waits for the caller's turn. The returned function ends the task and must be called once.
   * @throws TaskRefused owner-busy, busy, abandoned
   */
  async function begin(caller?: Caller): Promise<() => void> {
    const owner = caller?.owner ?? '';
    if (caller?.signal.aborted) throw new TaskRefused('abandoned', 0);
    if (isFree(owner)) take(owner);
    else await waitForTurn(owner, caller?.signal);
    return () => release(owner);
  }

  return {
    begin,

    /**
     * Runs the work when it is admitted.
     * @throws TaskRefused owner-busy, busy, abandoned
     */
    async run<T>(work: () => Promise<T>, caller?: Caller): Promise<T> {
      const end = await begin(caller);
      try {
        return await work();
      } finally {
        end();
      }
    },

    counts: () => ({ running: runningCount, waiting: waitingCount }),
  };
}
