import { type Together, withWorkers } from '../catalogue/derive/derive-together.ts';
import { openQueue } from '../infra/queue.ts';
import type { CliContext } from './cli-context.ts';

/** Does work whose derivations the workers of the site may help with. */
export async function withHelpers<T>(
  { config, database, remark }: CliContext,
  work: (together: Together) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(config, (error) => remark(`no help from workers: ${error.message}`));
  try {
    return await work(withWorkers(database, queue));
  } finally {
    await queue.close();
  }
}
