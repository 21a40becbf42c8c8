/** `unitcell seed --from FOLDER --if-empty`: what a fresh install shows. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { aboutRepository } from '../features/about/about.repository.ts';
import { about } from '../features/about/about.service.ts';
import { hullRepository } from '../features/catalogue/hull.repository.ts';
import { importFiles } from '../features/catalogue/import-files.service.ts';
import { materialsRepository } from '../features/catalogue/materials.repository.ts';
import { rederiveHulls } from '../features/catalogue/rederive-hulls.service.ts';
import { openThreadPool } from '../threads/thread-pool.ts';
import { importContent } from './content-command.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

interface SeedFlags {
  readonly from: string;
  readonly ifEmpty?: boolean;
}

async function seed({ config, database, print }: CliContext, { from, ifEmpty }: SeedFlags): Promise<void> {
  const { rows } = await database.pool.query<{ full: boolean }>(
    'SELECT EXISTS (SELECT FROM material) AS full',
  );
  if (ifEmpty && rows[0]?.full) return print('the database holds materials already: nothing to seed');
  const folder = join(resolve(from), 'generated');
  if (!existsSync(folder)) throw new CommandFailed(`${folder} does not exist: run pnpm generate`);
  const files = (await readdir(folder)).filter((name) => /\.jsonl(?:\.gz)?$/.test(name)).sort();
  const threads = openThreadPool('standardise');
  try {
    const importer = importFiles({
      materials: materialsRepository(database),
      threads,
      defaultFunctional: config.defaultFunctional,
    });
    for (const file of files) {
      const report = await importer.importPath(join(folder, file));
      print(`${file}: ${report.accepted} materials`);
      const first = report.refusals[0];
      if (first) throw new CommandFailed(`seed data: ${first.label}: ${first.reason}`);
    }
  } finally {
    await threads.close();
  }
  const contents = await importContent(about(aboutRepository(database)), join(resolve(from), 'content'));
  print(`${contents} texts of the public pages`);
  await rederiveHulls(hullRepository(database)).run();
}

export function addSeedCommand(program: Command): void {
  program
    .command('seed')
    .description('load seed-data into the database')
    .option('--from <folder>', 'the seed-data folder', 'seed-data')
    .option('--if-empty', 'do nothing when the database holds materials')
    .action((flags: SeedFlags) => withContext((context) => seed(context, flags)));
}
