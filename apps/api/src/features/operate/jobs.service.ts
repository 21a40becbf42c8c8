/** The queue as its operator sees it. */
import { atMost } from '../../infra/at-most.ts';
import type { Database } from '../../infra/database.ts';
import type { JobQueue, ListedJob } from '../../infra/queue.ts';
import { AppError } from '../../messages/app-error.ts';
import { writeAudit } from '../account/audit-log.ts';
import type { By } from './by.ts';

/** Longest wait for a queue that may be away. */
const QUEUE_MILLISECONDS = 3_000;
/** Jobs listed of each state. */
const LISTED = 50;

export interface QueueState {
  /** false: the queue did not answer in time. */
  readonly isThere: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly jobs: readonly ListedJob[];
}

export function operatedJobs({ db }: Pick<Database, 'db'>, queue: JobQueue) {
  async function act(by: By, event: 'job-retried' | 'job-removed', id: string, work: () => Promise<boolean>) {
    if (!(await work()))
      throw new AppError(event === 'job-retried' ? 'operate.job-not-failed' : 'operate.job-runs');
    await writeAudit(db, { ...by, accountId: null, event, detail: { job: id } });
  }

  return {
    async state(): Promise<QueueState> {
      let found: QueueState = { isThere: false, counts: {}, jobs: [] };
      const ask = async (): Promise<void> => {
        const [counts, jobs] = await Promise.all([queue.counts(), queue.list(LISTED)]);
        found = { isThere: true, counts, jobs };
      };
      await atMost(
        QUEUE_MILLISECONDS,
        ask().catch(() => undefined),
      );
      return found;
    },

    /** @throws AppError operate.job-not-failed */
    retry: (by: By, id: string) => act(by, 'job-retried', id, () => queue.retry(id)),

    /** @throws AppError operate.job-runs */
    remove: (by: By, id: string) => act(by, 'job-removed', id, () => queue.remove(id)),
  };
}
