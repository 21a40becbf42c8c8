/** Worker threads for work that would hold the event loop for more than 50 ms. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';

export type ThreadFile = 'standardise';

const isSource = import.meta.url.endsWith('.ts');

/** In the sources the threads lie beside this file; in the built bundle beside the entry points. */
const threadUrl = (file: ThreadFile): string =>
  new URL(`./${file}.thread.${isSource ? 'ts' : 'js'}`, import.meta.url).href;

export interface ThreadPoolOptions {
  /** Threads at most; one per processor when absent. */
  readonly threads?: number;
  /** MiB of JavaScript heap a thread may take before it is ended. */
  readonly maxHeapMb?: number;
}

/**
 * A pool of threads that run the functions exported by `<file>.thread.ts`; `run(argument, { name })` calls one.
 * `destroy()` ends the threads.
 */
export const openThreadPool = (
  file: ThreadFile,
  { threads, maxHeapMb = 512 }: ThreadPoolOptions = {},
): Piscina =>
  new Piscina({
    filename: threadUrl(file),
    minThreads: 0,
    maxThreads: threads ?? availableParallelism(),
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    ...(isSource ? { execArgv: ['--import', 'tsx'] } : {}),
  });
