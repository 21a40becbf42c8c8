/**
 * Work stored as rows and shared by several processes. If a process dies, another one takes over its rows. A
 * process holds a row in one of two ways.
 *
 * A **lock** is used for a piece of an import or a derivation (`shared_task`). The transaction that locks the row
 * lasts as long as the work. If a worker dies, PostgreSQL unlocks the row at once; no timeout is needed. A lock
 * uses a connection and prevents other sessions from writing the row, so it suits pieces of seconds to minutes.
 *
 * A **lease** is used for work that runs for hours or that others must be able to cancel (`submission`,
 * `xrd_match`, `run4u_worker`): a time in the row that its holder renews. It survives lost connections and
 * restarts of PostgreSQL. A dead holder is detected when the lease expires. A holder that returns too late
 * writes nothing, because its statements require that it still holds the lease.
 */
import { randomUUID } from 'node:crypto';
import type { shareCatalogueWork, JobPayload } from '@unitcell/contract/jobs';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { DB } from '../generated/tables/tables.ts';
import type { Db } from './database.ts';
import { oneAtATime } from './process.ts';
import { fromNow, json, now, secondsBetween } from './sql.ts';

/** The first row of a query that no other session has locked; it stays locked until the transaction ends. */
export const firstFree = <Tables, Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
): SelectQueryBuilder<Tables, Names, Row> => query.limit(1).forUpdate().skipLocked();

// ── Locks: pieces of work shared by any number of processes ──

/** A piece may be done twice if a worker dies during it. Input and result must be JSON. */
export type DoTask<Input extends object, Result extends object> = (input: Input) => Promise<Result>;

/**
 * Does one piece of work of a line. `line` is the name of the line, or the beginning of the names of several lines,
 * such as a kind.
 * @param isPatient whether to wait for a piece that another worker has locked, and to do it if that worker
 * dies
 * @returns whether there was a piece
 */
export function doNext<Input extends object, Result extends object>(
  db: Db,
  line: string,
  doTask: DoTask<Input, Result>,
  isPatient = false,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const undone = tx
      .selectFrom('shared_task')
      .select(['id', 'input'])
      .where('kind', 'like', `${line}%`)
      .where('result', 'is', null)
      .orderBy('id');
    const task = await (isPatient ? undone.limit(1).forUpdate() : firstFree(undone)).executeTakeFirst();
    if (!task) return false;
    // All rows of a line are written by one process with inputs of one type.
    const result = await doTask(task.input as Input);
    await tx
      .updateTable('shared_task')
      .set({ result: json(result) })
      .where('id', '=', task.id)
      .execute();
    return true;
  });
}

interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A line: pieces offered under one name, which this process (`concurrency` at a time) and helpers do. A
 * failed piece fails all pieces of the line.
 */
function sharedLine<Input extends object, Result extends object>(
  db: Db,
  line: string,
  doTask: DoTask<Input, Result>,
  concurrency: number,
) {
  const waiting = new Map<string, Waiting<Result>>();
  let running = 0;
  let ended: Promise<unknown> = Promise.resolve();

  async function collect(): Promise<void> {
    const done = await db
      .deleteFrom('shared_task')
      .where('kind', '=', line)
      .where('result', 'is not', null)
      .returning(['id', 'result'])
      .execute();
    for (const { id, result } of done) {
      waiting.get(id)?.resolve(result as Result);
      waiting.delete(id);
    }
  }

  async function takePieces(): Promise<void> {
    running++;
    try {
      /* oxlint-disable no-await-in-loop */
      while (waiting.size > 0) {
        if (!(await doNext(db, line, doTask))) await doNext(db, line, doTask, true);
        await collect();
      }
      /* oxlint-enable */
    } catch (error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    } finally {
      running--;
    }
  }

  return {
    /** Stores pieces. @returns the result of each */
    async offer(inputs: readonly Input[]): Promise<Promise<Result>[]> {
      const pieces = sql<{ input: unknown; place: number }>`
        jsonb_array_elements(${JSON.stringify(inputs)}::jsonb) WITH ORDINALITY`;
      const rows = await db
        .insertInto('shared_task')
        .columns(['kind', 'input'])
        .expression(({ selectFrom, val }) =>
          selectFrom(pieces.as<'pieces'>(sql`pieces (input, place)`))
            .select([val(line).as('kind'), 'pieces.input'])
            .orderBy('pieces.place'),
        )
        .returning('id')
        .execute();
      return rows
        .map(({ id }) => id)
        .sort((a, b) => Number(a) - Number(b))
        .map((id) => new Promise<Result>((resolve, reject) => waiting.set(id, { resolve, reject })));
    },
    work(): void {
      while (running < concurrency && waiting.size > running) ended = Promise.all([ended, takePieces()]);
    },
    /** Resolves when this process has no running piece. */
    idle: (): Promise<unknown> => ended,
  };
}

/** The kind of the pieces, which is sent to helpers (contract/jobs). */
export type PieceKind = JobPayload<typeof shareCatalogueWork>['kind'];

export interface Pieces<Input extends object, Result extends object> {
  readonly kind: PieceKind;
  readonly inputs: readonly Input[];
  readonly doTask: DoTask<Input, Result>;
  readonly onProgress?: ((done: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Concurrent pieces per process: it computes one piece while the database works for another. */
const CONCURRENT_PIECES = 2;

/**
 * Distributes a known list of pieces over this process and its helpers. Only one caller per kind at a time.
 * @param call asks other workers for help
 * @returns the results in the order of `inputs`
 */
export async function shareOut<Input extends object, Result extends object>(
  db: Db,
  { kind, inputs, doTask, onProgress, signal }: Pieces<Input, Result>,
  call: () => Promise<void>,
): Promise<Result[]> {
  // Deletes rows left by a dead process; this process offers the pieces again.
  await db.deleteFrom('shared_task').where('kind', '=', kind).execute();
  const line = sharedLine<Input, Result>(
    db,
    kind,
    async (input) => {
      signal?.throwIfAborted();
      return doTask(input);
    },
    CONCURRENT_PIECES,
  );
  let done = 0;
  const answers = (await line.offer(inputs)).map(async (answer) => {
    const result = await answer;
    onProgress?.(++done);
    return result;
  });
  await call();
  line.work();
  try {
    return await Promise.all(answers);
  } finally {
    await line.idle();
  }
}

/** Age after which rows of a dead process are deleted. */
const FORGOTTEN_SECONDS = 86_400;

/**
 * Opens a line, with its own name, for pieces that arrive one by one. @param concurrency concurrent pieces in this
 * process
 */
export async function openSharedLine<Input extends object, Result extends object>(
  db: Db,
  kind: PieceKind,
  doTask: DoTask<Input, Result>,
  concurrency: number,
): Promise<(input: Input) => Promise<Result>> {
  await db.deleteFrom('shared_task').where('created_at', '<', fromNow(-FORGOTTEN_SECONDS)).execute();
  const line = sharedLine(db, `${kind} ${randomUUID()}`, doTask, concurrency);
  return async (input) => {
    const [answer] = await line.offer([input]);
    line.work();
    return answer!;
  };
}

// ── Leases ──

/** Another process holds the row, or the work was cancelled: this process must not write its results. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface LeaseRenewal {
  readonly everyMilliseconds: number;
  /** Duration of the lease without renewal. */
  readonly leaseSeconds: number;
  /** Renews the lease; false when it is lost. */
  readonly renew: () => Promise<boolean>;
  /** The database did not answer; the renewal is retried. */
  readonly onFailure: (error: unknown) => void;
}

/** Renews a lease until it is lost or released. Uses this process's own monotonic clock. */
export function keepRenewing({ everyMilliseconds, leaseSeconds, renew, onFailure }: LeaseRenewal): {
  /** Aborted with LeaseLost. */
  readonly lost: AbortSignal;
  renewNow(): void;
  stop(): void;
} {
  const lost = new AbortController();
  let renewedAt = performance.now();
  const renewNow = oneAtATime(async () => {
    try {
      if (await renew()) renewedAt = performance.now();
      else lost.abort(new LeaseLost('taken over or cancelled'));
    } catch (error) {
      onFailure(error);
    }
  });
  const timer = setInterval(() => {
    if (performance.now() - renewedAt > leaseSeconds * 1000)
      lost.abort(new LeaseLost('the database was away for longer than the lease'));
    renewNow();
  }, everyMilliseconds).unref();
  return { lost: lost.signal, renewNow, stop: () => clearInterval(timer) };
}

// ── Progress of long work, for the operator's page ──

const WRITE_MILLISECONDS = 1_000;

export interface WorkProgress {
  /** Never throws and writes at most once a second, so that it does not affect the work. */
  note(detail: string, done: number, total: number): void;
  end(): Promise<void>;
}

/** `db` must not be a transaction of the work, because others read the progress. */
export function workProgress(db: Db, kind: DB['work_progress']['kind']): WorkProgress {
  let id: number | null = null;
  let last = Number.NEGATIVE_INFINITY;
  let writing: Promise<unknown> = Promise.resolve();

  async function write(detail: string, done: number, total: number): Promise<void> {
    const row = { kind, detail, done, total, updated_at: now };
    if (id === null)
      ({ id } = await db.insertInto('work_progress').values(row).returning('id').executeTakeFirstOrThrow());
    else await db.updateTable('work_progress').set(row).where('id', '=', id).execute();
  }
  const inOrder = (work: () => Promise<unknown>): Promise<unknown> =>
    (writing = writing.then(work).catch(() => undefined));

  return {
    note(detail, done, total) {
      if (performance.now() - last < WRITE_MILLISECONDS) return;
      last = performance.now();
      void inOrder(() => write(detail, done, total));
    },
    async end() {
      await inOrder(async () => {
        if (id !== null) await db.deleteFrom('work_progress').where('id', '=', id).execute();
      });
    },
  };
}

/** Work that is running or has stopped unexpectedly within the last day. */
export const workUnderWay = (db: Db) =>
  db
    .selectFrom('work_progress')
    .select(['id', 'kind', 'detail', 'done', 'total', 'started_at as startedAt'])
    .select(({ ref }) => secondsBetween(ref('updated_at'), now).as('secondsAgo'))
    .where('updated_at', '>', fromNow(-FORGOTTEN_SECONDS))
    .orderBy('id')
    .execute();
