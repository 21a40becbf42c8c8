/** SQL of Run4U for the operator. */
import type { SubmissionStatus } from '@unitcell/contract/run4u';
import { type Expression, sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { fromNow, now, secondsBetween, shownName } from '../../infra/sql.ts';
import { runningHandle } from './pipeline/leases.repository.ts';
import { notifiesAccount, readDraining } from './submissions.repository.ts';

/** Median and 95th percentile in seconds, over the last 30 days. */
export interface Times {
  readonly median: number | null;
  readonly p95: number | null;
}

export interface Run4uMetrics {
  readonly byStatus: Readonly<Record<string, number>>;
  /** From submission to start. */
  readonly waitSeconds: Times;
  /** From start to end, of finished submissions. */
  readonly runSeconds: Times;
  readonly oldestWaitingSeconds: number | null;
  readonly isDraining: boolean;
}

/** Bucket limits in seconds, from a small cell on an idle machine to half a day. */
const BUCKETS = [5, 15, 60, 300, 900, 3600, 14_400, 43_200];

/** Cumulative counts per bucket over all submissions. */
export interface TimeHistogram {
  readonly buckets: readonly { readonly le: number; readonly n: number }[];
  readonly sum: number;
  readonly count: number;
}

/** Waiting and running times cover the last 30 days. */
const WINDOW_SECONDS = 30 * 86_400;
/** Workers with a heartbeat within ten minutes are listed. */
const KNOWN_SECONDS = 600;

const percentile = (share: number, value: Expression<number>) =>
  sql<number | null>`percentile_cont(${share}) WITHIN GROUP (ORDER BY ${value})`;

/** Cumulative counts, one column `le_…` per bucket, with sum and count. */
const histogramColumns = (seconds: Expression<number>) => [
  ...BUCKETS.map((le) => sql<number>`count(*) FILTER (WHERE ${seconds} <= ${le})::int`.as(`le_${le}`)),
  sql<number>`coalesce(sum(${seconds}), 0)`.as('sum'),
  sql<number>`count(*)::int`.as('count'),
];

const toHistogram = (row: Readonly<Record<string, number>>): TimeHistogram => ({
  buckets: BUCKETS.map((le) => ({ le, n: row[`le_${le}`] ?? 0 })),
  sum: row['sum'] ?? 0,
  count: row['count'] ?? 0,
});

export type KnownWorker = Awaited<ReturnType<ReturnType<typeof operationsRepository>['workers']>>[number];

export function operationsRepository({ db }: Pick<Database, 'db'>) {
  return {
    /** Submissions, newest first. `status` null lists all; `before` lists only older ones. */
    async list(status: SubmissionStatus | null, limit: number, before: number | null = null) {
      return db
        .selectFrom('submission')
        .innerJoin('account', 'account.id', 'submission.account_id')
        .select([
          'submission.id',
          'submission.account_id as accountId',
          'formula',
          'nsites as atoms',
          'status',
          'step',
        ])
        .select(['struct_id as structId', 'submitted_at as submittedAt', 'lease_owner as worker'])
        .select(({ ref, fn }) => [
          shownName(ref('account.name'), ref('account.username')).as('account'),
          sql<string>`concat_ws(': ', nullif(${ref('reason_code')}, ''), nullif(${ref('reason')}, ''))`.as(
            'reason',
          ),
          secondsBetween(ref('started_at'), fn.coalesce(ref('finished_at'), now)).as('seconds'),
        ])
        .$if(status !== null, (query) => query.where('status', '=', status!))
        .$if(before !== null, (query) => query.where('submission.id', '<', before!))
        .orderBy('submission.id', 'desc')
        .limit(limit)
        .execute();
    },

    /** The owner's account; null when there is no such submission. */
    async ownerOf(id: number): Promise<number | null> {
      const found = await db
        .selectFrom('submission')
        .select('account_id')
        .where('id', '=', id)
        .executeTakeFirst();
      return found?.account_id ?? null;
    },

    /**
     * Queues a submission again from its last finished step, outside the quota. A run that still runs on a cluster is
     * continued, with its workarounds. @returns false when the submission has not ended
     */
    async retry(id: number): Promise<boolean> {
      const retried = await db
        .updateTable('submission')
        .set({ status: 'queued', reason: '', reason_code: '', started_at: null, finished_at: null })
        .set({ lease_owner: null, lease_until: null })
        .set(({ ref }) => ({
          attempt: sql`${ref('attempt')} + 1`,
          state: sql`${ref('state')} || CASE
            WHEN ${runningHandle} IS NULL THEN '{"faults": 0, "begun": {}, "workarounds": []}'::jsonb
            ELSE '{"faults": 0, "begun": {}}' END`,
        }))
        .where('id', '=', id)
        .where('status', 'in', ['failed', 'cancelled'])
        .returning(notifiesAccount)
        .executeTakeFirst();
      return retried !== undefined;
    },

    async setDraining(isDraining: boolean): Promise<void> {
      const to = { is_draining: isDraining, changed_at: now };
      await db
        .insertInto('run4u_control')
        .values({ id: 1, ...to })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(to))
        .execute();
    },

    async metrics(): Promise<Run4uMetrics> {
      const counted = await db
        .selectFrom('submission')
        .select(['status', sql<number>`count(*)::int`.as('n')])
        .groupBy('status')
        .execute();
      const times = db.selectFrom('submission').select(({ ref }) => {
        const wait = secondsBetween(ref('submitted_at'), ref('started_at'));
        const run = secondsBetween(ref('started_at'), ref('finished_at'));
        return [
          percentile(0.5, wait).as('waitMedian'),
          percentile(0.95, wait).as('waitP95'),
          percentile(0.5, run).as('runMedian'),
          percentile(0.95, run).as('runP95'),
        ];
      });
      const { waitMedian, waitP95 } = await times
        .where('started_at', '>', fromNow(-WINDOW_SECONDS))
        .executeTakeFirstOrThrow();
      const { runMedian, runP95 } = await times
        .where('status', '=', 'finished')
        .where('finished_at', '>', fromNow(-WINDOW_SECONDS))
        .executeTakeFirstOrThrow();
      const { oldest } = await db
        .selectFrom('submission')
        .select(({ fn }) => secondsBetween(fn.min('submitted_at'), now).as('oldest'))
        .where('status', '=', 'queued')
        .executeTakeFirstOrThrow();
      return {
        byStatus: Object.fromEntries(counted.map(({ status, n }) => [status, n])),
        waitSeconds: { median: waitMedian, p95: waitP95 },
        runSeconds: { median: runMedian, p95: runP95 },
        oldestWaitingSeconds: oldest,
        isDraining: await readDraining(db),
      };
    },

    async histograms(): Promise<{ readonly wait: TimeHistogram; readonly run: TimeHistogram }> {
      const wait = await db
        .selectFrom('submission')
        .select(({ ref }) => histogramColumns(secondsBetween(ref('submitted_at'), ref('started_at'))))
        .where('started_at', 'is not', null)
        .executeTakeFirstOrThrow();
      const run = await db
        .selectFrom('submission')
        .select(({ ref }) => histogramColumns(secondsBetween(ref('started_at'), ref('finished_at'))))
        .where('status', '=', 'finished')
        .executeTakeFirstOrThrow();
      return { wait: toHistogram(wait), run: toHistogram(run) };
    },

    /** Workers with a heartbeat within the last ten minutes. */
    async workers() {
      return db
        .selectFrom('run4u_worker')
        .select(['id', 'host', 'executor', 'engine', 'engine_version as engineVersion', 'missing', 'slots'])
        .select(({ ref }) => secondsBetween(ref('seen_at'), now).as('secondsAgo'))
        .where('seen_at', '>', fromNow(-KNOWN_SECONDS))
        .orderBy('host')
        .orderBy('id')
        .execute();
    },
  };
}
