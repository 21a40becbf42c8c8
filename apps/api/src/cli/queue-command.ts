/** `unitcell queue …`: the jobs of the queue, done again or taken out. */
import type { Command } from 'commander';
import { BY_COMMAND } from '../features/operate/by.ts';
import { operatedJobs } from '../features/operate/jobs.service.ts';
import { openQueue } from '../infra/queue.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

type Jobs = ReturnType<typeof operatedJobs>;

const withJobs = (work: (jobs: Jobs, context: CliContext) => Promise<void>): Promise<void> =>
  withContext(async (context) => {
    const queue = await openQueue(context.config, () => undefined);
    try {
      await work(operatedJobs(context.database, queue), context);
    } finally {
      await queue.close();
    }
  });

async function list(jobs: Jobs, { print }: CliContext, isJson: boolean): Promise<void> {
  const { isThere, counts, jobs: listed } = await jobs.state();
  if (!isThere) throw new CommandFailed('the queue does not answer');
  if (isJson) return print(JSON.stringify({ counts, jobs: listed }));
  print(
    Object.entries(counts)
      .map(([state, count]) => `${count} ${state}`)
      .join(', '),
  );
  for (const job of listed)
    print([job.id, job.state, job.name, job.addedAt.toISOString(), job.reason].join('\t').trimEnd());
}

export function addQueueCommand(program: Command): void {
  const queue = program.command('queue').description('jobs of the queue: list, retry, remove');
  queue
    .command('list', { isDefault: true })
    .description('up to fifty jobs of each state: number, state, name, added, reason')
    .option('--json', 'for programs')
    .action(({ json = false }: { json?: boolean }) => withJobs((jobs, context) => list(jobs, context, json)));
  queue
    .command('retry')
    .description('does a failed job again')
    .argument('<id>', 'number of the job')
    .action((id: string) =>
      withJobs(async (jobs, { print }) => {
        await jobs.retry(BY_COMMAND, id);
        print(`job ${id} is done again`);
      }),
    );
  queue
    .command('remove')
    .description('takes a job that does not run out of the queue')
    .argument('<id>', 'number of the job')
    .action((id: string) =>
      withJobs(async (jobs, { print }) => {
        await jobs.remove(BY_COMMAND, id);
        print(`job ${id} is removed`);
      }),
    );
}
