/** `unitcell import PATH…` */
import type { Command } from 'commander';
import { Presets, SingleBar } from 'cli-progress';
import { type FileReport, importFiles } from '../catalogue/import/import-files.service.ts';
import { rederiveAll } from '../catalogue/derive/rederive-catalogue.ts';
import { UnreadableSource } from '../catalogue/import/sources/read-source.ts';
import { openCatalogueThreads } from '../catalogue/open-catalogue-threads.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

interface ImportFlags {
  readonly json?: boolean;
  readonly hulls: boolean;
}

/** Refusals printed one by one; the rest is a count. */
const PRINTED_REFUSALS = 20;

function printReport({ print }: CliContext, report: FileReport): void {
  const resumed = report.resumedAfter > 0 ? `, resumed after ${report.resumedAfter}` : '';
  print(
    `${report.path}: ${report.accepted} accepted, ${report.refused} refused, ${report.duplicates} duplicates${resumed}`,
  );
  for (const { label, reason } of report.refusals.slice(0, PRINTED_REFUSALS))
    print(`  refused ${label}: ${reason}`);
  if (report.refusals.length > PRINTED_REFUSALS)
    print(`  … and ${report.refused - PRINTED_REFUSALS} more; --json lists them`);
}

async function importAll(context: CliContext, paths: readonly string[], flags: ImportFlags): Promise<void> {
  const { database, config, remark } = context;
  const threads = openCatalogueThreads();
  const importer = importFiles({
    database,
    threads,
    defaultFunctional: config.defaultFunctional,
    sourceOrder: config.sourceOrder,
  });
  const reports: FileReport[] = [];
  const bar = new SingleBar(
    {
      format: '{name} {bar} {percentage}% | {accepted} accepted, {refused} refused | {duration_formatted}',
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  try {
    for (const path of paths) {
      if (process.stderr.isTTY) bar.start(1, 0, { name: path, accepted: 0, refused: 0 });
      const report = await importer.importPath(path, ({ bytesRead, bytesTotal, accepted, refused }) => {
        if (!process.stderr.isTTY) return;
        bar.setTotal(Math.max(1, bytesTotal));
        bar.update(bytesRead, { accepted, refused });
      });
      bar.stop();
      reports.push(report);
      if (!flags.json) printReport(context, report);
    }
    if (flags.hulls) {
      const derived = await rederiveAll(database, {
        onProgress: (done, total) => {
          if (process.stderr.isTTY)
            process.stderr.write(`\rderived data: ${done} of ${total} chemical systems`);
        },
      });
      if (derived === null) remark('another process derives the hulls; it will take these systems too');
      for (const { functional, systems, materials } of derived?.hulls ?? [])
        remark(`hulls (${functional}): ${systems} chemical systems, ${materials} materials`);
      for (const { functional, systems, windows } of derived?.windows ?? [])
        remark(`windows (${functional}): ${systems} chemical systems, ${windows} windows`);
    }
  } catch (error) {
    throw error instanceof UnreadableSource ? new CommandFailed(error.message) : error;
  } finally {
    bar.stop();
    await threads.close();
  }
  if (flags.json) context.print(JSON.stringify(reports));
  if (reports.some((report) => report.refused > 0)) process.exitCode = 2;
}

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description(
      'read materials from files, folders or archives (docs/import-format.md); exit status 2 when some were refused',
    )
    .argument('<paths...>', '.jsonl, .json (also .gz), .cif, a folder, .tar, .tar.gz, .tgz or .zip')
    .option('--json', 'print the whole report as JSON')
    .option('--no-hulls', 'leave formation energies, hulls and windows to a later `rebuild hulls`')
    .action((paths: string[], flags: ImportFlags) =>
      withContext((context) => importAll(context, paths, flags)),
    );
}
