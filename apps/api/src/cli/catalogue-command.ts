/** `unitcell catalogue sources|split|remove|merge`: which sources speak of what, and undoing what was brought together. */
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseStructId } from '@unitcell/contract/common';
import type { Command } from 'commander';
import { sql } from 'kysely';
import { rederiveAll } from '../catalogue/derive/rederive-catalogue.ts';
import { openCatalogueThreads } from '../catalogue/open-catalogue-threads.ts';
import { mergeDoubles } from '../catalogue/records/merge-doubles.service.ts';
import { type Composition, hasNoRecord } from '../catalogue/records/records.repository.ts';
import { removeSource, type SparedRow } from '../catalogue/records/remove-source.service.ts';
import { splitMaterial } from '../catalogue/records/split-material.service.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

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

async function deriveAfterwards({ database, remark }: CliContext): Promise<void> {
  const derived = await rederiveAll(database);
  if (derived === null) remark('another process derives the hulls; it will take these systems too');
  for (const { functional, systems, materials } of derived?.hulls ?? [])
    remark(`hulls (${functional}): ${systems} chemical systems, ${materials} materials`);
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
  if (structId === null) throw new CommandFailed(`${typed} is no id of a material: expected an integer`);
  const ids = await withComposition(context, (composition) =>
    splitMaterial(context.database, composition)(structId),
  );
  if (ids === null)
    throw new CommandFailed(`material ${structId} does not exist or has one source: nothing to split`);
  context.print(`${structId} is ${ids.length} materials now: ${ids.join(', ')}`);
  await deriveAfterwards(context);
}

/** What the seed brought, by the ids it came with; null where it does not lie there. */
async function rowsOfSeed(folder: string): Promise<readonly SparedRow[] | null> {
  const path = join(folder, 'generated', 'materials.jsonl');
  if (!existsSync(path)) return null;
  const rows: SparedRow[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
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
      `the seed is not in ${seed}, so its rows of ${source} cannot be told: name its folder with --seed, or remove them too with --with-seed`,
    );
  const { removed, recomposed } = await withComposition(context, (composition) =>
    removeSource(context.database, composition)(source, spared),
  );
  if (removed + recomposed === 0)
    throw new CommandFailed(
      `no material has a source named ${JSON.stringify(source)}${spared.length > 0 ? ', but for those of the seed (--with-seed)' : ''}`,
    );
  context.print(`${source}: ${removed} materials removed, ${recomposed} left with their other sources`);
  await deriveAfterwards(context);
}

async function merge(context: CliContext, isDryRun: boolean): Promise<void> {
  const count = await withComposition(context, (composition) =>
    mergeDoubles(context.database, composition)(isDryRun, ({ formula, structId, target }) =>
      context.print(`${structId} ${isDryRun ? 'is' : 'became part of'} ${target} (${formula})`),
    ),
  );
  context.print(`${count} materials ${isDryRun ? 'stand twice' : 'merged'}`);
  if (!isDryRun) await deriveAfterwards(context);
}

export function addCatalogueCommand(program: Command): void {
  const catalogue = program
    .command('catalogue')
    .description('sources of materials: list, split, remove, merge');
  catalogue
    .command('sources')
    .description('every source with its licence and the number of materials it speaks of')
    .action(() => withContext(sources));
  catalogue
    .command('split')
    .description('make each source of a material a material of its own again')
    .argument('<id>', 'struct_id of the material')
    .action((id: string) => withContext((context) => split(context, id)));
  catalogue
    .command('remove')
    .description(
      'take everything a source said out of the catalogue; ids of what is gone are not given out again',
    )
    .requiredOption('--source <name>', 'name of the source, as `catalogue sources` prints it')
    .option('--seed <folder>', 'where the seed is: its rows stay', 'seed-data')
    .option('--with-seed', 'take the rows of the seed too')
    .action((flags: RemoveFlags) => withContext((context) => remove(context, flags)));
  catalogue
    .command('merge')
    .description('make materials that are the same crystal one material (older versions stored them twice)')
    .option('--dry-run', 'only say which')
    .action(({ dryRun = false }: { dryRun?: boolean }) => withContext((context) => merge(context, dryRun)));
}
