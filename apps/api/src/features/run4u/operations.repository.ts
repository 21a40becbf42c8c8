/** Run4U as its operator sees it: only SQL. */
import type { Database } from '../../plugins/database.ts';
import { SUBMISSION_CHANNEL } from './submissions.repository.ts';

export interface ListedSubmission {
  readonly id: number;
  readonly account: string;
  readonly formula: string;
  readonly atoms: number;
  readonly status: string;
  readonly step: string;
  readonly structId: number | null;
  readonly reason: string;
  readonly submittedAt: Date;
  readonly seconds: number | null;
}

/** Seconds at the median and at the 95th of 100, over the last 30 days. */
export interface Times {
  readonly median: number | null;
  readonly p95: number | null;
}

export interface Run4uMetrics {
  readonly byStatus: Readonly<Record<string, number>>;
  /** From submission to start. */
  readonly waitSeconds: Times;
  /** From start to end, finished ones. */
  readonly runSeconds: Times;
  readonly oldestWaitingSeconds: number | null;
  readonly isDraining: boolean;
}

export interface KnownWorker {
  readonly id: string;
  readonly host: string;
  readonly executor: string;
  readonly engine: string | null;
  readonly engineVersion: string;
  readonly missing: string;
  readonly slots: number;
  readonly secondsAgo: number;
}

/** Seconds; from a small cell on an idle machine to half a day. */
const BUCKETS = [5, 15, 60, 300, 900, 3600, 14_400, 43_200];

/** How many took at most so long, over all submissions there are. */
export interface TimeHistogram {
  readonly buckets: readonly { readonly le: number; readonly n: number }[];
  readonly sum: number;
  readonly count: number;
}

const histogram = (expression: string, condition: string): string => `
  SELECT json_build_object('sum', coalesce(sum(seconds), 0), 'count', count(*)::int, 'buckets', json_build_array(
    ${BUCKETS.map((le) => `json_build_object('le', ${le}, 'n', count(*) FILTER (WHERE seconds <= ${le})::int)`).join(', ')}))
  FROM (SELECT extract(epoch FROM ${expression})::float8 AS seconds FROM submission WHERE ${condition}) AS times`;

const WINDOW = "interval '30 days'";
const times = (expression: string): string => `json_build_object(
  'median', percentile_cont(0.5) WITHIN GROUP (ORDER BY ${expression}),
  'p95', percentile_cont(0.95) WITHIN GROUP (ORDER BY ${expression}))`;

export function operationsRepository({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Newest first; `status` null lists all. */
    async list(status: string | null, limit: number): Promise<ListedSubmission[]> {
      const { rows } = await pool.query<ListedSubmission>(
        `SELECT submission.id, account.username AS account, formula, nsites AS atoms, status, step,
           struct_id AS "structId", concat_ws(': ', nullif(reason_code, ''), nullif(reason, '')) AS reason,
           submitted_at AS "submittedAt",
           extract(epoch FROM coalesce(finished_at, now()) - started_at)::float8 AS seconds
         FROM submission JOIN account ON account.id = account_id
         WHERE $1::text IS NULL OR status = $1 ORDER BY submission.id DESC LIMIT $2`,
        [status, limit],
      );
      return rows;
    },

    /** Back into the queue from the last finished step, outside the quota. @returns false when it is not over */
    async retry(id: number): Promise<boolean> {
      const { rowCount } = await pool.query(
        `WITH retried AS (
           UPDATE submission SET status = 'queued', reason = '', reason_code = '', lease_owner = NULL,
             lease_until = NULL, finished_at = NULL,
             state = state || '{"faults": 0, "begun": {}, "workarounds": [], "running": null}'
           WHERE id = $1 AND status IN ('failed', 'cancelled') RETURNING account_id)
         SELECT pg_notify('${SUBMISSION_CHANNEL}', account_id::text) FROM retried`,
        [id],
      );
      return (rowCount ?? 0) > 0;
    },

    async setDraining(isDraining: boolean): Promise<void> {
      await pool.query(
        `INSERT INTO run4u_control (id, is_draining) VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET is_draining = excluded.is_draining, changed_at = now()`,
        [isDraining],
      );
    },

    async metrics(): Promise<Run4uMetrics> {
      const { rows } = await pool.query<Run4uMetrics>(
        `SELECT
           (SELECT coalesce(json_object_agg(status, n), '{}') FROM
             (SELECT status, count(*)::int AS n FROM submission GROUP BY status) AS counted) AS "byStatus",
           (SELECT ${times('extract(epoch FROM started_at - submitted_at)')} FROM submission
             WHERE started_at > now() - ${WINDOW}) AS "waitSeconds",
           (SELECT ${times('extract(epoch FROM finished_at - started_at)')} FROM submission
             WHERE status = 'finished' AND finished_at > now() - ${WINDOW}) AS "runSeconds",
           (SELECT extract(epoch FROM now() - min(submitted_at))::float8 FROM submission
             WHERE status = 'queued') AS "oldestWaitingSeconds",
           coalesce((SELECT is_draining FROM run4u_control WHERE id = 1), false) AS "isDraining"`,
      );
      return rows[0]!;
    },

    async histograms(): Promise<{ readonly wait: TimeHistogram; readonly run: TimeHistogram }> {
      const { rows } = await pool.query<{ wait: TimeHistogram; run: TimeHistogram }>(
        `SELECT (${histogram('started_at - submitted_at', 'started_at IS NOT NULL')}) AS wait,
           (${histogram('finished_at - started_at', "status = 'finished'")}) AS run`,
      );
      return rows[0]!;
    },

    /** Workers heard of within the last ten minutes. */
    async workers(): Promise<KnownWorker[]> {
      const { rows } = await pool.query<KnownWorker>(
        `SELECT id, host, executor, engine, engine_version AS "engineVersion", missing, slots,
           extract(epoch FROM now() - seen_at)::float8 AS "secondsAgo"
         FROM run4u_worker WHERE seen_at > now() - interval '10 minutes' ORDER BY host, id`,
      );
      return rows;
    },
  };
}
