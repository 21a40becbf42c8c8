/** `unitcell model list|use|train|disagreements`: lists, chooses, trains and checks prediction models. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { createGzip } from 'node:zlib';
import { PREDICTED_SCALE } from '@unitcell/contract/prediction';
import { type CompactCell, fromCompactCell, isOrdered, latticeParameters } from '@unitcell/crystal';
import { MIN_ELEMENT_COUNT } from '@unitcell/prediction';
import { manifestInNode } from '@unitcell/prediction/node';
import type { Command } from 'commander';
import { type NotNull, sql } from 'kysely';
import { disagreementLines, predictionDisagreements } from '../catalogue/derive/prediction-disagreements.ts';
import { activeModel, chooseModel, knownModels, shippedModel } from '../domain/prediction/models.ts';
import type { Database } from '../infra/database.ts';
import { type CliContext, withContext } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';

// `unitcell model train`: writes the catalogue as a training set and runs the model generator on it.

/** Location of the model generator in a checkout of the project. */
const GENERATOR = 'workshop/generators/models/generate.ts';
/** Fewest crystals that a model can be trained on. */
const FEWEST_CRYSTALS = 500;
/**
 * Minimum number of epochs; total number of crystals shown in training, so that a small catalogue gets more
 * epochs; maximum number of epochs.
 */
const [LEAST_EPOCHS, CRYSTALS_SEEN, MOST_EPOCHS] = [32, 400_000, 300];
/** The name of a training folder depends on data and settings, so other data or settings get another folder. */
const workFolder = async (data: string, settings: string): Promise<string> => {
  const hash = createHash('sha256')
    .update(await readFile(data))
    .update(settings);
  return `work-${hash.digest('hex').slice(0, 12)}`;
};

function generate(env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', GENERATOR], { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new CommandFailed(`training failed with ${code}: see above`)),
    );
  });
}

/** Removes folders of earlier trainings of a model with this name and other data or settings. */
async function removeOthers(folder: string, kept: string): Promise<void> {
  const others = (await readdir(folder)).filter((name) => name.startsWith('work') && name !== kept);
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true })));
}

export interface TrainOptions {
  readonly epochs?: string;
  readonly members: string;
}

function countOf(option: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new CommandFailed(
      `--${option} ${JSON.stringify(text)}: a whole number from 1 to ${most} was expected`,
    );
  return value;
}

/**
 * Trains a model on the crystals of the catalogue and puts it into the folder of models, where it can be
 * chosen.
 * @throws CommandFailed
 */
export async function trainModel(
  { config, database, print, remark }: CliContext,
  name: string,
  options: TrainOptions,
): Promise<void> {
  if (!/^[\w-]{1,40}$/.test(name))
    throw new CommandFailed(`${JSON.stringify(name)}: a name of letters, digits and hyphens was expected`);
  const members = countOf('members', options.members, 9);
  const asked = options.epochs && countOf('epochs', options.epochs, 1000);
  if (!existsSync(GENERATOR))
    throw new CommandFailed('models can only be trained in a checkout of the project');
  const folder = join(config.home, 'models', name);
  const active = await activeModel(database, config.home).catch(() => null);
  if (active?.folder === folder)
    throw new CommandFailed(`the model in ${folder} is in use: train under another name, then switch`);
  const data = join(config.home, 'training', name);
  mkdirSync(data, { recursive: true });
  const file = join(data, 'catalogue.jsonl.gz');
  const rows = await writeTrainingSet(database, file);
  if (rows < FEWEST_CRYSTALS)
    throw new CommandFailed(
      `${rows} crystals of the catalogue have a formation energy on ${PREDICTED_SCALE}; a model needs at least ${FEWEST_CRYSTALS} of them`,
    );
  const epochs = asked || Math.min(MOST_EPOCHS, Math.max(LEAST_EPOCHS, Math.ceil(CRYSTALS_SEEN / rows)));
  remark(
    `${rows} crystals of the catalogue: ${members === 1 ? 'one member' : `${members} members`}, ${epochs} rounds each; one part of the chemical systems calibrates the intervals, another is the test set`,
  );
  const work = await workFolder(file, `${epochs}`);
  await removeOthers(data, work);
  await generate({
    ...process.env,
    TRAINING_DATA: data,
    TRAINING_FOLDER: join(data, work),
    MODEL_FOLDER: folder,
    SEEDS: Array.from({ length: members }, (_, k) => k + 1).join(' '),
    EPOCHS: String(epochs),
    COMPOSITION_EPOCHS: String(epochs),
  });
  const found = knownModels(config.home).find((model) => model.folder === folder);
  if (!found) throw new CommandFailed(`training ended without a model in ${folder}: see above`);
  const { elementCounts } = manifestInNode(pathToFileURL(`${folder}/`));
  const elements = elementCounts.filter((crystals) => crystals >= MIN_ELEMENT_COUNT).length;
  remark(
    `it predicts compounds of ${elements} elements, those in at least ${MIN_ELEMENT_COUNT} of its crystals`,
  );
  print(`${folder} contains the model ${found.name}: \`unitcell model use ${name}\` switches to it`);
}

// Writes the catalogue as a training set, one crystal per line, in the format of workshop/generators/models.

const PAGE = 1_000;

interface TrainingRow {
  readonly structId: number;
  readonly formula: string;
  readonly cell: CompactCell;
  readonly energy: number;
  readonly gap: number | null;
  readonly aboveHull: number | null;
}

/** The line of a crystal; null for a disordered one. Sites are grouped by element. */
function lineOf({ structId, formula, cell, energy, gap, aboveHull }: TrainingRow): string | null {
  const structure = fromCompactCell(cell);
  if (!isOrdered(structure)) return null;
  const { a, b, c, alpha, beta, gamma } = latticeParameters(structure.latticeVectors);
  const sites = structure.sites
    .map(({ species, fractionalCoords }) => ({ symbol: species[0]!.element, place: fractionalCoords }))
    .sort((one, other) => (one.symbol < other.symbol ? -1 : Number(one.symbol > other.symbol)));
  const counts = new Map<string, number>();
  for (const { symbol } of sites) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  return JSON.stringify({
    id: `unitcell-${structId}`,
    formula,
    cell: [...counts].map(([symbol, atoms]) => `${symbol}${atoms}`).join(''),
    n: sites.length,
    lat: [a, b, c, alpha, beta, gamma],
    sp: [...counts].flat(),
    x: sites.flatMap(({ place }) => [...place]),
    ef: energy,
    ...(gap === null ? {} : { gap }),
    ...(aboveHull === null ? {} : { eh: aboveHull }),
    es: 'id',
  });
}

/** Writes crystals with a formation energy on the models' scale. @returns the number written */
export async function writeTrainingSet({ db }: Pick<Database, 'db'>, path: string): Promise<number> {
  let written = 0;
  async function* lines(): AsyncGenerator<string> {
    for (let after = -1; ; ) {
      const page = await db
        .selectFrom('material_energy as energy')
        .innerJoin('material', 'material.struct_id', 'energy.struct_id')
        .innerJoin('material_structure as structure', 'structure.struct_id', 'energy.struct_id')
        .select([
          'material.struct_id as structId',
          'material.formula_reduced as formula',
          'structure.given as cell',
        ])
        .select(['energy.formation_energy_per_atom as energy', 'material.band_gap as gap'])
        .select('energy.energy_above_hull as aboveHull')
        .where('energy.functional', '=', PREDICTED_SCALE)
        .where('energy.formation_energy_per_atom', 'is not', null)
        .where('material.struct_id', '>', after)
        .$narrowType<{ energy: NotNull }>()
        .orderBy('material.struct_id')
        .limit(PAGE)
        .execute();
      for (const row of page) {
        const line = lineOf(row);
        if (line === null) continue;
        written++;
        yield `${line}\n`;
      }
      if (page.length === 0) return;
      after = page.at(-1)!.structId;
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(path));
  return written;
}

async function list({ config, database, print }: CliContext): Promise<void> {
  const active = await activeModel(database, config.home).catch(() => undefined);
  const counts = await database.db
    .selectFrom('material_prediction')
    .select(['model', sql<number>`count(*)::int`.as('count')])
    .groupBy('model')
    .execute();
  for (const { name, folder, members, energyError } of knownModels(config.home)) {
    const mark = active?.name === name && active.folder === folder ? '*' : ' ';
    const error =
      energyError === null ? '' : `, formation energy ${energyError.toFixed(4)} eV/atom on its test systems`;
    const count = counts.find(({ model }) => model === name)?.count ?? 0;
    print(
      `${mark} ${name}\t${folder === null ? 'shipped' : basename(folder)}\t${members} ${members === 1 ? 'member' : 'members'}${error}\t${count} materials predicted`,
    );
  }
  if (active === null)
    print('predictions are switched off: run `unitcell model use shipped` to switch them on');
  if (active === undefined)
    print('the selected model no longer exists: select another with `unitcell model use`');
}

/** @throws CommandFailed */
async function use({ config, database, print, remark }: CliContext, wanted: string): Promise<void> {
  const models = knownModels(config.home);
  const found = models.find(
    ({ name, folder }) => folder !== null && (basename(folder) === wanted || name === wanted),
  );
  if (wanted === 'off') await chooseModel(database, 'off');
  else if (wanted === 'shipped' || wanted === shippedModel().name) await chooseModel(database, 'shipped');
  else if (found?.folder) await chooseModel(database, { model: found.name, folder: basename(found.folder) });
  else
    throw new CommandFailed(
      `there is no model ${JSON.stringify(wanted)}: put a folder with model.json and model.bin into ${join(config.home, 'models')}, or use one listed by \`unitcell model list\``,
    );
  if (wanted === 'off') return print('predictions are switched off');
  print(`the site now predicts with ${found?.name ?? shippedModel().name}`);
  remark(
    'the worker is updating all predictions; until it finishes, each stored value names the model it comes from',
  );
  return undefined;
}

export function addModelCommand(program: Command): void {
  const model = program
    .command('model')
    .description('models that predict properties (docs/methods/prediction.md)');
  model
    .command('list', { isDefault: true })
    .description('list the shipped model and those in the folder models; * marks the active one')
    .action(() => withContext(list));
  model
    .command('use')
    .description('use a model for predictions; no restart is needed')
    .argument('<model>', 'name or folder, `shipped`, or `off` to switch predictions off')
    .action((wanted: string) => withContext((context) => use(context, wanted)));
  model
    .command('train')
    .description(
      'train a model on the catalogue (needs Python and g++; installs torch into a separate environment)',
    )
    .argument('<name>', 'folder of the new model')
    .option('--epochs <n>', 'epochs; default: more for a small catalogue')
    .option('--members <n>', 'number of networks in the ensemble', '3')
    .action((name: string, options: TrainOptions) =>
      withContext((context) => trainModel(context, name, options)),
    );
  model
    .command('disagreements')
    .description('list stored values farthest outside the predicted intervals')
    .option('--json', 'print the whole report as JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withContext(async ({ database, print }) => {
        const report = await predictionDisagreements(database);
        if (json) return print(JSON.stringify(report));
        if (report.compared === 0)
          print('nothing to compare: no material has both a prediction and a calculated value');
        for (const line of disagreementLines(report)) print(line.replace(/^ {2}/, ''));
        return undefined;
      }),
    );
}
