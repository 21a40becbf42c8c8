/** `unitcell import PATH…`, and `unitcell harvest URL`, which writes a file to import. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { withWorkers } from '../catalogue/derive/derive-in-parallel.ts';
import { deriveLater } from '../catalogue/derive/rederive-catalogue.ts';
import { HarvestFailed, harvestOptimade } from '../catalogue/harvest/harvest-optimade.ts';
import { RefusedUnit } from '../catalogue/import/draft/refused-unit.ts';
import type { StatedOrigin } from '../catalogue/import/draft/stated-origin.ts';
import type { FileReport } from '../catalogue/import/import-files.service.ts';
import type { ImportMap } from '../catalogue/import/map/import-map-schema.ts';
import { readImportMap } from '../catalogue/import/map/import-map.ts';
import { readPropertyTable } from '../catalogue/import/sources/property-table.ts';
import { UnreadableSource } from '../catalogue/import/sources/read-source.ts';
import { threadsAndWorkers } from '../catalogue/import/standardise-in-parallel.ts';
import { openCatalogueThreads } from '../catalogue/open-catalogue-threads.ts';
import { importRelease, type ReleaseReport } from '../catalogue/releases/import-release.ts';
import { workProgress } from '../infra/work-rows.ts';
import { type CliContext, printDerived, withContext, withQueue } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';
import { releaseLines } from './release-command.ts';

interface ImportFlags extends Omit<StatedOrigin, 'map'> {
  readonly map?: string;
  readonly properties?: string;
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly maxChanged?: string;
  readonly hulls: boolean;
  readonly withWorkers?: boolean;
}

/** Omits options that are not set. */
async function statedOrigin({ scale, source, licence, map: path }: ImportFlags): Promise<StatedOrigin> {
  const map = path === undefined ? undefined : await readMap(path);
  return {
    ...(scale === undefined ? {} : { scale }),
    ...(source === undefined ? {} : { source }),
    ...(licence === undefined ? {} : { licence }),
    ...(map === undefined ? {} : { map }),
  };
}

/** @throws CommandFailed with the errors in the file */
async function readMap(path: string): Promise<ImportMap> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) throw new CommandFailed(`${path} cannot be read`);
  try {
    return readImportMap(text);
  } catch (error) {
    throw error instanceof RefusedUnit ? new CommandFailed(`${path}: ${error.message}`) : error;
  }
}

/** Number of refusals printed individually; the others are counted. */
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

/** Reads `5%` or `0.05`. @throws CommandFailed */
function shareOf(text: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  const share = Number(number) / (percent === '%' ? 100 : 1);
  if (!(share >= 0 && share <= 1))
    throw new CommandFailed(`--max-changed ${text}: expected a share such as 5% or 0.05`);
  return share;
}

/** Writes the whole report, with every refusal, to a file and returns its path. */
async function writeReport({ config }: CliContext, report: ReleaseReport): Promise<string> {
  const folder = join(config.home, 'reports');
  await mkdir(folder, { recursive: true });
  const path = join(folder, `import-${report.release ?? 'refused'}-${Date.now()}.json`);
  await writeFile(path, JSON.stringify(report, null, 1), { mode: 0o600 });
  return path;
}

async function importAll(context: CliContext, paths: readonly string[], flags: ImportFlags): Promise<void> {
  const { database, config } = context;
  const maxChanged = flags.maxChanged === undefined ? undefined : shareOf(flags.maxChanged);
  if (!flags.hulls && (flags.dryRun || maxChanged !== undefined))
    throw new CommandFailed(
      '--no-hulls cannot be combined with --dry-run or --max-changed, which compare hull energies',
    );
  const threads = openCatalogueThreads();
  const progress = workProgress(database.db, 'import');
  const deriving = workProgress(database.db, 'derive');
  const bar = new SingleBar(
    {
      format: '{name} {bar} {percentage}% | {accepted} accepted, {refused} refused | {duration_formatted}',
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  const isTerminal = process.stderr.isTTY;
  let shown = '';
  let isLeft = false;
  try {
    const table = flags.properties === undefined ? undefined : await readPropertyTable(flags.properties);
    const origin = await statedOrigin(flags);
    const report = await withQueue(context, async (queue) =>
      importRelease(database, {
        distribute: withWorkers(database, queue),
        ...(flags.withWorkers ? { standardiser: await threadsAndWorkers(database, threads, queue) } : {}),
        threads,
        ...(table ? { table } : {}),
        defaultFunctional: config.defaultFunctional,
        sourceOrder: config.sourceOrder,
        origin,
        paths,
        hulls: flags.hulls,
        home: config.home,
        isDryRun: flags.dryRun ?? false,
        ...(maxChanged === undefined ? {} : { maxChanged }),
        onBytes(path, { bytesRead, bytesTotal, accepted, refused }) {
          progress.note(path, bytesRead, bytesTotal);
          if (!isTerminal) return;
          if (shown !== path) bar.start(1, 0, { name: path, accepted: 0, refused: 0 });
          shown = path;
          bar.setTotal(Math.max(1, bytesTotal));
          bar.update(bytesRead, { accepted, refused });
        },
        onFile(file) {
          bar.stop();
          if (!flags.json) printReport(context, file);
        },
        onSystems(done, total) {
          deriving.note('', done, total);
          if (isTerminal) process.stderr.write(`\rderived data: ${done} of ${total} chemical systems`);
        },
        onDerived(derived) {
          printDerived(context, derived);
          isLeft = derived === null;
        },
      }),
    );
    if (isLeft) await withQueue(context, deriveLater);
    if (table)
      context.remark(
        `${flags.properties}: ${table.counts.joined} crystals matched its ${table.counts.rows} rows`,
      );
    const refused = report.files.some((file) => file.refused > 0);
    if (flags.json) context.print(JSON.stringify(report.files));
    else for (const line of releaseLines(report)) context.print(line);
    if (refused || report.surprises.length > 0)
      context.remark(`full report: ${await writeReport(context, report)}`);
    if (report.release !== null)
      context.remark(`release ${report.release}: \`unitcell release show ${report.release}\``);
    for (const surprise of report.surprises) context.remark(`surprise: ${surprise}`);
    if (flags.dryRun) context.remark('dry run: nothing was stored');
    else if (report.surprises.length > 0)
      throw new CommandFailed(
        'refused, nothing was stored: check the surprises above, or raise --max-changed',
      );
    if (refused) process.exitCode = 2;
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    // The earlier files and the beginning of this one are stored, but their hulls are not derived yet.
    if (flags.hulls && !flags.dryRun && maxChanged === undefined) await withQueue(context, deriveLater);
    throw new CommandFailed(error.message);
  } finally {
    bar.stop();
    await progress.end();
    await deriving.end();
    await threads.close();
  }
}

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description(
      'read materials from files, folders or archives (docs/operating/import-format.md); exit status 2 if some were refused',
    )
    .argument(
      '<paths...>',
      '.jsonl, .json, .cif, finished runs (compressed or not), a folder of them, .tar or .zip',
    )
    .option('--scale <name>', 'energy scale of rows without one; rows of another functional are refused')
    .option('--source <name>', 'source of rows without one')
    .option('--licence <text>', 'licence of rows without one')
    .option('--json', 'print the whole report as JSON')
    .option(
      '--map <file>',
      'YAML map of the fields for documents of another format (docs/operating/importing.md)',
    )
    .option('--properties <file>', 'CSV of properties, joined to the crystals by its id column')
    .option('--dry-run', 'run everything and report the changes, but store nothing')
    .option(
      '--max-changed <share>',
      'store nothing if more than this share of the energies above hull of a scale changes, e.g. 5%',
    )
    .option('--with-workers', 'share the work with the workers of the site')
    .option('--no-hulls', 'leave formation energies, hulls and windows to a later `rebuild hulls`')
    .action((paths: string[], flags: ImportFlags) =>
      withContext((context) => importAll(context, paths, flags)),
    );
}

// ── `unitcell harvest URL`: downloads the structures of an OPTIMADE provider to a file for `unitcell import`
// ──

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
    if (!report.isComplete) remark('there are more: run the command again without --limit to continue');
    print(report.path);
  } catch (error) {
    throw error instanceof HarvestFailed ? new CommandFailed(error.message) : error;
  }
}

export function addHarvestCommand(program: Command): void {
  program
    .command('harvest')
    .description('download the structures of an OPTIMADE provider to a file for `import`; prints its path')
    .argument('<url>', 'address of the provider, e.g. https://example.org/optimade/v1')
    .option('--delay <seconds>', 'pause between two pages', '1')
    .option('--limit <structures>', 'stop after this number of structures')
    .action((url: string, flags: HarvestFlags) => withContext((context) => harvest(context, url, flags)));
}
