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
import { type AdmissionLimits, type Caller, taskAdmission, TaskRefused } from './task-admission.ts';

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
  /** Ends the threads. */
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
