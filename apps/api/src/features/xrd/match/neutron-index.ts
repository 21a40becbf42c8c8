/**
 * The index of the neutron patterns of one search. The catalogue stores the patterns of X-rays alone, because those of
 * neutrons are rarely wanted; for the materials of named elements they are calculated in a second.
 */
import { AppError } from '../../../messages/app-error.ts';
import type { ThreadHandle } from '../../../infra/thread-pool.ts';
import type { XrdRepository } from '../xrd.repository.ts';
import type * as xrdThread from '../xrd.thread.ts';

/** Largest number of materials of one search. */
const MAX_MATERIALS = 4000;

/** Materials of one task of a thread. */
const TASK = 500;

/**
 * @returns the index, and the stored form of each pattern by struct_id
 * @throws AppError xrd.neutrons.too-many
 */
export async function neutronIndex(
  threads: Pick<ThreadHandle<typeof xrdThread>, 'run'>,
  repository: XrdRepository,
  ids: Uint32Array,
): Promise<{ readonly index: SharedArrayBuffer; readonly patterns: ReadonlyMap<number, Uint8Array> }> {
  if (ids.length > MAX_MATERIALS)
    throw new AppError('xrd.neutrons.too-many', { count: ids.length, limit: MAX_MATERIALS });
  const starts = Array.from({ length: Math.ceil(ids.length / TASK) }, (_, i) => i * TASK);
  const parts = await Promise.all(
    starts.map(async (start) => {
      const cells = await repository.references([...ids.subarray(start, start + TASK)]);
      return await threads.run('neutronPatterns', cells);
    }),
  );
  const entries = parts.flat();
  return {
    index: await threads.run('sharedIndex', entries),
    patterns: new Map(entries.map(({ id, packed }) => [id, packed])),
  };
}
