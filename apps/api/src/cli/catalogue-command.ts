/** `unitcell catalogue sources|split|remove|merge`: lists sources and their materials, and undoes merges. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseStructId } from '@unitcell/contract/common';
import { Argument, type Command } from 'commander';
import { sql } from 'kysely';
import { enqueuePotential } from '../catalogue/catalogue.jobs.ts';
import { withWorkers } from '../catalogue/derive/derive-in-parallel.ts';
import {
  addPotentialTasks,
  countPotentialTasks,
  dropPotentialTasks,
} from '../catalogue/derive/derive-potential.ts';
import { hullRepository } from '../catalogue/derive/hull.repository.ts';
import {
  deriveLater,
  electrodesInThreads,
  rederiveAll,
  windowsInThreads,
  workInThreads,
} from '../catalogue/derive/rederive-catalogue.ts';
import { rederiveHulls } from '../catalogue/derive/rederive-hulls.ts';
import { type ElectrodeReport, rederiveElectrodes } from '../catalogue/derive/rederive-electrodes.ts';
import { rederiveWindows, type WindowReport } from '../catalogue/derive/rederive-windows.ts';
import { exportRows, toImportLine } from '../catalogue/export/export-materials.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../catalogue/open-catalogue-threads.ts';
import {
  mergeDoubles,
  removeSource,
  type SparedRow,
  splitMaterial,
} from '../catalogue/records/maintenance.service.ts';
import { type Composition, hasNoRecord } from '../catalogue/records/records.repository.ts';
import { type DataMigration, migrateMaterials } from '../catalogue/data-migrations/migrate.ts';
import { DATA_MIGRATIONS } from '../catalogue/data-migrations/migrations.ts';
import { textLines } from '../domain/backup/backup.ts';
import { type CliContext, printDerived, readElements, withContext, withQueue } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';

/**
 * `unitcell rebuild hulls|windows|electrodes|cells|patterns|arrangements`: derives everything of a kind again.
 * Hulls include the dependent windows. Cells are made again only if an older version stored them; the patterns
 * and arrangements of these cells are made again too.
 */
const busy = () =>
  new CommandFailed('another process is deriving the catalogue: try again when it has finished');

const windowLine = ({ functional, systems, windows, releaseId }: WindowReport): string =>
  `${functional}: ${systems} chemical systems, ${windows} electrochemical windows, release ${releaseId}`;

const electrodeLine = ({ functional, systems, electrodes, releaseId }: ElectrodeReport): string =>
  `${functional}: ${systems} chemical systems, ${electrodes} insertion electrodes, release ${releaseId}`;

async function withThreads<T>(work: (threads: CatalogueThreads) => Promise<T>): Promise<T> {
  const threads = openCatalogueThreads();
  try {
    return await work(threads);
  } finally {
    await threads.close();
  }
}

async function rebuildHulls(context: CliContext): Promise<void> {
  const { database, print } = context;
  const hulls = rederiveHulls(hullRepository(database));
  const rows = await database.db.selectFrom('material_energy').select('functional').distinct().execute();
  await hulls.markAll(rows.map((row) => row.functional));
  const report = await withThreads((threads) =>
    withQueue(context, (queue) =>
      rederiveAll(database, { distribute: withWorkers(database, queue), ...workInThreads(threads) }),
    ),
  );
  if (report === null) throw busy();
  for (const { functional, systems, materials, releaseId } of report.hulls)
    print(`${functional}: ${systems} chemical systems, ${materials} materials, release ${releaseId}`);
  for (const line of report.windows) print(windowLine(line));
  for (const line of report.electrodes) print(electrodeLine(line));
}

async function rebuildWindows(context: CliContext): Promise<void> {
  const { database, print } = context;
  const reports = await withThreads(async (threads) => {
    const windows = rederiveWindows(database, hullRepository(database), windowsInThreads(threads));
    await windows.markAll();
    return withQueue(context, (queue) => windows.run({ distribute: withWorkers(database, queue) }));
  });
  if (reports === null) throw busy();
  for (const report of reports) print(windowLine(report));
}

async function rebuildElectrodes(context: CliContext): Promise<void> {
  const { database, print } = context;
  const reports = await withThreads(async (threads) => {
    const electrodes = rederiveElectrodes(database, hullRepository(database), electrodesInThreads(threads));
    await electrodes.markAll();
    return withQueue(context, (queue) => electrodes.run({ distribute: withWorkers(database, queue) }));
  });
  if (reports === null) throw busy();
  for (const report of reports) print(electrodeLine(report));
}

const migrate =
  (migration: DataMigration) =>
  async ({ database, print, remark }: CliContext): Promise<void> => {
    const report = await withThreads((threads) =>
      migrateMaterials(database, threads, migration, {
        isOnDemand: true,
        onProgress(done, total) {
          if (done % 10_000 === 0) remark(`${done} of ${total} materials`);
        },
      }),
    );
    const { changed = 0, materials = 0, left = [] } = report ?? {};
    print(`${migration.kind}: ${changed} of ${materials} materials added or changed`);
    for (const structId of left)
      print(`${structId} could not be migrated and was left unchanged: import it again`);
  };

const KINDS: Readonly<Record<string, (context: CliContext) => Promise<void>>> = {
  hulls: rebuildHulls,
  windows: rebuildWindows,
  electrodes: rebuildElectrodes,
  ...Object.fromEntries(DATA_MIGRATIONS.map((migration) => [migration.kind, migrate(migration)])),
};

export function addRebuildCommand(program: Command): void {
  program
    .command('rebuild')
    .description('recompute stored results from the materials')
    .addArgument(new Argument('<what>', 'what to recompute').choices(Object.keys(KINDS)))
    .action((what: string) => withContext((context) => KINDS[what]!(context)));
}

/** `unitcell derive potential`: requests values of the potential from the workers (docs/methods/potential.md). */
interface DeriveFlags {
  readonly again?: boolean;
  readonly stop?: boolean;
}

async function derivePotential(
  context: CliContext,
  { again = false, stop = false }: DeriveFlags,
): Promise<void> {
  const { db } = context.database;
  const { print, remark } = context;
  if (stop)
    return print(`${await dropPotentialTasks(db)} materials taken off the list; values found so far stay`);
  const added = await addPotentialTasks(db, { again });
  await withQueue(context, enqueuePotential);
  print(`${added} materials added; ${await countPotentialTasks(db)} wait for the worker`);
  remark(
    'about 5 s of one core each, at a low priority, after the predictions that people ask for; it survives restarts',
  );
  return undefined;
}

export function addDeriveCommand(program: Command): void {
  program
    .command('derive')
    .description('predict elasticity and phonons of all materials in the background')
    .addArgument(new Argument('<what>', 'what to derive').choices(['potential']))
    .option('--again', 'also for materials that have values')
    .option('--stop', 'take all waiting materials off the list')
    .action((_what: string, flags: DeriveFlags) => withContext((context) => derivePotential(context, flags)));
}

async function withComposition<T>(
  { config }: CliContext,
  work: (composition: Composition) => Promise<T>,
): Promise<T> {
  const threads = openCatalogueThreads();
  try {
    return await work({
      work: {
        assignCrystals: (groups) => threads.run('assignCrystals', groups),
        mergeRecords: (requests) => threads.run('mergeRecords', requests),
      },
      order: config.sourceOrder,
      defaultFunctional: config.defaultFunctional,
    });
  } finally {
    await threads.close();
  }
}

async function deriveAfterwards(context: CliContext): Promise<void> {
  const derived = await rederiveAll(context.database);
  if (derived === null) await withQueue(context, deriveLater);
  printDerived(context, derived);
}

async function sources({ database, print }: CliContext): Promise<void> {
  const { db } = database;
  const alone = db
    .selectFrom('material')
    .select(['source_name', 'source_licence', 'struct_id'])
    .where(hasNoRecord);
  const said = db.selectFrom('material_record').select(['source_name', 'source_licence', 'struct_id']);
  const rows = await db
    .selectFrom(said.unionAll(alone).as('said'))
    .select(['source_name as name', 'source_licence as licence'])
    .select(sql<number>`count(*)::int`.as('materials'))
    .groupBy(['source_name', 'source_licence'])
    .orderBy('materials', 'desc')
    .orderBy('name')
    .execute();
  for (const { name, licence, materials } of rows)
    print(`${materials}\t${name}\t${licence || 'no licence stated'}`);
}

async function split(context: CliContext, typed: string): Promise<void> {
  const structId = parseStructId(typed);
  if (structId === null) throw new CommandFailed(`${typed} is not a material id: expected an integer`);
  const ids = await withComposition(context, (composition) =>
    splitMaterial(context.database, composition)(structId),
  );
  if (ids === null)
    throw new CommandFailed(`material ${structId} does not exist or has only one source: nothing to split`);
  context.print(`${structId} was split into ${ids.length} materials: ${ids.join(', ')}`);
  await deriveAfterwards(context);
}

/** The rows of the seed data by the ids with which they were imported; null if the folder has no seed data. */
async function rowsOfSeed(folder: string): Promise<readonly SparedRow[] | null> {
  const path = join(folder, 'generated', 'materials.jsonl');
  if (!existsSync(path)) return null;
  const rows: SparedRow[] = [];
  for await (const line of textLines(createReadStream(path))) {
    const { struct_id, source } = JSON.parse(line) as { struct_id: number; source: { id?: string } };
    rows.push({ structId: struct_id, sourceId: source.id ?? '' });
  }
  return rows;
}

interface RemoveFlags {
  readonly source: string;
  readonly seed: string;
  readonly withSeed?: boolean;
}

async function remove(context: CliContext, { source, seed, withSeed = false }: RemoveFlags): Promise<void> {
  const spared = withSeed ? [] : await rowsOfSeed(seed);
  if (spared === null)
    throw new CommandFailed(
      `the seed is not in ${seed}, so its rows of ${source} cannot be identified: pass the folder with --seed, or remove them as well with --with-seed`,
    );
  const { removed, recomposed } = await withComposition(context, (composition) =>
    removeSource(context.database, composition)(source, spared),
  );
  if (removed + recomposed === 0)
    throw new CommandFailed(
      `no material has a source named ${JSON.stringify(source)}${spared.length > 0 ? ' outside the seed (--with-seed includes it)' : ''}`,
    );
  context.print(`${source}: ${removed} materials removed, ${recomposed} kept with their other sources`);
  await deriveAfterwards(context);
}

async function merge(context: CliContext, isDryRun: boolean): Promise<void> {
  const count = await withComposition(context, (composition) =>
    mergeDoubles(context.database, composition)(isDryRun, ({ formula, structId, target }) =>
      context.print(
        `${structId} ${isDryRun ? 'is the same crystal as' : 'was merged into'} ${target} (${formula})`,
      ),
    ),
  );
  context.print(`${count} ${isDryRun ? 'duplicate materials' : 'materials merged'}`);
  if (!isDryRun) await deriveAfterwards(context);
}

export function addCatalogueCommand(program: Command): void {
  const catalogue = program
    .command('catalogue')
    .description('sources of materials: list, split, remove, merge');
  catalogue
    .command('sources')
    .description('list sources with licence and number of materials')
    .action(() => withContext(sources));
  catalogue
    .command('split')
    .description('split a material into one material per source')
    .argument('<id>', 'struct_id of the material')
    .action((id: string) => withContext((context) => split(context, id)));
  catalogue
    .command('remove')
    .description('remove all data of a source from the catalogue; ids of removed materials are not reused')
    .requiredOption('--source <name>', 'name of the source, as printed by `catalogue sources`')
    .option('--seed <folder>', 'folder of the seed, whose rows are kept', 'seed-data')
    .option('--with-seed', 'remove the rows of the seed too')
    .action((flags: RemoveFlags) => withContext((context) => remove(context, flags)));
  catalogue
    .command('merge')
    .description('merge materials that are the same crystal (older versions stored them twice)')
    .option('--dry-run', 'only list them')
    .action(({ dryRun = false }: { dryRun?: boolean }) => withContext((context) => merge(context, dryRun)));
}

/** `unitcell export [FILE]`: the catalogue as JSON lines of the import format. */
interface ExportFlags {
  readonly elements?: string;
  readonly withSubsystems?: boolean;
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write materials as JSON lines that `import` reads (docs/operating/import-format.md)')
    .argument('[file]', 'default: standard output')
    .option('--elements <system>', 'only this chemical system, e.g. Li-Fe-P-O')
    .option('--with-subsystems', 'also its subsystems: everything a hull needs')
    .action((file: string | undefined, flags: ExportFlags) =>
      withContext(async ({ config, database, remark }) => {
        const elements = flags.elements === undefined ? undefined : readElements(flags.elements);
        let count = 0;
        const lines = async function* (): AsyncGenerator<string> {
          for await (const row of exportRows(database, {
            ...(elements ? { elements } : {}),
            withSubsystems: flags.withSubsystems ?? false,
          })) {
            const address = `${config.publicUrl}/matdatades/${row.structId}`;
            yield `${JSON.stringify({ ...toImportLine(row), address })}\n`;
            count++;
          }
        };
        if (file === undefined) await pipeline(lines, process.stdout, { end: false });
        else
          await pipeline(lines, createWriteStream(file)).catch((error: NodeJS.ErrnoException) => {
            if (error.syscall !== 'open' && error.syscall !== 'write') throw error;
            throw new CommandFailed(`${file} cannot be written: ${error.message}`);
          });
        remark(`${count} materials exported`);
      }),
    );
}
