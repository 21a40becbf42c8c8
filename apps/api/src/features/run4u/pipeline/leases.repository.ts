/**
 * SQL of the workers. A worker holds a submission by a lease (infra/work-rows.ts). Every write states owner
 * and attempt, so that a worker that lost the lease writes nothing. All times are from the database's clock.
 */
import { BUILT_IN_ENGINE, type PipelineStep, type RunMethod } from '@unitcell/contract/run4u';
import { sql, type UpdateObject } from 'kysely';
import type { DB } from '../../../generated/tables/tables.ts';
import type { Database } from '../../../infra/database.ts';
import type { ReasonCode } from '../../../messages/groups/run4u.ts';
import { columnsOf, fromNow, json, now } from '../../../infra/sql.ts';
import { firstFree } from '../../../infra/work-rows.ts';
import type { SubmissionState } from '../../../infra/stored-json.ts';
import type { Submission } from '../submission.ts';
import {
  startedBefore,
  SUBMISSION_COLUMNS,
  notifiesAccount,
  WORKER_SECONDS,
} from '../submissions.repository.ts';

/** Seconds without a heartbeat after which another worker takes over. */
export const LEASE_SECONDS = 40;

/** Folders of failed submissions are kept this long, for `run4u retry` and for inspection. */
const KEPT_SECONDS = 14 * 86_400;

/** Workers without a heartbeat for a day are deleted. */
const WORKER_KEPT_SECONDS = 86_400;

/** The lease returned by `claim`. */
export type Lease = Pick<Submission, 'id' | 'leaseOwner' | 'attempt'>;

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

const submission = columnsOf('submission');

/** The handle of the run stored as running. */
export const runningHandle = sql<string | null>`${submission('state')}->'running'->>'handle'`;

export function leasesRepository({ db }: Pick<Database, 'db'>) {
  /** Updates a submission if this lease still holds it. */
  const held = ({ id, leaseOwner, attempt }: Lease, to: UpdateObject<DB, 'submission', 'submission'>) =>
    db
      .updateTable('submission')
      .set(to)
      .where('id', '=', id)
      .where('lease_owner', '=', leaseOwner)
      .where('attempt', '=', attempt)
      .where('status', '=', 'running');

  /** Updates a submission under its lease, and sends a notification. @returns false when the lease is lost */
  const change = async (
    lease: Lease,
    { state, ...to }: { readonly state: SubmissionState } & UpdateObject<DB, 'submission', 'submission'>,
  ): Promise<boolean> =>
    (await held(lease, { ...to, state: json(state) })
      .returning(notifiesAccount)
      .executeTakeFirst()) !== undefined;

  return {
    /**
     * Claims the next submission of these methods: submissions whose worker has died come first, then waiting
     * ones. While the operator has stopped the start of submissions, nothing is claimed.
     */
    async claim(owner: string, methods: readonly (RunMethod | '')[]): Promise<Submission | null> {
      // In a transaction: if the worker dies before the answer arrives, nothing is claimed.
      const claimed = await db.transaction().execute((tx) =>
        tx
          .updateTable('submission')
          .set({
            status: 'running',
            lease_owner: owner,
            attempt: sql`${submission('attempt')} + 1`,
            reason: '',
            reason_code: '',
            lease_until: fromNow(LEASE_SECONDS),
            started_at: sql`coalesce(${submission('started_at')}, now())`,
          })
          .where('id', '=', ({ selectFrom }) =>
            firstFree(
              selectFrom('submission as waiting')
                .select('waiting.id')
                .where('waiting.status', 'in', ['queued', 'running'])
                .where('waiting.method', 'in', [...methods])
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
                .orderBy('waiting.id'),
            ),
          )
          .returning([...SUBMISSION_COLUMNS, notifiesAccount])
          .executeTakeFirst(),
      );
      return claimed ?? null;
    },

    /** Extends the lease; returns false when it is lost (taken over, cancelled). */
    async extend(lease: Lease): Promise<boolean> {
      const { numUpdatedRows } = await held(lease, {
        lease_until: fromNow(LEASE_SECONDS),
      }).executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Stores the current step and the state. */
    save: (lease: Lease, step: PipelineStep | '', state: SubmissionState): Promise<boolean> =>
      change(lease, { step, state }),

    /** Ends a submission. */
    finish: (
      lease: Lease,
      end: Pick<Submission, 'status' | 'structId' | 'reasonCode' | 'reason' | 'state'>,
    ): Promise<boolean> =>
      change(lease, {
        status: end.status,
        struct_id: end.structId,
        reason_code: end.reasonCode,
        reason: end.reason,
        state: end.state,
        step: '',
        finished_at: now,
        lease_owner: null,
        lease_until: null,
      }),

    /** Puts a submission back into the queue, to be claimed again after `delaySeconds`. */
    release: (
      lease: Lease,
      reasonCode: ReasonCode,
      state: SubmissionState,
      delaySeconds: number,
    ): Promise<boolean> =>
      change(lease, {
        status: 'queued',
        lease_owner: null,
        lease_until: delaySeconds > 0 ? fromNow(delaySeconds) : null,
        reason_code: reasonCode,
        state,
        step: '',
      }),

    /** Stores the reason why all waiting submissions wait. */
    async markWaiting(reasonCode: string): Promise<void> {
      await db
        .updateTable('submission')
        .set({ reason_code: reasonCode })
        .where('status', '=', 'queued')
        .where('reason_code', '<>', reasonCode)
        .returning(notifiesAccount)
        .execute();
    },

    /** Runs that are stored as running although their submission is over. */
    forgottenRuns: () =>
      db
        .selectFrom('submission')
        .select(['id', runningHandle.$notNull().as('handle')])
        .where('status', 'in', ['cancelled', 'failed', 'existed'])
        .where(runningHandle, 'is not', null)
        .execute(),

    async forgetRun(id: number): Promise<void> {
      await db
        .updateTable('submission')
        .set({ state: sql`${submission('state')} - 'running'` })
        .where('id', '=', id)
        .where('status', 'not in', ['queued', 'running'])
        .execute();
    },

    /** Returns the ids of the given submissions that still need their folder. */
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

    async reportWorker(report: WorkerReport): Promise<void> {
      const { id, host, executor, engineVersion, ...stated } = report;
      const changing = { ...stated, engine_version: engineVersion, seen_at: now };
      await db
        .insertInto('run4u_worker')
        .values({ id, host, executor, ...changing })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
        .execute();
      await db.deleteFrom('run4u_worker').where('seen_at', '<', fromNow(-WORKER_KEPT_SECONDS)).execute();
    },

    /** Whether a worker has a program that calculates from first principles. */
    async hasProgram(): Promise<boolean> {
      const able = await db
        .selectFrom('run4u_worker')
        .select('id')
        .where('engine', '<>', BUILT_IN_ENGINE)
        .where('slots', '>', 0)
        .where('seen_at', '>', fromNow(-WORKER_SECONDS))
        .executeTakeFirst();
      return able !== undefined;
    },

    async removeWorker(id: string): Promise<void> {
      await db.deleteFrom('run4u_worker').where('id', '=', id).execute();
    },

    /** Reserves a unique id for a result. */
    async reserveStructId(): Promise<number> {
      const { id } = await db
        .selectNoFrom(sql<number>`nextval('run4u_struct_id')::int`.as('id'))
        .executeTakeFirstOrThrow();
      return id;
    },
  };
}
