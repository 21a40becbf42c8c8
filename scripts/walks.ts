/**
 * The three walks of a newcomer, in files: what stands between a page and the database and back, each file counted once, by its
 * imports of values. Counted are, without texts, examples, tests and packages:
 *
 * - page: files of the feature (and of `app/pages`) reached from the page, and the one that sends its calls;
 * - contract: the calls of the walk;
 * - slice: files of the slice in the api;
 * - rest: other files of the api that routes, services, repositories, threads and jobs of the slice reach.
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

const NOT_COUNTED = /\.test\.|testing\/|texts?\.ts$|\.examples\.ts$|messages\/groups\/|generated\//;
const BEGINNINGS = /\.(routes|service|repository|thread|jobs)\.ts$/;

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !NOT_COUNTED.test(file))
    .map((file) => join(folder, file));

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

function count(root: string, { name, page, feature, isOnWalk }: Walk) {
  const web = join(root, 'apps/web/src');
  const api = join(root, 'apps/api/src');
  const [pages, own, slice] = [
    join(web, 'app/pages'),
    join(web, 'features', feature),
    join(api, 'features', feature),
  ];
  const begin = filesOf(join(web, 'app'))
    .concat(filesOf(own))
    .filter((file) => file.endsWith(`/${page}`));
  const within = (folder: string, file: string, which: RegExp): boolean =>
    file.startsWith(`${folder}/`) && which.test(relative(folder, file));
  const shown = [...reachedFrom(begin)].filter(
    (file) =>
      within(pages, file, ALL) || within(own, file, isOnWalk.page) || file.endsWith('/lib/api-client.ts'),
  );
  const contract = join(root, 'packages/contract/src', feature);
  const calls = filesOf(contract).filter((file) => within(contract, file, isOnWalk.contract));
  const inSlice = filesOf(slice).filter((file) => within(slice, file, isOnWalk.slice));
  const rest = [...reachedFrom(inSlice.filter((file) => BEGINNINGS.test(file)))].filter(
    (file) => !file.startsWith(`${slice}/`),
  );
  return { name, parts: [shown, calls, inSlice, rest] };
}

const folder = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? '.';
const root = resolve(folder);
for (const { name, parts } of WALKS.map((walk) => count(root, walk))) {
  const sizes = parts.map(({ length }) => length);
  console.log(`${name}: ${sizes.join(' + ')} = ${sizes.reduce((sum, size) => sum + size, 0)}`);
  if (process.argv.includes('--list'))
    for (const file of parts.flat().sort()) console.log(`  ${relative(root, file)}`);
}
