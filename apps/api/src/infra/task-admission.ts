/**
 * Who may begin now: a bounded number of tasks at once and waiting, of which one owner gets a part; owners take turns.
 * An owner who asks for more than that, and everybody when the row is full, is refused at once instead of waiting long.
 */

/** Who a task is done for, and how long anybody waits for its result. */
export interface Caller {
  /** Account or key; tasks without one are the process's own and have no share to keep to. */
  readonly owner: string;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** `owner-busy`: this owner has enough under way; `busy`: all have; `abandoned`: nobody waits; `too-costly`: time or memory is used up. */
export type TaskRefusal = 'owner-busy' | 'busy' | 'abandoned' | 'too-costly';

export class TaskRefused extends Error {
  override readonly name = 'TaskRefused';
  constructor(
    readonly reason: TaskRefusal,
    /** When it is worth trying again. */
    readonly retryAfterSeconds: number,
  ) {
    super(reason);
  }
}

export interface AdmissionLimits {
  /** Tasks at once. */
  readonly slots: number;
  readonly waiting: number;
  /** Of one owner; no share when absent. */
  readonly perOwner?: { readonly running: number; readonly waiting: number };
}

interface Waiting {
  begin(): void;
}

/** Waiting tasks end, or are refused, within seconds: a short pause is enough. */
const RETRY_SECONDS = 2;

export type TaskAdmission = ReturnType<typeof taskAdmission>;

export function taskAdmission({ slots, waiting: maxWaiting, perOwner }: AdmissionLimits) {
  /** Waiting tasks of each owner in their order; the owner whose turn is next comes first. */
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
    // Deleted and set again: the owner goes to the end of the row.
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
   * Waits for the caller's turn. The answer ends the task and has to be called once.
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
     * Does the work when its turn has come.
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
