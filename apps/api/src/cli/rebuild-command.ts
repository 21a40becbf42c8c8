/**
 * `unitcell rebuild hulls|windows|patterns|arrangements|cells`: derives everything of a kind anew; hulls take the windows that
 * follow along, cells the patterns and arrangements.
 */
import { Argument, type Command } from 'commander';
import { hullRepository } from '../catalogue/derive/hull.repository.ts';
import { rederiveAll } from '../catalogue/derive/rederive-catalogue.ts';
import { rederiveHulls } from '../catalogue/derive/rederive-hulls.service.ts';
import { rederiveWindows, type WindowReport } from '../catalogue/derive/rederive-windows.service.ts';
import { rebuildArrangements } from '../catalogue/derive/rebuild-arrangements.service.ts';
import { rebuildCells } from '../catalogue/derive/rebuild-cells.service.ts';
import { rebuildPatterns } from '../catalogue/derive/rebuild-patterns.service.ts';
import { openCatalogueThreads } from '../catalogue/open-catalogue-threads.ts';
import { windowRepository } from '../catalogue/derive/window.repository.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

const busy = () =>
  new CommandFailed('another process is deriving the catalogue at the moment: try again when it is done');

const windowLine = ({ functional, systems, windows, releaseId }: WindowReport): string =>
  `${functional}: ${systems} chemical systems, ${windows} electrochemical windows, release ${releaseId}`;

async function rebuildHulls({ database, print }: CliContext): Promise<void> {
  const hulls = rederiveHulls(hullRepository(database));
  const rows = await database.db.selectFrom('material_energy').select('functional').distinct().execute();
  await hulls.markAll(rows.map((row) => row.functional));
  const report = await rederiveAll(database);
  if (report === null) throw busy();
  for (const { functional, systems, materials, releaseId } of report.hulls)
    print(`${functional}: ${systems} chemical systems, ${materials} materials, release ${releaseId}`);
  for (const line of report.windows) print(windowLine(line));
}

async function rebuildWindows({ database, print }: CliContext): Promise<void> {
  const windows = rederiveWindows(windowRepository(database), hullRepository(database));
  await windows.markAll();
  const reports = await windows.run();
  if (reports === null) throw busy();
  for (const report of reports) print(windowLine(report));
}

async function rebuildAllPatterns({ database, print, remark }: CliContext): Promise<void> {
  const threads = openCatalogueThreads();
  try {
    const { materials, changed } = await rebuildPatterns(
      database,
      threads,
    )((done) => {
      if (done % 10_000 === 0) remark(`${done} materials`);
    });
    print(`${materials} powder patterns, ${changed} of them new or different`);
  } finally {
    await threads.close();
  }
}

async function rebuildAllArrangements({ database, print }: CliContext): Promise<void> {
  const threads = openCatalogueThreads();
  try {
    print(`${await rebuildArrangements(database, threads)} arrangements of atoms`);
  } finally {
    await threads.close();
  }
}

async function rebuildOldCells(context: CliContext): Promise<void> {
  const threads = openCatalogueThreads();
  try {
    const { renewed, left } = await rebuildCells(context.database, threads);
    context.print(`${renewed} materials of an older version have the cells and patterns of today`);
    for (const structId of left)
      context.print(`${structId}: left as it is, because its cell would be another; import it again`);
  } finally {
    await threads.close();
  }
  await rebuildAllArrangements(context);
}

const KINDS: Readonly<Record<string, (context: CliContext) => Promise<void>>> = {
  hulls: rebuildHulls,
  windows: rebuildWindows,
  patterns: rebuildAllPatterns,
  arrangements: rebuildAllArrangements,
  cells: rebuildOldCells,
};

export function addRebuildCommand(program: Command): void {
  program
    .command('rebuild')
    .description('derive stored results anew from the materials')
    .addArgument(new Argument('<what>', 'what to derive').choices(Object.keys(KINDS)))
    .action((what: string) => withContext((context) => KINDS[what]!(context)));
}
