/** `unitcell release publish|dumps`: dumps of the whole catalogue, served at /api/releases/. */
import type { Command } from 'commander';
import { structuresInfo } from '../features/optimade/info.ts';
import { structures, structuresRepository } from '../features/optimade/structures.ts';
import { CannotPublish, publishRelease } from '../features/releases/publish-release.ts';
import { type Manifest, releases } from '../features/releases/releases.service.ts';
import type { CatalogueCaches } from '../infra/catalogue-cache.ts';
import type { Db } from '../infra/database.ts';
import { CommandFailed, withContext } from './cli-context.ts';

const KEPT = 5;
const PAGE = 500;

/** The catalogue stays as it is while its dump is written. */
const caches: CatalogueCaches = {
  create: <Value>() => {
    const known = new Map<string, Promise<Value>>();
    return {
      remember: (key: string, make: () => Promise<Value>) => {
        const value = known.get(key) ?? make();
        known.set(key, value);
        return value;
      },
    };
  },
  onChange: () => undefined,
  close: async () => undefined,
};

/** As the dumps of OPTIMADE providers are: header, properties, entries. */
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

export function addDumpCommands(release: Command): void {
  const keep = ['--keep <n>', 'dumps that stay beside the last of every year', String(KEPT)] as const;
  release
    .command('publish')
    .description('write the dumps of the present release: JSON Lines, Parquet, OPTIMADE JSON Lines')
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
    .description('the dumps there are')
    .action(() =>
      withContext(async ({ config, print }) => {
        for (const manifest of await releases(config.home).list()) print(lineOf(manifest));
      }),
    );
}
