/** Submissions as people see them: only SQL. What workers do to them is in pipeline/leases.repository.ts. */
import type { CompactCell } from '@unitcell/crystal';
import { type Database, inTransaction } from '../../plugins/database.ts';
import type { Submission } from './submission.ts';

/** Heard by everybody who shows submissions; the payload is the account. */
export const SUBMISSION_CHANNEL = 'submission_changed';

export const SUBMISSION_COLUMNS = `submission.id, submission.account_id AS "accountId", submission.status,
  submission.formula, submission.space_group AS "spaceGroup", submission.structure, submission.nsites AS "nSites",
  submission.struct_id AS "structId", submission.reason, submission.reason_code AS "reasonCode", submission.step,
  submission.state, submission.attempt, submission.lease_owner AS "leaseOwner",
  submission.submitted_at AS "submittedAt", submission.started_at AS "startedAt",
  submission.finished_at AS "finishedAt"`;

/**
 * The order in which waiting submissions start: an account's second waits behind everybody's first, and among equals
 * the older comes first. To be used on `submission AS waiting`.
 */
export const QUEUE_ORDER = `(SELECT count(*) FROM submission AS other WHERE other.account_id = waiting.account_id
    AND (other.status = 'running' OR (other.status = 'queued' AND other.id < waiting.id))),
  waiting.submitted_at, waiting.id`;

export interface NewSubmission {
  readonly accountId: number;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly structure: CompactCell;
  /** Atoms of its primitive cell. */
  readonly nSites: number;
  /** The material it was found to be; null queues it. */
  readonly structId: number | null;
}

export interface QueuePlace {
  readonly id: number;
  /** Submissions that start before it. */
  readonly ahead: number;
  readonly nSites: number;
}

export interface RunningNow {
  readonly nSites: number;
  /** Since its start. */
  readonly seconds: number;
}

export interface FinishedRun {
  readonly nSites: number;
  readonly seconds: number;
}

/** What the workers say of themselves. */
export interface Capacity {
  readonly workers: number;
  /** Workers that have an engine. */
  readonly ableWorkers: number;
  readonly slots: number;
  readonly isDraining: boolean;
  readonly running: number;
}

/** A worker that was not heard of for this long is gone. */
const WORKER_SECONDS = 90;
const HISTORY_ROWS = 500;

export type SubmissionsRepository = ReturnType<typeof submissionsRepository>;

export function submissionsRepository({ pool }: Pick<Database, 'pool'>) {
  return {
    /**
     * Takes one from the day's quota and stores the submission, both or neither.
     * @returns its id; null when the quota is used up
     */
    insertWithinQuota(submission: NewSubmission, limit: number, timeZone: string): Promise<number | null> {
      return inTransaction(pool, async (client) => {
        const taken = await client.query(
          `INSERT INTO submission_quota AS quota (account_id, day, used)
           SELECT $1, (now() AT TIME ZONE $2)::date, 1 WHERE $3 > 0
           ON CONFLICT (account_id, day) DO UPDATE SET used = quota.used + 1 WHERE quota.used < $3
           RETURNING used`,
          [submission.accountId, timeZone, limit],
        );
        if (taken.rowCount === 0) return null;
        const isExisting = submission.structId !== null;
        const { rows } = await client.query<{ id: number }>(
          `INSERT INTO submission (account_id, status, formula, space_group, structure, nsites, struct_id,
             reason_code, finished_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $9 THEN now() END) RETURNING id`,
          [
            submission.accountId,
            isExisting ? 'existed' : 'queued',
            submission.formula,
            submission.spaceGroup,
            JSON.stringify(submission.structure),
            submission.nSites,
            submission.structId,
            isExisting ? 'existed' : '',
            isExisting,
          ],
        );
        await client.query('SELECT pg_notify($1, $2)', [SUBMISSION_CHANNEL, String(submission.accountId)]);
        return rows[0]!.id;
      });
    },

    /** Newest first. */
    async ofAccount(accountId: number): Promise<Submission[]> {
      const { rows } = await pool.query<Submission>(
        `SELECT ${SUBMISSION_COLUMNS} FROM submission WHERE account_id = $1 ORDER BY id DESC LIMIT ${HISTORY_ROWS}`,
        [accountId],
      );
      return rows;
    },

    async byId(id: number, accountId: number): Promise<Submission | null> {
      const { rows } = await pool.query<Submission>(
        `SELECT ${SUBMISSION_COLUMNS} FROM submission WHERE id = $1 AND account_id = $2`,
        [id, accountId],
      );
      return rows[0] ?? null;
    },

    /** @returns false when it was over already */
    async cancel(id: number, accountId: number | null, reasonCode: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `WITH cancelled AS (
           UPDATE submission SET status = 'cancelled', reason_code = $3, reason = '', step = '', lease_owner = NULL,
             lease_until = NULL, finished_at = now()
           WHERE id = $1 AND ($2::int IS NULL OR account_id = $2) AND status IN ('queued', 'running')
           RETURNING account_id)
         SELECT pg_notify('${SUBMISSION_CHANNEL}', account_id::text) FROM cancelled`,
        [id, accountId, reasonCode],
      );
      return (rowCount ?? 0) > 0;
    },

    async usedToday(accountId: number, timeZone: string): Promise<{ used: number; resetsAt: Date }> {
      const { rows } = await pool.query<{ used: number; resetsAt: Date }>(
        `SELECT coalesce((SELECT used FROM submission_quota
             WHERE account_id = $1 AND day = (now() AT TIME ZONE $2)::date), 0)::int AS used,
           ((now() AT TIME ZONE $2)::date + 1)::timestamp AT TIME ZONE $2 AS "resetsAt"`,
        [accountId, timeZone],
      );
      return rows[0]!;
    },

    /** Everything that waits, in the order it will start. */
    async queue(): Promise<QueuePlace[]> {
      const { rows } = await pool.query<QueuePlace>(
        `SELECT waiting.id, waiting.nsites AS "nSites", (row_number() OVER (ORDER BY ${QUEUE_ORDER}) - 1)::int AS ahead
         FROM submission AS waiting WHERE waiting.status = 'queued'`,
      );
      return rows;
    },

    async running(): Promise<RunningNow[]> {
      const { rows } = await pool.query<RunningNow>(
        `SELECT nsites AS "nSites", extract(epoch FROM now() - started_at)::float8 AS seconds
         FROM submission WHERE status = 'running'`,
      );
      return rows;
    },

    /** The latest finished calculations, for estimates. */
    async finishedRuns(): Promise<FinishedRun[]> {
      const { rows } = await pool.query<FinishedRun>(
        `SELECT nsites AS "nSites", extract(epoch FROM finished_at - started_at)::float8 AS seconds
         FROM submission WHERE status = 'finished' AND started_at IS NOT NULL AND finished_at > started_at
         ORDER BY finished_at DESC LIMIT 50`,
      );
      return rows;
    },

    async capacity(): Promise<Capacity> {
      const { rows } = await pool.query<Capacity>(
        `SELECT count(*)::int AS workers, count(engine)::int AS "ableWorkers",
           coalesce(sum(slots) FILTER (WHERE engine IS NOT NULL), 0)::int AS slots,
           coalesce((SELECT is_draining FROM run4u_control WHERE id = 1), false) AS "isDraining",
           (SELECT count(*) FROM submission WHERE status = 'running')::int AS running
         FROM run4u_worker WHERE seen_at > now() - make_interval(secs => ${WORKER_SECONDS})`,
      );
      return rows[0]!;
    },

    /** Stored materials of a reduced formula, lowest first. */
    async materialsOf(formulaReduced: string): Promise<{ structId: number; cell: CompactCell }[]> {
      const { rows } = await pool.query<{ structId: number; cell: CompactCell }>(
        `SELECT material.struct_id AS "structId", structure.primitive AS cell
         FROM material JOIN material_structure AS structure USING (struct_id)
         WHERE material.formula_reduced = $1 ORDER BY material.energy_above_hull, material.struct_id LIMIT 500`,
        [formulaReduced],
      );
      return rows;
    },

    async materialCell(structId: number): Promise<CompactCell | null> {
      const { rows } = await pool.query<{ conventional: CompactCell }>(
        'SELECT conventional FROM material_structure WHERE struct_id = $1',
        [structId],
      );
      return rows[0]?.conventional ?? null;
    },
  };
}
