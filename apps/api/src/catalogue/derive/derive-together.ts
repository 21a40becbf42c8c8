/**
 * How a derivation is done by several workers: in pieces of chemical systems that anybody takes (infra/work-rows.ts). Alone,
 * or where others could not see what is being derived (a dry run's transaction), the pieces are done one after the other.
 */
import { helpCatalogue } from '@unitcell/contract/jobs';
import type { Database } from '../../infra/database.ts';
import type { JobQueue } from '../../infra/queue.ts';
import { type Pieces, shareOut } from '../../infra/work-rows.ts';

/** More would find nothing left in the largest catalogues seen. */
const MOST_CALLED = 8;

/** Does the pieces of a derivation; answers what they answered, in their order. */
export type Together = <Input extends object, Result extends object>(
  pieces: Pieces<Input, Result>,
) => Promise<Result[]>;

export const alone: Together = async ({ inputs, doTask, onProgress, signal }) => {
  const results: Awaited<ReturnType<typeof doTask>>[] = [];
  for (const input of inputs) {
    signal?.throwIfAborted();
    // The systems of one piece stand on those before.
    // oxlint-disable-next-line no-await-in-loop
    results.push(await doTask(input));
    onProgress?.(results.length);
  }
  return results;
};

/** With the workers that hear of it. */
export const withWorkers =
  ({ db }: Pick<Database, 'db'>, queue: Pick<JobQueue, 'enqueue'>): Together =>
  (pieces) => {
    if (pieces.inputs.length < 2) return alone(pieces);
    const helpers = Array.from({ length: Math.min(MOST_CALLED, pieces.inputs.length - 1) });
    return shareOut(db, pieces, async () => {
      await Promise.all(helpers.map(() => queue.enqueue(helpCatalogue, { kind: pieces.kind })));
    });
  };
