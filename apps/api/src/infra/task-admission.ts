/**
 * Admission of tasks: limits the numbers of running and waiting tasks, in total and per owner. Owners take
 * turns. Tasks beyond the limits are refused at once instead of waiting long.
 */

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

export interface AdmissionLimits {
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
