/**
 * `unitcell rebuild hulls|windows|cells|patterns|arrangements`: derives everything of a kind anew; hulls take the windows that
 * follow along; cells are those of older versions, with their patterns and arrangements.
 */
import { Argument, type Command } from 'commander';
import { withWorkers } from '../catalogue/derive/derive-together.ts';
import { hullRepository } from '../catalogue/derive/hull.repository.ts';
import { rederiveAll, windowsInThreads } from '../catalogue/derive/rederive-catalogue.ts';
import { rederiveHulls } from '../catalogue/derive/rederive-hulls.service.ts';
import { rederiveWindows, type WindowReport } from '../catalogue/derive/rederive-windows.service.ts';
import { windowRepository } from '../catalogue/derive/window.repository.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../catalogue/open-catalogue-threads.ts';
import { type Renewal, renewMaterials } from '../catalogue/renew/renewal.ts';
import { RENEWALS } from '../catalogue/renew/renewals.ts';
import { type CliContext, CommandFailed, withContext, withHelpers } from './cli-context.ts';

const busy = () =>
  new CommandFailed('another process is deriving the catalogue at the moment: try again when it is done');

const windowLine = ({ functional, systems, windows, releaseId }: WindowReport): string =>
  `${functional}: ${systems} chemical systems, ${windows} electrochemical windows, release ${releaseId}`;

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
    withHelpers(context, (queue) =>
      rederiveAll(database, { together: withWorkers(database, queue), work: windowsInThreads(threads) }),
    ),
  );
  if (report === null) throw busy();
  for (const { functional, systems, materials, releaseId } of report.hulls)
    print(`${functional}: ${systems} chemical systems, ${materials} materials, release ${releaseId}`);
  for (const line of report.windows) print(windowLine(line));
}

async function rebuildWindows(context: CliContext): Promise<void> {
  const { database, print } = context;
  const reports = await withThreads(async (threads) => {
    const windows = rederiveWindows(
      windowRepository(database),
      hullRepository(database),
      windowsInThreads(threads),
    );
    await windows.markAll();
    return withHelpers(context, (queue) => windows.run({ together: withWorkers(database, queue) }));
  });
  if (reports === null) throw busy();
  for (const report of reports) print(windowLine(report));
}

const renew =
  (renewal: Renewal) =>
  async ({ database, print, remark }: CliContext): Promise<void> => {
    const report = await withThreads((threads) =>
      renewMaterials(database, threads, renewal, {
        isOnDemand: true,
        onProgress(done, total) {
          if (done % 10_000 === 0) remark(`${done} of ${total} materials`);
        },
      }),
    );
    const { changed = 0, materials = 0, left = [] } = report ?? {};
    print(`${renewal.kind}: ${changed} of ${materials} materials new or different`);
    for (const structId of left)
      print(`${structId} cannot be brought to the form of today and stays as it is: import it again`);
  };

const KINDS: Readonly<Record<string, (context: CliContext) => Promise<void>>> = {
  hulls: rebuildHulls,
  windows: rebuildWindows,
  ...Object.fromEntries(RENEWALS.map((renewal) => [renewal.kind, renew(renewal)])),
};

export function addRebuildCommand(program: Command): void {
  program
    .command('rebuild')
    .description('derive stored results anew from the materials')
    .addArgument(new Argument('<what>', 'what to derive').choices(Object.keys(KINDS)))
    .action((what: string) => withContext((context) => KINDS[what]!(context)));
}
