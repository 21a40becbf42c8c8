/**
 * What workers do to submissions: only SQL. A worker owns a submission as long as its lease is not taken over; every
 * write names owner and attempt, so that one who lost it writes nothing. All times are the database's own.
 */
import type { PipelineStep } from '@unitcell/contract/run4u';
import { sql, type UpdateObject } from 'kysely';
import type { DB } from '../../../generated/tables/tables.ts';
import type { Database } from '../../../infra/database.ts';
import { columnsOf, fromNow, json, now } from '../../../infra/sql.ts';
import type { Submission } from '../submission.ts';
import { startedBefore, SUBMISSION_COLUMNS, tellChanged } from '../submissions.repository.ts';
import type { SubmissionState } from './submission-state.ts';

/** Seconds without a sign of life after which another worker takes over. */
export const LEASE_SECONDS = 40;

/** Folders of failed submissions stay this long, for `run4u retry` and for looking at them. */
const KEPT_SECONDS = 14 * 86_400;

/** Workers that were not heard of for a day are forgotten. */
const WORKER_KEPT_SECONDS = 86_400;

export interface Lease {
  readonly id: number;
  readonly owner: string;
  readonly attempt: number;
}

export interface WorkerReport {
  readonly id: string;
  readonly host: string;
  readonly executor: string;
  readonly engine: string | null;
  readonly engineVersion: string;
  readonly missing: string;
  readonly slots: number;
}

export type LeasesRepository = ReturnType<typeof leasesRepository>;

type Change = UpdateObject<DB, 'submission', 'submission'>;

/** Given up, without a new owner. */
const NO_LEASE = { lease_owner: null, lease_until: null } as const;

const submission = columnsOf('submission');

/** The handle of the run that is remembered as under way. */
const runningHandle = sql<string | null>`${submission('state')}->'running'->>'handle'`;

export function leasesRepository({ db }: Pick<Database, 'db'>) {
  /** Changes a submission that is still ours and tells everybody. @returns false when it is not ours any more */
  const change = ({ id, owner, attempt }: Lease, to: Change): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const changed = await tx
        .updateTable('submission')
        .set(to)
        .where('id', '=', id)
        .where('lease_owner', '=', owner)
        .where('attempt', '=', attempt)
        .where('status', '=', 'running')
        .returning('account_id')
        .executeTakeFirst();
      if (changed) await tellChanged(tx, [changed.account_id]);
      return changed !== undefined;
    });

  return {
    /**
     * Takes the next submission: one whose worker has died before one that waits. Nothing while the operator drains.
     */
    claim(owner: string): Promise<Submission | null> {
      return db.transaction().execute(async (tx) => {
        const claimed = await tx
          .updateTable('submission')
          .set({
            status: 'running',
            lease_owner: owner,
            attempt: sql`${submission('attempt')} + 1`,
            reason: '',
            reason_code: '',
          })
          .set({
            lease_until: fromNow(LEASE_SECONDS),
            started_at: sql`coalesce(${submission('started_at')}, now())`,
          })
          .where('id', '=', ({ selectFrom }) =>
            selectFrom('submission as waiting')
              .select('waiting.id')
              .where('waiting.status', 'in', ['queued', 'running'])
              .where((is) =>
                is.or([is('waiting.lease_until', 'is', null), is('waiting.lease_until', '<', now)]),
              )
              .where(({ not, exists, selectFrom: from }) =>
                not(
                  exists(
                    from('run4u_control').select('id').where('id', '=', 1).where('is_draining', '=', true),
                  ),
                ),
              )
              .orderBy('waiting.status', 'desc')
              .orderBy(startedBefore)
              .orderBy('waiting.submitted_at')
              .orderBy('waiting.id')
              .limit(1)
              .forUpdate()
              .skipLocked(),
          )
          .returning(SUBMISSION_COLUMNS)
          .executeTakeFirst();
        if (claimed) await tellChanged(tx, [claimed.accountId]);
        return claimed ?? null;
      });
    },

    /** Extends the lease; false when it is not ours any more (taken over, cancelled). */
    async extend({ id, owner, attempt }: Lease): Promise<boolean> {
      const extended = await db
        .updateTable('submission')
        .set({ lease_until: fromNow(LEASE_SECONDS) })
        .where('id', '=', id)
        .where('lease_owner', '=', owner)
        .where('attempt', '=', attempt)
        .where('status', '=', 'running')
        .returning('id')
        .executeTakeFirst();
      return extended !== undefined;
    },

    /** The step under way and what is known so far. */
    save: (lease: Lease, step: PipelineStep | '', state: SubmissionState): Promise<boolean> =>
      change(lease, { step, state: json(state) }),

    /** The end of a submission. */
    finish: (
      lease: Lease,
      end: {
        readonly status: 'finished' | 'existed' | 'failed';
        readonly structId: number | null;
        readonly reasonCode: string;
        readonly reason: string;
        readonly state: SubmissionState;
      },
    ): Promise<boolean> =>
      change(lease, {
        ...NO_LEASE,
        status: end.status,
        struct_id: end.structId,
        reason_code: end.reasonCode,
        reason: end.reason,
        state: json(end.state),
        step: '',
        finished_at: now,
      }),

    /** Back into the queue, to be taken up again after `delaySeconds`. */
    release: (
      lease: Lease,
      back: { readonly reasonCode: string; readonly state: SubmissionState; readonly delaySeconds: number },
    ): Promise<boolean> =>
      change(lease, {
        status: 'queued',
        lease_owner: null,
        lease_until: back.delaySeconds > 0 ? fromNow(back.delaySeconds) : null,
        reason_code: back.reasonCode,
        state: json(back.state),
        step: '',
      }),

    /** What every waiting submission waits for. */
    async markWaiting(reasonCode: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const changed = await tx
          .updateTable('submission')
          .set({ reason_code: reasonCode })
          .where('status', '=', 'queued')
          .where('reason_code', '<>', reasonCode)
          .returning('account_id')
          .execute();
        await tellChanged(
          tx,
          changed.map((row) => row.account_id),
        );
      });
    },

    /** Runs that are remembered as under way although their submission is over. */
    async forgottenRuns(): Promise<{ id: number; handle: string }[]> {
      return db
        .selectFrom('submission')
        .select(['id', runningHandle.$notNull().as('handle')])
        .where('status', 'in', ['cancelled', 'failed', 'existed'])
        .where(runningHandle, 'is not', null)
        .execute();
    },

    async forgetRun(id: number): Promise<void> {
      await db
        .updateTable('submission')
        .set({ state: sql`${submission('state')} - 'running'` })
        .where('id', '=', id)
        .where('status', 'not in', ['queued', 'running'])
        .execute();
    },

    /** Which of these submissions still need their folder. */
    async needFolders(ids: readonly number[]): Promise<number[]> {
      if (ids.length === 0) return [];
      const needed = await db
        .selectFrom('submission')
        .select('id')
        .where('id', 'in', [...ids])
        .where((is) =>
          is.or([
            is('status', 'in', ['queued', 'running']),
            is.and([
              is('status', 'in', ['failed', 'cancelled']),
              is('finished_at', '>', fromNow(-KEPT_SECONDS)),
            ]),
          ]),
        )
        .execute();
      return needed.map(({ id }) => id);
    },

    async statusOf(id: number): Promise<string | null> {
      const found = await db
        .selectFrom('submission')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirst();
      return found?.status ?? null;
    },

    async reportWorker(report: WorkerReport): Promise<void> {
      const { id, host, executor, ...told } = report;
      const changing = {
        engine: told.engine,
        engine_version: told.engineVersion,
        missing: told.missing,
        slots: told.slots,
        seen_at: now,
      };
      await db
        .insertInto('run4u_worker')
        .values({ id, host, executor, ...changing })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
        .execute();
      await db.deleteFrom('run4u_worker').where('seen_at', '<', fromNow(-WORKER_KEPT_SECONDS)).execute();
    },

    async removeWorker(id: string): Promise<void> {
      await db.deleteFrom('run4u_worker').where('id', '=', id).execute();
    },

    /** An id of its own for a result, never given twice. */
    async reserveStructId(): Promise<number> {
      const { id } = await db
        .selectNoFrom(sql<number>`nextval('run4u_struct_id')::int`.as('id'))
        .executeTakeFirstOrThrow();
      return id;
    },
  };
}
