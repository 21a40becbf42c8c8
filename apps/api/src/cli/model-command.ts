/** `unitcell model list|use|train|disagreements`: which model predicts, and another one for it. */
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import type { Command } from 'commander';
import { disagreementLines, predictionDisagreements } from '../catalogue/derive/prediction-disagreements.ts';
import { activeModel, chooseModel, knownModels, shippedModel } from '../domain/prediction/models.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';
import { trainModel, type TrainOptions } from './train-model.ts';

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
    .description(
      'train a model on the catalogue (needs Python and g++; torch is installed into an environment of its own)',
    )
    .argument('<name>', 'folder of the new model')
    .option('--epochs <n>', 'rounds over the catalogue; by default more of a small one')
    .option('--members <n>', 'networks whose mean is told', '3')
    .action((name: string, options: TrainOptions) =>
      withContext((context) => trainModel(context, name, options)),
    );
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
