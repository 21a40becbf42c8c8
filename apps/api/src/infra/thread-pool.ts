/**
 * Worker threads for work that would hold the event loop for more than 50 ms. A thread file lies beside the functions it
 * exports and is called through a handle that has its types:
 *
 *     import type * as functions from './x.thread.ts';
 *     const handle = pool.open<typeof functions>(new URL('./x.thread.ts', import.meta.url));
 *     await handle.run('functionOfThatFile', argument, caller);
 *
 * Every task has a time limit; the thread of one that exceeds it, or that nobody waits for any more, is ended.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { type TaskMessage, type TaskOutcome, unpackError } from './run-task.thread.ts';
import { type AdmissionLimits, type Caller, taskAdmission, TaskRefused } from './task-admission.ts';

/** The functions of a thread file, by name. */
export interface ThreadHandle<Functions> {
  /**
   * Calls the function of that name in a thread.
   * @throws TaskRefused, or what the function throws: errors of the science and of the product keep class and values
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
  /** Threads at most. */
  readonly size: number;
  open<Functions>(file: URL): ThreadHandle<Functions>;
  /** Tasks that run and that wait. */
  counts(): { readonly running: number; readonly waiting: number };
  /** Ends the threads. */
  close(): Promise<void>;
}

export interface ThreadPoolOptions {
  /** Threads at most; one per processor when absent. */
  readonly size?: number;
  /** MiB of JavaScript heap a thread may take before it is ended. */
  readonly maxHeapMb?: number;
  /**
   * Threads that were started stay for a day without work. Starting one and loading what it runs (the symmetry search, the network)
   * costs ten to thirty times the answer itself; on a site with few users nearly every call would pay for it. A thread takes some
   * 100 MB.
   */
  readonly isKeptWarm?: boolean;
  /** A task that takes longer is ended with its thread. */
  readonly taskSeconds: number;
  /** Tasks that may wait; any number when absent, for callers that bound it themselves. */
  readonly waiting?: number;
  readonly perOwner?: AdmissionLimits['perOwner'];
}

/** Node cannot load TypeScript in a thread by itself; where there is no build, a small JavaScript file does it. */
const isSource = import.meta.url.endsWith('.ts');

/** A thread without work ends after this. */
const IDLE_MS = 10_000;
const ONE_DAY_MS = 86_400_000;

/** A calculation that was ended for what it costs is not worth asking for again at once. */
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
  // A thread that dies while it starts or idles has no task to reject. Unheard, that would end the whole process.
  pool.on('error', (error: Error) => process.emitWarning(`worker thread: ${error.message}`));
  // Nothing ever waits inside Piscina: its queue forgets to start a thread for what waits when one was ended.
  const admission = taskAdmission({
    slots: size,
    waiting: waiting ?? Number.POSITIVE_INFINITY,
    ...(perOwner ? { perOwner } : {}),
  });

  let isClosed = false;

  async function inThread(message: TaskMessage, abandoned?: AbortSignal): Promise<unknown> {
    // What waited when the threads were ended does not begin any more.
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
      // The build puts every thread file beside the program.
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
