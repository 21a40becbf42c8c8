/** Worker threads for work that would hold the event loop for more than 50 ms. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';

export type ThreadFile = 'standardise' | 'crystal' | 'phase' | 'xrd';

export interface ThreadPool {
  /** Threads at most. */
  readonly size: number;
  /** Calls the function of that name, exported by the thread file. Rejects when it throws or the thread dies. */
  run<Result>(name: string, argument: unknown, options?: { readonly signal?: AbortSignal }): Promise<Result>;
  /** Ends the threads. */
  close(): Promise<void>;
}

export interface ThreadPoolOptions {
  /** Threads at most; one per processor when absent. */
  readonly size?: number;
  /** MiB of JavaScript heap a thread may take before it is ended. */
  readonly maxHeapMb?: number;
}

/** Node cannot load TypeScript in a thread by itself; where there is no build, a small JavaScript file does it. */
const isSource = import.meta.url.endsWith('.ts');

/** A pool of threads that run the functions exported by `<file>.thread.ts`. */
export function openThreadPool(file: ThreadFile, options: ThreadPoolOptions = {}): ThreadPool {
  const { size = availableParallelism(), maxHeapMb = 512 } = options;
  const pool = new Piscina({
    filename: new URL(isSource ? './source-thread.mjs' : `./${file}.thread.js`, import.meta.url).href,
    workerData: { file: `./${file}.thread.ts` },
    minThreads: 0,
    maxThreads: size,
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  // A thread that dies while it starts or idles has no task to reject. Unheard, that would end the whole process.
  pool.on('error', (error: Error) => process.emitWarning(`${file} thread: ${error.message}`));
  return {
    size,
    run: (name, argument, { signal } = {}) =>
      isSource
        ? pool.run({ name, argument }, { name: 'call', ...(signal ? { signal } : {}) })
        : pool.run(argument, { name, ...(signal ? { signal } : {}) }),
    close: () => pool.destroy(),
  };
}
