/**
 * Work that any number of processes do together. Its pieces are rows, each locked by whoever does it for as long as his
 * transaction lives: a process that dies lets go of its piece, so nothing is lost and nothing waits for a clock. Nobody is needed
 * but the one who hands out: what no other takes he does himself.
 */
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { json } from './sql.ts';

/** A piece may be done twice, when somebody died over it. Input and answer are what JSON can hold. */
export type DoTask<Input extends object, Result extends object> = (input: Input) => Promise<Result>;

interface DoNextOptions {
  /** Also waits for pieces others are at, and does those that are let go of undone. */
  readonly waits?: boolean;
}

/** Does one piece of a kind whose name begins so. @returns whether there was one */
export function doNext<Input extends object, Result extends object>(
  db: Db,
  kind: string,
  doTask: DoTask<Input, Result>,
  { waits = false }: DoNextOptions = {},
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const undone = tx
      .selectFrom('shared_task')
      .select(['id', 'input'])
      .where('kind', 'like', `${kind}%`)
      .where('result', 'is', null)
      .orderBy('id')
      .limit(1)
      .forUpdate();
    const task = await (waits ? undone : undone.skipLocked()).executeTakeFirst();
    if (!task) return false;
    // Rows of a kind are written by `shareOut` alone, which takes the same inputs.
    const result = await doTask(task.input as Input);
    await tx
      .updateTable('shared_task')
      .set({ result: json(result) })
      .where('id', '=', task.id)
      .execute();
    return true;
  });
}

export interface Pieces<Input extends object, Result extends object> {
  readonly kind: string;
  readonly inputs: readonly Input[];
  readonly doTask: DoTask<Input, Result>;
  readonly onProgress?: ((done: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Pieces one process is at: while the database reads or writes for one, it computes another. */
const LANES = 2;

/**
 * Hands out pieces of one kind and does them with whoever comes. One caller at a time may do this for a kind.
 * @param call tells others that there is work
 * @returns what each answered, in the order of `inputs`
 */
export async function shareOut<Input extends object, Result extends object>(
  db: Db,
  { kind, inputs, doTask, onProgress, signal }: Pieces<Input, Result>,
  call: () => Promise<void>,
): Promise<Result[]> {
  const all = () => db.deleteFrom('shared_task').where('kind', '=', kind);
  // Those of somebody who died are handed out anew by whoever goes on in his place.
  await all().execute();
  await db
    .insertInto('shared_task')
    .columns(['kind', 'input'])
    .expression(({ selectFrom, val }) =>
      selectFrom(
        sql<{
          input: unknown;
          place: number;
        }>`jsonb_array_elements(${JSON.stringify(inputs)}::jsonb) WITH ORDINALITY`.as<'pieces'>(
          sql`pieces (input, place)`,
        ),
      )
        .select([val(kind).as('kind'), 'pieces.input'])
        .orderBy('pieces.place'),
    )
    .execute();
  await call();
  const failed = new AbortController();
  async function lane(): Promise<void> {
    /* oxlint-disable no-await-in-loop */
    for (const waits of [false, true])
      while (!failed.signal.aborted && (await doNext(db, kind, doTask, { waits }))) {
        signal?.throwIfAborted();
        onProgress?.(await countDone(db, kind));
      }
    /* oxlint-enable */
  }
  const lanes = Array.from({ length: LANES }, () => lane().catch((error: unknown) => failed.abort(error)));
  await Promise.all(lanes);
  failed.signal.throwIfAborted();
  const rows = await all().returning(['id', 'result']).execute();
  return rows.sort((a, b) => Number(a.id) - Number(b.id)).map(({ result }) => result as Result);
}

async function countDone(db: Db, kind: string): Promise<number> {
  const { done } = await db
    .selectFrom('shared_task')
    .select(({ fn }) => fn.countAll<string>().as('done'))
    .where('kind', '=', kind)
    .where('result', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(done);
}
