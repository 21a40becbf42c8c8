/** `unitcell rebuild hulls`: derives everything of a kind anew. */
import { Argument, type Command } from 'commander';
import { hullRepository } from '../features/catalogue/hull.repository.ts';
import { rederiveHulls } from '../features/catalogue/rederive-hulls.service.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

async function rebuildHulls({ database, print }: CliContext): Promise<void> {
  const hulls = rederiveHulls(hullRepository(database));
  const { rows } = await database.pool.query<{ functional: string }>(
    'SELECT DISTINCT functional FROM material_energy',
  );
  await hulls.markAll(rows.map((row) => row.functional));
  const reports = await hulls.run();
  if (reports === null)
    throw new CommandFailed('another process is deriving hulls at the moment: try again when it is done');
  for (const report of reports)
    print(
      `${report.functional}: ${report.systems} chemical systems, ${report.materials} materials, release ${report.releaseId}`,
    );
}

const KINDS: Readonly<Record<string, (context: CliContext) => Promise<void>>> = { hulls: rebuildHulls };

export function addRebuildCommand(program: Command): void {
  program
    .command('rebuild')
    .description('derive stored results anew from the materials')
    .addArgument(new Argument('<what>', 'what to derive').choices(Object.keys(KINDS)))
    .action((what: string) => withContext((context) => KINDS[what]!(context)));
}
