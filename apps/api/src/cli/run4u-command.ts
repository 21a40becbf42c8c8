/** `unitcell run4u …`: lists, restarts and cancels calculations, and pauses new ones. */
import type { SubmissionStatus } from '@unitcell/contract/run4u';
import { Argument, type Command, Option } from 'commander';
import { operationsRepository } from '../features/run4u/operations.repository.ts';
import { detectEngine } from '../features/run4u/engines/detect-engine.ts';
import { executorOf } from '../features/run4u/run4u.jobs.ts';
import { readRun4uSettings } from '../features/run4u/run4u-settings.ts';
import { BY_COMMAND } from '../features/account/audit-log.ts';
import { operatedSubmissions } from '../features/operate/work.ts';
import { AppError } from '../messages/app-error.ts';
import { type CliContext, withContext } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';

const STATUSES = ['queued', 'running', 'finished', 'existed', 'failed', 'cancelled'] as const;

const duration = (seconds: number | null): string =>
  seconds === null ? '-' : seconds < 120 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(1)} min`;

async function list(
  { database, print }: CliContext,
  { status, limit, json }: { status?: SubmissionStatus; limit: string; json?: boolean },
): Promise<void> {
  const rows = await operationsRepository(database).list(status ?? null, Number(limit) || 50);
  if (json) return print(JSON.stringify(rows));
  for (const row of rows)
    print(
      [
        String(row.id).padStart(6),
        row.status.padEnd(9),
        row.step.padEnd(11),
        row.formula.padEnd(14),
        `${row.atoms} atoms`.padEnd(10),
        duration(row.seconds).padStart(9),
        row.structId === null ? '' : `→ ${row.structId}`,
        row.account,
        row.reason,
      ]
        .join('  ')
        .trimEnd(),
    );
  return undefined;
}

async function showStatus(
  { config, database, print }: CliContext,
  { json }: { json?: boolean },
): Promise<void> {
  const operations = operationsRepository(database);
  const settings = readRun4uSettings(config);
  const searchPath = process.env.PATH ?? '';
  const [metrics, workers, detection, executorLacks] = await Promise.all([
    operations.metrics(),
    operations.workers(),
    detectEngine(settings, searchPath),
    executorOf(settings, searchPath).probe(),
  ]);
  const here = detection.engine
    ? `${detection.engine.name} ${detection.engine.version}`
    : `no engine: ${detection.missing}`;
  if (json)
    return print(JSON.stringify({ ...metrics, workers, here, executor: settings.executor, executorLacks }));
  const { byStatus, waitSeconds, runSeconds, oldestWaitingSeconds, isDraining } = metrics;
  print(`submissions: ${STATUSES.map((name) => `${byStatus[name] ?? 0} ${name}`).join(', ')}`);
  print(
    `wait: median ${duration(waitSeconds.median)}, 95 % ${duration(waitSeconds.p95)}, oldest ${duration(oldestWaitingSeconds)}`,
  );
  print(`run: median ${duration(runSeconds.median)}, 95 % ${duration(runSeconds.p95)}`);
  if (isDraining) print('draining: nothing new starts until `run4u drain --off`');
  print(`this machine: ${here}; executor ${settings.executor}${executorLacks ? `: ${executorLacks}` : ''}`);
  for (const worker of workers)
    print(
      `worker ${worker.id}: ${worker.engine ? `${worker.engine} ${worker.engineVersion}` : worker.missing}, ${worker.executor}, ${worker.slots} slots, ${worker.secondsAgo.toFixed(0)} s ago`,
    );
  if (workers.length === 0) print('no worker is running: submissions wait until one starts');
  return undefined;
}

async function change(
  { config, database, print }: CliContext,
  verb: 'retry' | 'cancel',
  ids: readonly string[],
): Promise<void> {
  const submissions = operatedSubmissions(database, config.timeZone);
  const failures: string[] = [];
  for (const id of ids) {
    const number = /^\d{1,9}$/.test(id) ? Number(id) : 0;
    try {
      await submissions[verb](BY_COMMAND, number);
      print(`${id}: ${verb === 'retry' ? 'queued again' : 'cancelled'}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failures.push(id);
    }
  }
  if (failures.length > 0)
    throw new CommandFailed(
      `${failures.join(', ')}: ${verb === 'retry' ? 'only failed and cancelled submissions can be retried' : 'only waiting and running submissions can be cancelled'}`,
    );
}

export function addRun4uCommand(program: Command): void {
  const run4u = program.command('run4u').description('first-principles calculations of submitted structures');
  run4u
    .command('status', { isDefault: true })
    .description('print queue, run times, engine of this machine, and workers')
    .option('--json', 'machine-readable output')
    .action((flags: { json?: boolean }) => withContext((context) => showStatus(context, flags)));
  run4u
    .command('list')
    .description('list submissions, newest first')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--limit <count>', 'maximum number of rows', '50')
    .option('--json', 'machine-readable output')
    .action((flags: { status?: SubmissionStatus; limit: string; json?: boolean }) =>
      withContext((context) => list(context, flags)),
    );
  for (const verb of ['retry', 'cancel'] as const)
    run4u
      .command(verb)
      .description(
        verb === 'retry'
          ? 'queue failed submissions again, outside the quota'
          : 'cancel waiting or running submissions',
      )
      .addArgument(new Argument('<ids...>', 'ids of submissions'))
      .action((ids: string[]) => withContext((context) => change(context, verb, ids)));
  run4u
    .command('drain')
    .description('stop starting submissions; running ones finish')
    .option('--off', 'start submissions again')
    .action(({ off }: { off?: boolean }) =>
      withContext(async ({ config, database, print }) => {
        await operatedSubmissions(database, config.timeZone).drain(BY_COMMAND, !off);
        print(
          off
            ? 'new calculations are started again'
            : 'no new calculations are started; `run4u drain --off` resumes',
        );
      }),
    );
}
