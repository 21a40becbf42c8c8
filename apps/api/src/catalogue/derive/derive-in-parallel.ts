/**
 * Distributes a derivation over several workers: any worker takes the next piece, a group of chemical systems
 * (infra/work-rows.ts). A single process does the pieces in sequence. A dry run does too, because other
 * processes cannot see its transaction.
 */
import { shareCatalogueWork } from '@unitcell/contract/jobs';
import type { Database } from '../../infra/database.ts';
import type { JobQueue } from '../../infra/queue.ts';
import { type Pieces, shareOut } from '../../infra/work-rows.ts';

/** More helpers would find no work even in the largest known catalogues. */
const MAX_CALLED = 8;

/** Processes the pieces of a derivation and returns their results in the same order. */
export type Distribute = <Input extends object, Result extends object>(
  pieces: Pieces<Input, Result>,
) => Promise<Result[]>;

export const inSequence: Distribute = async ({ inputs, doTask, onProgress, signal }) => {
  const results: Awaited<ReturnType<typeof doTask>>[] = [];
  for (const input of inputs) {
    signal?.throwIfAborted();
    // The systems of a piece depend on earlier pieces.
    // oxlint-disable-next-line no-await-in-loop
    results.push(await doTask(input));
    onProgress?.(results.length);
  }
  return results;
};

/** Asks other workers to take part. */
export const withWorkers =
  ({ db }: Pick<Database, 'db'>, queue: Pick<JobQueue, 'enqueue'>): Distribute =>
  (pieces) => {
    if (pieces.inputs.length < 2) return inSequence(pieces);
    const helpers = Array.from({ length: Math.min(MAX_CALLED, pieces.inputs.length - 1) });
    return shareOut(db, pieces, async () => {
      await Promise.all(helpers.map(() => queue.enqueue(shareCatalogueWork, { kind: pieces.kind })));
    });
  };
