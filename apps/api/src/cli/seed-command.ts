/** `unitcell seed --from FOLDER --if-empty`: the initial content of a new installation. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { aboutRepository, siteContents } from '../features/about/about.feature.ts';
import { hullRepository } from '../catalogue/derive/hull.repository.ts';
import { headOfList, importStableList } from '../catalogue/import/import-stable-list.ts';
import { importFiles } from '../catalogue/import/import-files.service.ts';
import { deriveLater, rederiveAll } from '../catalogue/derive/rederive-catalogue.ts';
import { openCatalogueThreads } from '../catalogue/open-catalogue-threads.ts';
import { importContent } from './site-commands.ts';
import { type CliContext, withContext, withQueue } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';

interface SeedFlags {
  readonly from: string;
  readonly ifEmpty?: boolean;
}

/** False if the seed data are already imported, or if an operator imported other materials instead. */
async function isWanted({ database }: CliContext): Promise<boolean> {
  const { seeded, begun, full } = await database.db
    .selectNoFrom(({ exists, selectFrom }) => {
      const seeds = selectFrom('release').where('kind', '=', 'seed');
      return [
        exists(seeds.where('finished_at', 'is not', null)).as('seeded'),
        exists(seeds).as('begun'),
        exists(selectFrom('material')).as('full'),
      ];
    })
    .executeTakeFirstOrThrow();
  return !seeded && Boolean(begun || !full);
}

async function importMaterials(context: CliContext, folder: string): Promise<void> {
  const { config, database, print } = context;
  const threads = openCatalogueThreads();
  const importer = importFiles({ database, threads, ...config });
  try {
    const files = (await readdir(folder)).filter((name) => /\.jsonl(?:\.gz)?$/.test(name)).sort();
    for (const file of files) {
      const report = await importer.importPath(join(folder, file));
      print(`${file}: ${report.accepted} materials`);
      const first = report.refusals[0];
      if (first) throw new CommandFailed(`seed data: ${first.label}: ${first.reason}`);
    }
  } finally {
    await threads.close();
  }
}

/**
 * Loads the list of compounds that are stable on the energy scale of the seed data. Sites use the list to
 * detect missing compounds. If the operator has already loaded a list for this scale, it is kept.
 */
async function loadStableList({ database, print }: CliContext, folder: string): Promise<void> {
  const path = join(folder, 'stable-compositions.txt');
  if (!existsSync(path)) return;
  const text = await readFile(path, 'utf8');
  const { scale, source } = headOfList(text);
  const held = await database.db.selectFrom('stable_list').select(['functional', 'source']).execute();
  if (held.some((list) => list.functional === scale && list.source !== source)) return;
  const { functional, compositions } = await importStableList(database, text);
  print(`${compositions} compositions known to be stable on the scale ${functional}`);
}

/** An interrupted import of the seed data resumes. It is complete when its release is closed. */
async function seed(context: CliContext, { from, ifEmpty }: SeedFlags): Promise<void> {
  const { database, print } = context;
  await loadStableList(context, resolve(from));
  if (ifEmpty && !(await isWanted(context))) return print('nothing to seed');
  const folder = join(resolve(from), 'generated');
  if (!existsSync(folder)) throw new CommandFailed(`${folder} does not exist: run pnpm generate`);
  const repository = hullRepository(database);
  const release = await repository.openRelease('seed');
  await importMaterials(context, folder);
  const contents = await importContent(
    siteContents(aboutRepository(database)),
    join(resolve(from), 'content'),
  );
  print(`${contents} public page texts`);
  if ((await rederiveAll(database)) === null) await withQueue(context, deriveLater);
  await repository.closeRelease(release, { contents });
}

export function addSeedCommand(program: Command): void {
  program
    .command('seed')
    .description('load seed-data into the database')
    .option('--from <folder>', 'the seed-data folder', 'seed-data')
    .option('--if-empty', 'do nothing if the database already has materials')
    .action((flags: SeedFlags) => withContext((context) => seed(context, flags)));
}
