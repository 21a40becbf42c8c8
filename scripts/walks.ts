/**
 * The three walks of a newcomer, in files: what stands between a page and the database and back, each file counted once, by its
 * imports of values. Counted are, without texts, examples, tests, packages and lists that only hand on what stands elsewhere:
 *
 * - page: files of the feature (and of `app/pages`) reached from the page, and the one that sends its calls;
 * - contract: the calls of the walk;
 * - slice: files of the slice in the api;
 * - below: other files of the api that routes, services, repositories, threads and jobs of the slice reach;
 * - ground: of these, told apart, what the slices of more than half of all features reach: how any call is bound, refused,
 *   measured and answered. It is opened once for the house, not for a walk.
 *
 *     npx tsx scripts/walks.ts [--list] [FOLDER]     FOLDER: another checkout; this one when absent
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';

interface Walk {
  readonly name: string;
  /** Name of the page's file. */
  readonly page: string;
  /** Folder of `features` in web and api, and of the contract. */
  readonly feature: string;
  /** Of the feature's files those that belong to the walk, by their path in it. */
  readonly isOnWalk: { readonly page: RegExp; readonly contract: RegExp; readonly slice: RegExp };
}

const ALL = /./;
const WALKS: readonly Walk[] = [
  {
    name: 'search',
    page: 'matdata-page.tsx',
    feature: 'matdata',
    // Filters, collections, comparison and what is picked are features of their own beside the search.
    isOnWalk: {
      page: /^(?!screen\/|collections\/|compare\/|picked\/)/,
      contract: /^search\.ts$/,
      slice: /^search\./,
    },
  },
  {
    name: 'XRD match',
    page: 'xrd-page.tsx',
    feature: 'xrd',
    isOnWalk: { page: ALL, contract: ALL, slice: ALL },
  },
  {
    name: 'Run4U, upload to material',
    page: 'run4u-page.tsx',
    feature: 'run4u',
    isOnWalk: { page: ALL, contract: ALL, slice: ALL },
  },
];

const NOT_COUNTED =
  /\.test\.|testing\/|texts?\.ts$|\.examples\.ts$|messages\/groups\/|generated\/|contract\/src\/[^/]+\/index\.ts$/;
const BEGINNINGS = /\.(routes|service|repository|thread|jobs)\.ts$/;

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.tsx?$/.test(file) && !NOT_COUNTED.test(file));

const IMPORT = /^(?:import|export)\s+(?!type\b)([^;'"]*?)from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gms;

/** Files that a file imports values of. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(([, clause = '', named, lazy]) => {
    const names = /^\{([^}]*)\}/.exec(clause.trim())?.[1]?.split(',') ?? [];
    const areTypes = names.length > 0 && names.every((name) => /^\s*(type\b|$)/.test(name));
    return areTypes ? [] : [normalize(join(dirname(file), named ?? lazy ?? ''))];
  });
}

function reachedFrom(beginnings: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const open = [...beginnings];
  for (let file = open.pop(); file; file = open.pop()) {
    if (reached.has(file) || !/\.tsx?$/.test(file) || NOT_COUNTED.test(file) || !existsSync(file)) continue;
    reached.add(file);
    open.push(...importsOf(file));
  }
  return reached;
}

/** Other files of the api that the files of a slice reach from where it is entered. */
const below = (slice: string, files: readonly string[]): string[] =>
  [...reachedFrom(files.filter((file) => BEGINNINGS.test(file)))].filter(
    (file) => !file.startsWith(`${slice}/`),
  );

/** What the slices of more than half of all features reach. */
function groundOf(root: string): ReadonlySet<string> {
  const features = join(root, 'apps/api/src/features');
  const slices = readdirSync(features).map((name) => join(features, name));
  const reached = slices.flatMap((slice) => below(slice, filesOf(slice)));
  const times = new Map<string, number>();
  for (const file of reached) times.set(file, (times.get(file) ?? 0) + 1);
  return new Set(reached.filter((file) => (times.get(file) ?? 0) > slices.length / 2));
}

function count(root: string, { name, page, feature, isOnWalk }: Walk, ground: ReadonlySet<string>) {
  const web = join(root, 'apps/web/src');
  const api = join(root, 'apps/api/src');
  const [pages, ofFeature, slice] = [
    join(web, 'app/pages'),
    join(web, 'features', feature),
    join(api, 'features', feature),
  ];
  const begin = filesOf(join(web, 'app'))
    .concat(filesOf(ofFeature))
    .filter((file) => file.endsWith(`/${page}`));
  const within = (folder: string, file: string, which: RegExp): boolean =>
    file.startsWith(`${folder}/`) && which.test(relative(folder, file));
  const shown = [...reachedFrom(begin)].filter(
    (file) =>
      within(pages, file, ALL) ||
      within(ofFeature, file, isOnWalk.page) ||
      file.endsWith('/lib/api-client.ts'),
  );
  const contract = join(root, 'packages/contract/src', feature);
  const calls = filesOf(contract).filter((file) => within(contract, file, isOnWalk.contract));
  const inSlice = filesOf(slice).filter((file) => within(slice, file, isOnWalk.slice));
  const rest = below(slice, inSlice);
  const own = rest.filter((file) => !ground.has(file));
  return { name, parts: [shown, calls, inSlice, own], ground: rest.filter((file) => ground.has(file)) };
}

const folder = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? '.';
const root = resolve(folder);
const ground = groundOf(root);
const LIST = process.argv.includes('--list');
const list = (files: readonly string[]): void => {
  if (LIST) for (const file of files.toSorted()) console.log(`  ${relative(root, file)}`);
};
for (const walk of WALKS) {
  const { name, parts, ground: shared } = count(root, walk, ground);
  const sum = parts.flat().length;
  console.log(
    `${name}: ${parts.map(({ length }) => length).join(' + ')} = ${sum}, on a ground of ${shared.length}: ${sum + shared.length}`,
  );
  list(parts.flat());
}
console.log(`ground: ${ground.size}`);
list([...ground]);
