/** Pieces of work that come one by one, done by this process and whoever helps (shared-tasks.ts). */
import { randomUUID } from 'node:crypto';
import type { Db } from './database.ts';
import { doNext, type DoTask } from './shared-tasks.ts';
import { fromNow, json } from './sql.ts';

interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Pieces of lines whose owner died long ago. */
const FORGOTTEN_SECONDS = 86_400;

/**
 * A line of its own, however many of its kind there are. A piece that fails fails for whoever offered it, with all others of the line.
 * @param lanes pieces this process does at once
 */
export async function openSharedLine<Input extends object, Result extends object>(
  db: Db,
  kind: string,
  doTask: DoTask<Input, Result>,
  lanes: number,
): Promise<(input: Input) => Promise<Result>> {
  await db.deleteFrom('shared_task').where('created_at', '<', fromNow(-FORGOTTEN_SECONDS)).execute();
  const line = `${kind} ${randomUUID()}`;
  const waiting = new Map<string, Waiting<Result>>();
  let running = 0;

  async function collect(): Promise<void> {
    const done = await db
      .deleteFrom('shared_task')
      .where('kind', '=', line)
      .where('result', 'is not', null)
      .returning(['id', 'result'])
      .execute();
    for (const { id, result } of done) {
      // What is in the row is what `doTask` answered.
      waiting.get(id)?.resolve(result as Result);
      waiting.delete(id);
    }
  }

  async function lane(): Promise<void> {
    running++;
    try {
      /* oxlint-disable no-await-in-loop */
      while (waiting.size > 0) {
        // Where nothing is free it waits for a piece somebody else is at.
        if (!(await doNext(db, line, doTask))) await doNext(db, line, doTask, { waits: true });
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

  return async (input) => {
    const { id } = await db
      .insertInto('shared_task')
      .values({ kind: line, input: json(input) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const result = new Promise<Result>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });
    if (running < lanes) void lane();
    return result;
  };
}
