/** `unitcell model list|use|train|disagreements`: which model predicts, and another one for it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import type { Command } from 'commander';
import { disagreementLines, predictionDisagreements } from '../catalogue/derive/prediction-disagreements.ts';
import { activeModel, chooseModel, knownModels, shippedModel } from '../domain/prediction/models.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';
import { writeTrainingSet } from './training-set.ts';

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
      `${mark} ${name}\t${folder === null ? 'ships' : basename(folder)}\t${members} ${members === 1 ? 'member' : 'members'}${error}\t${count} materials predicted`,
    );
  }
  if (active === null) print('predictions are switched off: `unitcell model use shipped` switches them on');
  if (active === undefined)
    print('the model that was chosen is not there any more: choose another with `unitcell model use`');
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
      `there is no model ${JSON.stringify(wanted)}: put a folder with model.json and model.bin into ${join(config.home, 'models')}, or choose one that \`unitcell model list\` prints`,
    );
  if (wanted === 'off') return print('predictions are switched off');
  print(`the site predicts with ${found?.name ?? shippedModel().name} from now on`);
  remark(
    'the worker predicts the catalogue anew; until it is done, stored values name the model they are of',
  );
  return undefined;
}

function run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn('npm', words, { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.once('error', () => reject(new CommandFailed('npm was not found: train where the site was built')));
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new CommandFailed(`the training ended with ${code}: see above`)),
    );
  });
}

/** @throws CommandFailed */
async function train({ config, database, print, remark }: CliContext, name: string): Promise<void> {
  if (!/^[\w-]{1,40}$/.test(name))
    throw new CommandFailed(`${JSON.stringify(name)}: a name of letters, digits and hyphens was expected`);
  if (!existsSync('scripts/generators/models/generate.ts'))
    throw new CommandFailed('the generator of models is not here: run this in a checkout of the project');
  const folder = join(config.home, 'models', name);
  const data = join(config.home, 'training', name);
  for (const path of [folder, data]) mkdirSync(path, { recursive: true });
  const rows = await writeTrainingSet(database, join(data, 'catalogue.jsonl.gz'));
  remark(`${rows} crystals of the catalogue are written; the training takes about an hour`);
  await run(['run', 'generate', 'models'], {
    ...process.env,
    TRAINING_DATA: data,
    TRAINING_FOLDER: join(data, 'work'),
    MODEL_FOLDER: folder,
  });
  print(`${folder} holds the model: \`unitcell model use ${name}\``);
}

export function addModelCommand(program: Command): void {
  const model = program
    .command('model')
    .description('the model that predicts properties (docs/science/prediction.md)');
  model
    .command('list', { isDefault: true })
    .description('the model that ships and those of the folder models; * marks the one that predicts')
    .action(() => withContext(list));
  model
    .command('use')
    .description('predict with a model from now on; no restart is needed')
    .argument('<model>', 'name or folder, `shipped`, or `off` to switch predictions off')
    .action((wanted: string) => withContext((context) => use(context, wanted)));
  model
    .command('train')
    .description('train a model on the catalogue (needs Python with torch and numpy, and g++)')
    .argument('<name>', 'folder of the new model')
    .action((name: string) => withContext((context) => train(context, name)));
  model
    .command('disagreements')
    .description('where the catalogue lies farthest outside the predicted intervals')
    .option('--json', 'the whole report as JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withContext(async ({ database, print }) => {
        const report = await predictionDisagreements(database);
        if (json) return print(JSON.stringify(report));
        if (report.compared === 0)
          print('nothing to compare: no prediction is stored beside a calculated value');
        for (const line of disagreementLines(report)) print(line.replace(/^ {2}/, ''));
        return undefined;
      }),
    );
}
