/** `unitcell harvest URL`: the structures of an OPTIMADE provider into a file for `unitcell import`. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { HarvestFailed, harvestOptimade } from '../catalogue/harvest/harvest-optimade.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

interface HarvestFlags {
  readonly delay: string;
  readonly limit?: string;
}

async function harvest(
  { config, print, remark }: CliContext,
  url: string,
  flags: HarvestFlags,
): Promise<void> {
  const delay = Number(flags.delay);
  const limit = flags.limit === undefined ? undefined : Number(flags.limit);
  if (!(delay >= 0 && delay <= 600))
    throw new CommandFailed(`--delay ${flags.delay}: expected 0 to 600 seconds`);
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    throw new CommandFailed(`--limit ${flags.limit}: expected a number of structures`);
  try {
    const report = await harvestOptimade(url, {
      folder: join(config.home, 'harvest'),
      delayMs: 1000 * delay,
      ...(limit === undefined ? {} : { maxRows: limit }),
      onPage: ({ rows, expected }) =>
        remark(`${rows}${expected === null ? '' : ` of ${expected}`} structures`),
    });
    for (const line of report.remarks) remark(line);
    if (!report.isComplete) remark('there are more: run the command again without --limit to go on');
    print(report.path);
  } catch (error) {
    throw error instanceof HarvestFailed ? new CommandFailed(error.message) : error;
  }
}

export function addHarvestCommand(program: Command): void {
  program
    .command('harvest')
    .description(
      'fetch the structures of an OPTIMADE provider into a file, page by page; prints the file, which `import` reads',
    )
    .argument('<url>', 'address of the provider, e.g. https://example.org/optimade/v1')
    .option('--delay <seconds>', 'pause between two pages', '1')
    .option('--limit <structures>', 'stop after so many')
    .action((url: string, flags: HarvestFlags) => withContext((context) => harvest(context, url, flags)));
}
