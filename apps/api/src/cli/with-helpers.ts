import { openQueue, type JobQueue } from '../infra/queue.ts';
import type { CliContext } from './cli-context.ts';

/** Does work that the workers of the site may help with: they are called through the queue. */
export async function withHelpers<T>(
  { config, remark }: CliContext,
  work: (queue: JobQueue) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(config, (error) => remark(`no help from workers: ${error.message}`));
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}
