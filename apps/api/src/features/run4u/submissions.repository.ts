/** SQL of submissions for users. The SQL of the workers is in pipeline/leases.repository.ts. */
import { predictedValues, type PredictionResult } from '@unitcell/contract/prediction';
import {
  BUILT_IN_ENGINE,
  type PotentialName,
  type PredictedTask,
  type RunMethod,
} from '@unitcell/contract/run4u';
import type { CompactCell } from '@unitcell/crystal';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, columnsOf, currentStructId, fromNow, json, now, secondsBetween } from '../../infra/sql.ts';
import type { DB } from '../../generated/tables/tables.ts';
import { lockLivingAccount } from '../../domain/living-account.ts';
import type { KnownPhase } from '../../domain/potential/predicted-hull.ts';
import { materialsOfFormula } from '../../domain/same-crystal.ts';
import type { PredictedResults, SubmissionState } from '../../infra/stored-json.ts';
import type { Submission } from './submission.ts';

/** Notification channel of submission changes; the payload is the account. */
export const SUBMISSION_CHANNEL = 'submission_changed';

/** Whether workers start no further submissions. */
export const readDraining = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('run4u_control').select('is_draining').where('id', '=', 1).executeTakeFirst())
    ?.is_draining ?? false;

/** The columns of a {@link Submission}. */
export const SUBMISSION_COLUMNS = [
  'submission.id',
  'submission.account_id as accountId',
  'submission.status',
  'submission.formula',
  'submission.space_group as spaceGroup',
  'submission.structure',
  'submission.nsites as nSites',
  'submission.method',
  'submission.struct_id as structId',
  'submission.reason',
  'submission.reason_code as reasonCode',
  'submission.step',
  'submission.state',
  'submission.attempt',
  'submission.lease_owner as leaseOwner',
  'submission.submitted_at as submittedAt',
  'submission.started_at as startedAt',
  'submission.finished_at as finishedAt',
] as const;

/**
 * Start order of waiting submissions: by this number, then by age, so that an account's second submission
 * waits until the first ones of all accounts have started. Used on `submission as waiting`.
 */
export const startedBefore = ({
  selectFrom,
}: ExpressionBuilder<DB & { waiting: DB['submission'] }, 'waiting'>) =>
  selectFrom('submission as other')
    .select(({ fn }) => fn.countAll().as('n'))
    .whereRef('other.account_id', '=', 'waiting.account_id')
    .where((is) =>
      is.or([
        is('other.status', '=', 'running'),
        is.and([is('other.status', '=', 'queued'), is('other.id', '<', is.ref('waiting.id'))]),
      ]),
    );

/** Returned by every statement that changes submissions: notifies listeners of the account on commit. */
export const notifiesAccount =
  sql`pg_notify(${SUBMISSION_CHANNEL}, ${columnsOf('submission')('account_id')}::text)`.as('notified');

export interface NewSubmission
  extends Pick<Submission, 'accountId' | 'formula' | 'spaceGroup' | 'structure' | 'nSites' | 'method'> {
  /** The stored material that matches the submission; null queues the submission. */
  readonly structId: number | null;
  readonly state: Pick<SubmissionState, 'tasks' | 'physics'>;
}

/** Quantities that determine the duration of a calculation or prediction. */
export interface RunSize {
  /** Number of atoms in the primitive cell. */
  readonly nSites: number;
  /** Properties besides the energy. */
  readonly tasks: readonly PredictedTask[];
  /** Potential of a prediction; null or absent: the default potential. */
  readonly potential?: PotentialName | null | undefined;
}

export interface QueuePlace extends RunSize {
  readonly id: number;
  /** Number of submissions that start before this one. */
  readonly ahead: number;
  readonly method: RunMethod | '';
}

export interface RunningNow extends RunSize {
  readonly method: RunMethod | '';
  /** Seconds since the start of the run. */
  readonly seconds: number;
}

export interface FinishedRun extends RunSize {
  readonly seconds: number;
}

/** Capacity of all workers as reported by them. */
export interface Capacity {
  readonly workers: number;
  /** Workers that have an engine. */
  readonly ableWorkers: number;
  /** Workers whose engine calculates from first principles. */
  readonly programs: number;
  /** The engine of one worker that calculates from first principles. */
  readonly engine: { readonly name: string; readonly version: string } | null;
  readonly slots: number;
  readonly isDraining: boolean;
  readonly running: number;
}

/** A worker without a heartbeat for this long counts as stopped. */
export const WORKER_SECONDS = 90;
const HISTORY_ROWS = 500;

/** eV/atom. Phases farther above the catalogue's hull are not expected on the hull of the potential either. */
const NEAR_HULL = 0.05;
/** Largest number of known phases relaxed for one hull, and largest number of atoms in each phase. */
const MAX_KNOWN = 60;
const LARGEST_KNOWN = 80;

export type SubmissionsRepository = ReturnType<typeof submissionsRepository>;

/** The quota's current day in the configured time zone. */
const today = (timeZone: string) => sql<Date>`(now() AT TIME ZONE ${timeZone})::date`;

/** Submissions that match a stored material are free up to this number a day; further ones are charged. */
const FREE_A_DAY = 50;

async function isGenerous(db: Db, accountId: number, timeZone: string): Promise<boolean> {
  const { free } = await db
    .selectFrom('submission')
    .select(({ fn }) => fn.countAll<string>().as('free'))
    .where('account_id', '=', accountId)
    .where('status', 'in', ['existed', 'cancelled'])
    .where('submitted_at', '>=', sql<Date>`${today(timeZone)}::timestamp AT TIME ZONE ${timeZone}`)
    .executeTakeFirstOrThrow();
  return Number(free) < FREE_A_DAY;
}

/** The columns of a {@link RunSize} for a table with this alias. */
const sizeColumns = (alias: 'submission' | 'waiting') => {
  const column = columnsOf('submission', alias);
  return [
    column('nsites').as('nSites'),
    sql<readonly PredictedTask[]>`coalesce(${column('state')} -> 'tasks', '[]')`.as('tasks'),
    sql<PotentialName | null>`${column('state')} ->> 'potential'`.as('potential'),
  ] as const;
};

/** Predictions have a separate quota. */
const quotaColumn = (method: RunMethod | ''): 'predicted' | 'used' =>
  method === 'prediction' ? 'predicted' : 'used';

/** @returns false if the quota is used up */
async function takeFromQuota(
  db: Db,
  { accountId, method }: Pick<NewSubmission, 'accountId' | 'method'>,
  limit: number,
  timeZone: string,
): Promise<boolean> {
  const column = quotaColumn(method);
  const taken = await db
    .insertInto('submission_quota')
    .values({ account_id: accountId, day: today(timeZone), [column]: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'day'])
        .doUpdateSet(({ ref }) => ({ [column]: sql`${ref(`submission_quota.${column}`)} + 1` }))
        .where(`submission_quota.${column}`, '<', limit),
    )
    .returning(column)
    .executeTakeFirst();
  return taken !== undefined;
}

/** Refunds the quota of the day on which a submission was charged, if the submission never ran. */
async function giveBack(
  db: Db,
  { account_id, submitted_at, method }: { account_id: number; submitted_at: Date; method: RunMethod | '' },
  timeZone: string,
): Promise<void> {
  if (!(await isGenerous(db, account_id, timeZone))) return;
  const column = quotaColumn(method);
  await db
    .updateTable('submission_quota')
    .set(({ ref }) => ({ [column]: sql`${ref(column)} - 1` }))
    .where('account_id', '=', account_id)
    .where('day', '=', sql<Date>`(${submitted_at}::timestamptz AT TIME ZONE ${timeZone})::date`)
    .where(column, '>', 0)
    .execute();
}

export function submissionsRepository({ db }: Pick<Database, 'db'>) {
  return {
    /**
     * Stores the submission and charges the day's quota, both or neither. A known material is free.
     * @returns its id; null when the quota is used up
     * @throws AppError auth.invalid when the account is deleted
     */
    insertWithinQuota(submission: NewSubmission, limit: number, timeZone: string): Promise<number | null> {
      if (limit <= 0) return Promise.resolve(null);
      const { accountId, structId } = submission;
      const isExisting = structId !== null;
      return db.transaction().execute(async (tx) => {
        await lockLivingAccount(tx, accountId);
        const isFree = isExisting && (await isGenerous(tx, accountId, timeZone));
        if (!isFree && !(await takeFromQuota(tx, submission, limit, timeZone))) return null;
        const { id } = await tx
          .insertInto('submission')
          .values({
            account_id: accountId,
            status: isExisting ? 'existed' : 'queued',
            formula: submission.formula,
            space_group: submission.spaceGroup,
            structure: json(submission.structure),
            nsites: submission.nSites,
            method: submission.method,
            state: json(submission.state),
            struct_id: structId,
            reason_code: isExisting ? 'existed' : '',
            finished_at: isExisting ? now : null,
          })
          .returning(['id', notifiesAccount])
          .executeTakeFirstOrThrow();
        return id;
      });
    },

    /** Submissions of the account, newest first. */
    async ofAccount(accountId: number): Promise<Submission[]> {
      return db
        .selectFrom('submission')
        .select(SUBMISSION_COLUMNS)
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(HISTORY_ROWS)
        .execute();
    },

    async byId(id: number, accountId: number): Promise<Submission | null> {
      const found = await db
        .selectFrom('submission')
        .select(SUBMISSION_COLUMNS)
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return found ?? null;
    },

    /** Stores the prediction made before a submission is calculated. */
    async keepPrediction(id: number, { model, hull, ...made }: PredictionResult): Promise<void> {
      const values = predictedValues.parse(made);
      await db
        .insertInto('submission_prediction')
        .values({
          submission_id: id,
          model,
          values: json(values),
          hull_distance: hull?.energy_above_hull ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Finished calculations from first principles of a material, newest first. */
    async calculationsOf(structId: number): Promise<number[]> {
      const rows = await db
        .selectFrom('submission')
        .select('id')
        .where('status', '=', 'finished')
        .where(({ eb, or, selectFrom }) =>
          or([
            eb('struct_id', '=', currentStructId(structId)),
            eb(
              'struct_id',
              'in',
              selectFrom('retired_id')
                .select('retired_id.struct_id')
                .where('target_id', '=', currentStructId(structId)),
            ),
          ]),
        )
        .orderBy('id', 'desc')
        .execute();
      return rows.map(({ id }) => id);
    },

    /** @returns false when the submission was over already */
    async cancel(
      id: number,
      accountId: number | null,
      reasonCode: string,
      timeZone: string,
    ): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        const cancelled = await tx
          .updateTable('submission')
          .set({ status: 'cancelled', reason_code: reasonCode, reason: '', step: '', finished_at: now })
          .set({ lease_owner: null, lease_until: null })
          .where('id', '=', id)
          .where('status', 'in', ['queued', 'running'])
          .$if(accountId !== null, (query) => query.where('account_id', '=', accountId!))
          .returning(['account_id', 'submitted_at', 'attempt', 'method', notifiesAccount])
          .executeTakeFirst();
        if (!cancelled) return false;
        if (cancelled.attempt === 0) await giveBack(tx, cancelled, timeZone);
        return true;
      });
    },

    /** `ownLimit` null: the site's default limit applies. */
    async usedToday(
      accountId: number,
      timeZone: string,
    ): Promise<{ used: number; predicted: number; ownLimit: number | null; resetsAt: Date }> {
      const { used, predicted, ownLimit, resetsAt } = await db
        .selectNoFrom((of) => [
          ...(['used', 'predicted'] as const).map((column) =>
            of
              .selectFrom('submission_quota')
              .select(column)
              .where('account_id', '=', accountId)
              .where('day', '=', today(timeZone))
              .as(column),
          ),
          of.selectFrom('account').select('run4u_daily_limit').where('id', '=', accountId).as('ownLimit'),
          sql<Date>`(${today(timeZone)} + 1)::timestamp AT TIME ZONE ${timeZone}`.as('resetsAt'),
        ])
        .executeTakeFirstOrThrow();
      return { used: used ?? 0, predicted: predicted ?? 0, ownLimit, resetsAt };
    },

    /** All waiting submissions in start order. */
    async queue(): Promise<QueuePlace[]> {
      const waiting = await db
        .selectFrom('submission as waiting')
        .select(['waiting.id', 'waiting.method'])
        .select(sizeColumns('waiting'))
        .where('waiting.status', '=', 'queued')
        .orderBy(startedBefore)
        .orderBy('waiting.submitted_at')
        .orderBy('waiting.id')
        .execute();
      return waiting.map((place, ahead) => ({ ...place, ahead }));
    },

    async running(): Promise<RunningNow[]> {
      return db
        .selectFrom('submission')
        .select('method')
        .select(sizeColumns('submission'))
        .select(({ ref }) => secondsBetween(ref('started_at'), now).as('seconds'))
        .where('status', '=', 'running')
        .where('started_at', 'is not', null)
        .execute();
    },

    /** The latest finished calculations, or predictions, for estimates. */
    async finishedRuns(isPredicted: boolean): Promise<FinishedRun[]> {
      return db
        .selectFrom('submission')
        .select(sizeColumns('submission'))
        .select(({ ref }) => secondsBetween(ref('started_at'), ref('finished_at')).as('seconds'))
        .where('status', '=', 'finished')
        .whereRef('finished_at', '>', 'started_at')
        .where(sql`${columnsOf('submission')('state')} -> 'predicted'`, isPredicted ? 'is not' : 'is', null)
        .orderBy('finished_at', 'desc')
        .limit(50)
        .execute();
    },

    async capacity(): Promise<Capacity> {
      const workers = await db
        .selectFrom('run4u_worker')
        .select(['engine', 'engine_version as version', 'slots'])
        .where('seen_at', '>', fromNow(-WORKER_SECONDS))
        .orderBy('id')
        .execute();
      const having = workers.filter(({ engine }) => engine !== null);
      // Workers with the potential count only if no worker has a program.
      const programs = having.filter(({ engine }) => engine !== BUILT_IN_ENGINE);
      const able = programs.length > 0 ? programs : having;
      const [first] = able;
      const { running } = await db
        .selectFrom('submission')
        .select(({ fn }) => fn.countAll().as('running'))
        .where('status', '=', 'running')
        .executeTakeFirstOrThrow();
      return {
        workers: workers.length,
        ableWorkers: having.length,
        programs: programs.length,
        engine: first?.engine ? { name: first.engine, version: first.version } : null,
        slots: able.reduce((sum, { slots }) => sum + slots, 0),
        isDraining: await readDraining(db),
        running: Number(running),
      };
    },

    /** Stored materials of a reduced formula, lowest energy first. */
    materialsOf: (formulaReduced: string) => materialsOfFormula(db, formulaReduced),

    /**
     * Known compounds of a chemical system and of the systems within it; for a system of one element, the
     * crystals of this element. Of each formula, only the crystal of lowest energy that is small enough to be
     * relaxed. Only crystals near the hull or without a calculated energy are included. Crystals that are too
     * large, and crystals beyond MAX_KNOWN, have no cell.
     */
    async knownPhases(systems: readonly string[]): Promise<KnownPhase[]> {
      const isElement = systems.length === 1;
      const one = isElement ? 'material.struct_id' : 'formula_reduced';
      const lowest = db
        .selectFrom('material')
        .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
        .distinctOn(one)
        .select(['material.struct_id as structId', 'formula_reduced as formula', 'given as cell', 'nsites'])
        .where('chemical_system', '=', anyOf(systems, 'text'))
        .where('nelements', isElement ? '=' : '>', 1)
        .where((is) => is.or([is('energy_above_hull', '<=', NEAR_HULL), is('energy_above_hull', 'is', null)]))
        .orderBy(one)
        .orderBy(({ eb }) => eb('nsites', '>', LARGEST_KNOWN))
        .orderBy('energy_above_hull')
        .orderBy('material.struct_id');
      const found = await db
        .selectFrom(lowest.as('lowest'))
        .selectAll()
        .orderBy('nsites')
        .orderBy('structId')
        .execute();
      return found.map(({ structId, formula, nsites, cell }, place) => ({
        structId,
        formula,
        cell: nsites <= LARGEST_KNOWN && place < MAX_KNOWN ? cell : null,
      }));
    },

    /** Stores predicted properties besides the relaxed crystal. */
    async keepResults(id: number, results: PredictedResults): Promise<void> {
      const row = { results: json(results) };
      await db
        .insertInto('submission_result')
        .values({ submission_id: id, ...row })
        .onConflict((conflict) => conflict.column('submission_id').doUpdateSet(row))
        .execute();
    },

    async resultsOf(id: number): Promise<PredictedResults | null> {
      const found = await db
        .selectFrom('submission_result')
        .select('results')
        .where('submission_id', '=', id)
        .executeTakeFirst();
      return found?.results ?? null;
    },

    async materialCell(structId: number): Promise<CompactCell | null> {
      const found = await db
        .selectFrom('material_structure')
        .select('conventional')
        .where('struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found?.conventional ?? null;
    },
  };
}
