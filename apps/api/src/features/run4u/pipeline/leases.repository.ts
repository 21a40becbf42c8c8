/**
 * What workers do to submissions: only SQL. A worker owns a submission as long as its lease is not taken over; every
 * write names owner and attempt, so that one who lost it writes nothing. All times are the database's own.
 */
import type { PipelineStep } from '@unitcell/contract';
import { type Database, inTransaction } from '../../../plugins/database.ts';
import type { Submission } from '../submission.ts';
import { QUEUE_ORDER, SUBMISSION_CHANNEL, SUBMISSION_COLUMNS } from '../submissions.repository.ts';
import type { SubmissionState } from './submission-state.ts';

/** Seconds without a sign of life after which another worker takes over. */
export const LEASE_SECONDS = 40;

/** Folders of failed submissions stay this long, for `run4u retry` and for looking at them. */
const KEPT_DAYS = 14;

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

const OURS = `id = $1 AND lease_owner = $2 AND attempt = $3 AND status = 'running'`;
const tell = (update: string): string =>
  `WITH changed AS (${update} RETURNING account_id)
   SELECT pg_notify('${SUBMISSION_CHANNEL}', account_id::text) FROM changed`;

export function leasesRepository({ pool }: Pick<Database, 'pool'>) {
  const change = async (update: string, values: readonly unknown[]): Promise<boolean> =>
    ((await pool.query(tell(update), [...values])).rowCount ?? 0) > 0;

  return {
    /**
     * Takes the next submission: one whose worker has died before one that waits. Nothing while the operator drains.
     */
    claim(owner: string): Promise<Submission | null> {
      return inTransaction(pool, async (client) => {
        const { rows } = await client.query<Submission>(
          `UPDATE submission SET status = 'running', lease_owner = $1, attempt = attempt + 1, reason = '',
             reason_code = '', lease_until = now() + make_interval(secs => ${LEASE_SECONDS}),
             started_at = coalesce(started_at, now())
           WHERE id = (
             SELECT waiting.id FROM submission AS waiting
             WHERE waiting.status IN ('queued', 'running') AND (waiting.lease_until IS NULL OR waiting.lease_until < now())
               AND NOT coalesce((SELECT is_draining FROM run4u_control WHERE id = 1), false)
             ORDER BY waiting.status DESC, ${QUEUE_ORDER} LIMIT 1 FOR UPDATE SKIP LOCKED)
           RETURNING ${SUBMISSION_COLUMNS}`,
          [owner],
        );
        const claimed = rows[0] ?? null;
        if (claimed)
          await client.query('SELECT pg_notify($1, $2)', [SUBMISSION_CHANNEL, String(claimed.accountId)]);
        return claimed;
      });
    },

    /** Extends the lease; false when it is not ours any more (taken over, cancelled). */
    async extend({ id, owner, attempt }: Lease): Promise<boolean> {
      const { rowCount } = await pool.query(
        `UPDATE submission SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS}) WHERE ${OURS}`,
        [id, owner, attempt],
      );
      return (rowCount ?? 0) > 0;
    },

    /** The step under way and what is known so far. */
    save({ id, owner, attempt }: Lease, step: PipelineStep | '', state: SubmissionState): Promise<boolean> {
      return change(`UPDATE submission SET step = $4, state = $5 WHERE ${OURS}`, [
        id,
        owner,
        attempt,
        step,
        JSON.stringify(state),
      ]);
    },

    /** The end of a submission. */
    finish(
      { id, owner, attempt }: Lease,
      end: {
        readonly status: 'finished' | 'existed' | 'failed';
        readonly structId: number | null;
        readonly reasonCode: string;
        readonly reason: string;
        readonly state: SubmissionState;
      },
    ): Promise<boolean> {
      return change(
        `UPDATE submission SET status = $4, struct_id = $5, reason_code = $6, reason = $7, state = $8, step = '',
           lease_owner = NULL, lease_until = NULL, finished_at = now() WHERE ${OURS}`,
        [id, owner, attempt, end.status, end.structId, end.reasonCode, end.reason, JSON.stringify(end.state)],
      );
    },

    /** Back into the queue, to be taken up again after `delaySeconds`. */
    release(
      { id, owner, attempt }: Lease,
      back: { readonly reasonCode: string; readonly state: SubmissionState; readonly delaySeconds: number },
    ): Promise<boolean> {
      return change(
        `UPDATE submission SET status = 'queued', lease_owner = NULL, reason_code = $4, state = $5, step = '',
           lease_until = CASE WHEN $6::float8 > 0 THEN now() + make_interval(secs => $6) END WHERE ${OURS}`,
        [id, owner, attempt, back.reasonCode, JSON.stringify(back.state), back.delaySeconds],
      );
    },

    /** What every waiting submission waits for. */
    async markWaiting(reasonCode: string): Promise<void> {
      await pool.query(
        tell(`UPDATE submission SET reason_code = $1 WHERE status = 'queued' AND reason_code <> $1`),
        [reasonCode],
      );
    },

    /** Runs that are remembered as under way although their submission is over. */
    async forgottenRuns(): Promise<{ id: number; handle: string }[]> {
      const { rows } = await pool.query<{ id: number; handle: string }>(
        `SELECT id, state->'running'->>'handle' AS handle FROM submission
         WHERE status IN ('cancelled', 'failed', 'existed') AND state->'running'->>'handle' IS NOT NULL`,
      );
      return rows;
    },

    async forgetRun(id: number): Promise<void> {
      await pool.query(
        "UPDATE submission SET state = state - 'running' WHERE id = $1 AND status NOT IN ('queued', 'running')",
        [id],
      );
    },

    /** Which of these submissions still need their folder. */
    async needFolders(ids: readonly number[]): Promise<number[]> {
      const { rows } = await pool.query<{ id: number }>(
        `SELECT id FROM submission WHERE id = ANY($1::int[]) AND (status IN ('queued', 'running')
           OR (status IN ('failed', 'cancelled') AND finished_at > now() - make_interval(days => ${KEPT_DAYS})))`,
        [ids],
      );
      return rows.map(({ id }) => id);
    },

    async statusOf(id: number): Promise<string | null> {
      const { rows } = await pool.query<{ status: string }>('SELECT status FROM submission WHERE id = $1', [
        id,
      ]);
      return rows[0]?.status ?? null;
    },

    async reportWorker(report: WorkerReport): Promise<void> {
      await pool.query(
        `INSERT INTO run4u_worker (id, host, executor, engine, engine_version, missing, slots, seen_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now())
         ON CONFLICT (id) DO UPDATE SET engine = excluded.engine, engine_version = excluded.engine_version,
           missing = excluded.missing, slots = excluded.slots, seen_at = now()`,
        [
          report.id,
          report.host,
          report.executor,
          report.engine,
          report.engineVersion,
          report.missing,
          report.slots,
        ],
      );
      await pool.query("DELETE FROM run4u_worker WHERE seen_at < now() - interval '1 day'");
    },

    async removeWorker(id: string): Promise<void> {
      await pool.query('DELETE FROM run4u_worker WHERE id = $1', [id]);
    },

    /** An id of its own for a result, never given twice. */
    async reserveStructId(): Promise<number> {
      const { rows } = await pool.query<{ id: string }>("SELECT nextval('run4u_struct_id') AS id");
      return Number(rows[0]!.id);
    },
  };
}
