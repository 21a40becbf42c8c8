/** What an operator does to submissions and workers. */
import type { SubmissionStatus } from '@unitcell/contract/run4u';
import type { Database } from '../../infra/database.ts';
import { AppError } from '../../messages/app-error.ts';
import { type AuditEvent, writeAudit } from '../account/audit-log.ts';
import { operationsRepository } from '../run4u/operations.repository.ts';
import { submissionsRepository } from '../run4u/submissions.repository.ts';
import type { By } from './by.ts';

/** @param timeZone of the day's quota */
export function operatedSubmissions(database: Pick<Database, 'db'>, timeZone: string) {
  const { db } = database;
  const operations = operationsRepository(database);
  const submissions = submissionsRepository(database);

  /** @throws AppError operate.not-found, or `refusal` when `work` could not be done */
  async function change(
    by: By,
    id: number,
    event: AuditEvent,
    refusal: 'run4u.not-cancellable' | 'run4u.not-resubmittable',
    work: () => Promise<boolean>,
  ): Promise<void> {
    const accountId = await operations.ownerOf(id);
    if (accountId === null) throw new AppError('operate.not-found');
    if (!(await work())) throw new AppError(refusal);
    await writeAudit(db, { ...by, accountId, event, detail: { submission: id } });
  }

  return {
    list: (status: SubmissionStatus | null, limit: number, before: number | null) =>
      operations.list(status, limit, before),
    metrics: operations.metrics,
    workers: operations.workers,

    /** @throws AppError operate.not-found, run4u.not-cancellable */
    cancel: (by: By, id: number) =>
      change(by, id, 'submission-cancelled', 'run4u.not-cancellable', () =>
        submissions.cancel(id, null, 'cancelled-by-operator', timeZone),
      ),

    /** @throws AppError operate.not-found, run4u.not-resubmittable */
    retry: (by: By, id: number) =>
      change(by, id, 'submission-retried', 'run4u.not-resubmittable', () => operations.retry(id)),

    /** Starts nothing new, or again. */
    async drain(by: By, isDraining: boolean): Promise<void> {
      await operations.setDraining(isDraining);
      await writeAudit(db, { ...by, accountId: null, event: isDraining ? 'run4u-drained' : 'run4u-resumed' });
    },
  };
}
