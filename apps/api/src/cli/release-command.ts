/**
 * `unitcell release list|show|publish|dumps`: the changes of every import and rebuild, and dumps of the
 * catalogue.
 */
import type { Command } from 'commander';
import { disagreementLines } from '../catalogue/derive/prediction-disagreements.ts';
import type { HullChange, HullChanges } from '../catalogue/releases/hull-changes.ts';
import type { ColumnStatistics, ReleaseReport } from '../catalogue/releases/import-release.ts';
import { acceptedOf, hullsOf, lastReleases, releaseById } from '../catalogue/releases/stored-releases.ts';
import { structuresInfo } from '../features/optimade/info.ts';
import { structures, structuresRepository } from '../features/optimade/structures.ts';
import { CannotPublish, publishRelease } from '../features/releases/publish-release.ts';
import { type Manifest, releases } from '../features/releases/releases.feature.ts';
import type { CatalogueCaches } from '../infra/catalogue-cache.ts';
import type { Db } from '../infra/database.ts';
import { type CliContext, withContext } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';

/** `unitcell release publish|dumps`: dumps of the whole catalogue, served at /api/releases/. */
const KEPT = 5;
const PAGE = 500;

/** Caches a value, because the catalogue does not change while its dump is written. */
const remembering = <Value>() => {
  const known = new Map<string, Promise<Value>>();
  return {
    known: () => undefined,
    remember: (key: string, make: () => Promise<Value>) => {
      const value = known.get(key) ?? make();
      known.set(key, value);
      return value;
    },
  };
};
const caches: CatalogueCaches = {
  create: remembering,
  createSized: remembering,
  onChange: () => undefined,
  close: async () => undefined,
};

/** Writes the lines of an OPTIMADE dump: header, properties, entries. */
async function* optimadeLines(tx: Db): AsyncGenerator<object> {
  yield { 'x-optimade': { meta: { api_version: '1.2.0' } } };
  yield structuresInfo();
  const provider = structures(structuresRepository({ readDb: tx }), caches);
  let after: number[] | null = null;
  for (;;) {
    const query = { filter: null, fields: null, sort: [], limit: PAGE, after, warnings: [] };
    const { data, rows, cursor } = await provider.page(query);
    yield* data as object[];
    const last = rows.at(-1);
    if (cursor === null || !last) return;
    after = [Number(last.struct_id)];
  }
}

const lineOf = ({ release, published_at, materials, files }: Manifest): string => {
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return `release ${release}, ${published_at.slice(0, 10)}: ${materials} materials, ${files.length} files, ${megabytes.toFixed(1)} MB`;
};

function readKeep(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new CommandFailed(`--keep ${text}: expected a number from 1 on`);
  return Number(text);
}

function addDumpCommands(release: Command): void {
  const keep = ['--keep <n>', 'number of dumps to keep, plus the last of each year', String(KEPT)] as const;
  release
    .command('publish')
    .description('write the dumps of the current release: JSON Lines, Parquet, OPTIMADE JSON Lines')
    .option(...keep)
    .action((flags: { keep: string }) =>
      withContext(async ({ config, database, print, remark }) => {
        const kept = readKeep(flags.keep);
        const manifest = await publishRelease({
          db: database.readDb,
          home: config.home,
          publicUrl: config.publicUrl,
          now: new Date(),
          optimadeLines,
          onProgress: (materials) => remark(`${materials} materials`),
        }).catch((error: unknown) => {
          throw error instanceof CannotPublish ? new CommandFailed(error.message) : error;
        });
        print(lineOf(manifest));
        for (const gone of await releases(config.home).prune(kept)) print(`release ${gone} removed`);
      }),
    );
  release
    .command('dumps')
    .description('list the dumps')
    .action(() =>
      withContext(async ({ config, print }) => {
        for (const manifest of await releases(config.home).list()) print(lineOf(manifest));
      }),
    );
}

const above = (energy: number | null): string => (energy === null ? '–' : (1000 * energy).toFixed(0));
const changeLine = ({ structId, formula, before, after }: HullChange): string =>
  `    ${formula} (${structId}): ${above(before)} → ${above(after)} meV/atom above the hull`;
const figure = (value: number | null): string =>
  value === null ? '–' : Number(value.toPrecision(4)).toString();

/** Number of largest changes printed; `--json` prints all. */
const PRINTED = 20;

function hullLines(changes: HullChanges): string[] {
  const {
    functional,
    compared,
    changed,
    largest,
    becameStable,
    nowStable,
    ceasedToBeStable,
    noLongerStable,
  } = changes;
  return [
    `  ${functional}: ${changed} of ${compared} energies above hull moved by more than 1 meV/atom`,
    ...largest.slice(0, PRINTED).map(changeLine),
    `  ${becameStable} became stable${becameStable > 0 ? ':' : ''}`,
    ...nowStable.slice(0, PRINTED).map(changeLine),
    `  ${ceasedToBeStable} became unstable${ceasedToBeStable > 0 ? ':' : ''}`,
    ...noLongerStable.slice(0, PRINTED).map(changeLine),
  ];
}

const columnLine = ({ column, unit, count, min, max, quantiles }: ColumnStatistics): string =>
  `  ${column}${unit === '' ? '' : ` (${unit})`}: ${count}; ${figure(min)} to ${figure(max)}; 1, 25, 50, 75, 99 %: ${(quantiles ?? []).map(figure).join(', ') || '–'}`;

/** The report of an import as lines for the terminal. */
export const releaseLines = ({
  hulls,
  columns,
  predictions,
}: Pick<ReleaseReport, 'hulls' | 'columns' | 'predictions'>): string[] => [
  ...hulls.flatMap(hullLines),
  ...(predictions ? disagreementLines(predictions) : []),
  ...columns.filter(({ count }) => count > 0).map(columnLine),
];

const minute = (date: Date | null): string | null =>
  date === null ? null : date.toISOString().slice(0, 16).replace('T', ' ');

async function list({ database, print }: CliContext): Promise<void> {
  for (const { id, kind, startedAt, finishedAt, summary } of await lastReleases(database.db)) {
    const accepted = acceptedOf(summary);
    print(
      `${id}\t${minute(startedAt)}\t${kind}${accepted === null ? '' : `\t${accepted} accepted`}${finishedAt === null ? '\tnot finished' : ''}`,
    );
  }
}

async function show({ database, print }: CliContext, typed: string, isJson: boolean): Promise<void> {
  const id = /^\d{1,9}$/.test(typed) ? Number(typed) : 0;
  const row = await releaseById(database.db, id);
  if (!row)
    throw new CommandFailed(
      `there is no release ${typed}: \`unitcell release list\` prints the last hundred`,
    );
  if (isJson) return print(JSON.stringify(row));
  const { files = [], columns = [], predictions = null } = row.summary;
  const hulls = hullsOf(row.summary);
  print(
    `release ${row.id}, ${row.kind}, ${minute(row.startedAt)} to ${minute(row.finishedAt) ?? 'not finished'}`,
  );
  for (const { path, accepted, refused, duplicates, merged } of files)
    print(
      `  ${path}: ${accepted} accepted (${merged} of them added as sources of existing materials), ${refused} refused, ${duplicates} duplicates`,
    );
  for (const line of releaseLines({ hulls, columns, predictions })) print(line);
}

export function addReleaseCommand(program: Command): void {
  const release = program
    .command('release')
    .description('changes of imports and rebuilds, and dumps of the catalogue (docs/api/index.md)');
  release
    .command('list')
    .description('list the last hundred releases')
    .action(() => withContext(list));
  release
    .command('show')
    .description(
      'print its report: largest changes of energies above hull, newly stable and unstable phases, columns',
    )
    .argument('<id>', 'id of the release')
    .option('--json', 'print the whole report as JSON')
    .action((id: string, { json = false }: { json?: boolean }) =>
      withContext((context) => show(context, id, json)),
    );
  addDumpCommands(release);
}
