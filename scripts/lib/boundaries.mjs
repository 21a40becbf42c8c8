/**
 * The import rules of the house, as pure functions on file texts.
 *
 * `contract`, `elements` and `numerics` import no package of ours; `crystal` builds on the last two; the other sciences build on
 * those. Routes see the contract, repositories the database; a feature never imports another one; web never imports api.
 * Science packages are pure: no files, network, clock, environment, logging, Math.random.
 */

const BASE = ['numerics', 'elements'];
const SCIENCE = [...BASE, 'crystal'];

/** Which packages of ours each package may import. */
const PACKAGE_IMPORTS = {
  contract: [],
  elements: [],
  numerics: [],
  crystal: BASE,
  symmetry: SCIENCE,
  diffraction: SCIENCE,
  'phase-equilibria': SCIENCE,
  tensors: SCIENCE,
  'tight-binding': [...SCIENCE, 'symmetry'],
  calculators: SCIENCE,
};

const MAX_LINES = 500;
const SOURCE = /\.(ts|tsx|mts|mjs)$/;
const TEST = /\.(test|e2e)\.(ts|tsx|mjs)$/;
const EXEMPT_FROM_SIZE = /(^|\/)(data|generated|fixtures)\//;
const KEBAB_CASE = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
/** Entry of a package for Node, the one place of a science package that may read files. */
const NODE_ENTRY = /^packages\/symmetry\/src\/(node|init-symmetry-in-node)\.ts$/;

const IMPURE = [
  [/\bMath\.random\b/, 'Math.random', 'take a seeded random source from @unitcell/numerics as an argument'],
  [/\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/, 'the clock', 'take the time as an argument'],
  [/(?<![.\w])process\s*\./, 'process', 'take what is needed as an argument'],
  [/(?<![.\w])console\s*\./, 'console', 'return the information, or throw; the caller decides what to print'],
  [/(?<![.\w])fetch\s*\(/, 'the network', 'take the data as an argument'],
];

/** Blanks comments and, with `strings`, the contents of string literals; keeps every line where it was. */
export function blank(source, { strings = false } = {}) {
  const pattern =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
  return source.replace(pattern, (match) => {
    const isComment = match.startsWith('//') || match.startsWith('/*');
    return isComment || strings ? match.replace(/[^\n]/g, ' ') : match;
  });
}

const IMPORT =
  /(?:\b(?:import|export)\s+(?:type\s+)?(?:[\w*{}\s,$]+\s+from\s+)?|\bimport\s*\(\s*|\brequire\s*\(\s*)(['"])([^'"\n]+)\1/g;

/** The imports of a file: `{ specifier, line, typeOnly }`. */
export function importsOf(source) {
  const found = [];
  for (const match of blank(source).matchAll(IMPORT)) {
    const at = match.index + match[0].lastIndexOf(match[2]);
    const typeOnly = /^(?:import|export)\s+type\b/.test(match[0]);
    found.push({ specifier: match[2], line: source.slice(0, at).split('\n').length, typeOnly });
  }
  return found;
}

/** Where a relative import leads, as a path from the root; undefined for packages. */
function resolveRelative(file, specifier) {
  if (!specifier.startsWith('.')) return undefined;
  const parts = file.split('/').slice(0, -1);
  for (const part of specifier.replace(/\?.*$/, '').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const packageOf = (path) => path.match(/^packages\/([\w-]+)\//)?.[1];
const featureOf = (path, app) => path.match(new RegExp(`^apps/${app}/src/features/([\\w-]+)/`))?.[1];
const ownPackage = (specifier) => specifier.match(/^@unitcell\/([\w-]+)/)?.[1];

/** The remedy when a file of a package may not import this, else undefined. */
function packageRule(file, specifier, target) {
  const name = packageOf(file);
  const allowed = PACKAGE_IMPORTS[name];
  const other = ownPackage(specifier);
  if (other !== undefined && other !== name && !TEST.test(file) && allowed && !allowed.includes(other)) {
    const may =
      allowed.length > 0
        ? `only ${allowed.map((entry) => `@unitcell/${entry}`).join(', ')}`
        : 'no package of ours';
    return `${name} may import ${may}: move the shared part down into a package both may import, or pass it as an argument`;
  }
  if (target !== undefined && packageOf(target) !== name && !target.startsWith('testing/')) {
    return 'leave a package only through another package’s name (@unitcell/…), never by a path';
  }
  if (TEST.test(file) || NODE_ENTRY.test(file) || file.includes('/testing/')) return undefined;
  if (/^(node:|fs$|path$|os$|http$|https$|child_process$|worker_threads$|crypto$)/.test(specifier)) {
    return 'science and contract run anywhere: take the text or data as an argument and let the app read it';
  }
  return undefined;
}

function apiRule(file, specifier, target, typeOnly) {
  const own = featureOf(file, 'api');
  const other = target && featureOf(target, 'api');
  if (own !== undefined && other !== undefined && own !== other && !TEST.test(file)) {
    return `feature ${own} may not import feature ${other}: move the shared part into a package or a plugin, or join them in app.ts`;
  }
  if (target?.startsWith('apps/web/')) return 'the api never imports the web client';
  if (typeOnly) return undefined; // naming the shape of what a neighbour hands over is no dependency on how it works
  if (file.endsWith('.repository.ts') && ownPackage(specifier) && ownPackage(specifier) !== 'contract') {
    return 'a repository is only SQL: call science in the service or in a mapper';
  }
  if (file.endsWith('.routes.ts')) {
    if (ownPackage(specifier) !== undefined && ownPackage(specifier) !== 'contract') {
      return 'a route only connects contract and service: call science in the service';
    }
    if (/^(pg|@prisma\/|.*\/generated\/)/.test(specifier) || target?.endsWith('.repository.ts')) {
      return 'a route only connects contract and service: reach the database through the service';
    }
  }
  if (file.endsWith('.service.ts') && /^(pg|@prisma\/client)/.test(specifier)) {
    return 'only repositories speak SQL: add a function to the repository';
  }
  return undefined;
}

function webRule(file, specifier, target) {
  const own = featureOf(file, 'web');
  const other = target && featureOf(target, 'web');
  if (target?.startsWith('apps/api/') || ownPackage(specifier) === 'api') {
    return 'the web client knows the api only through @unitcell/contract';
  }
  if (own !== undefined && other !== undefined && own !== other) {
    return `feature ${own} may not import feature ${other}: let a page in app/ join them, or move the shared part to components/, viz/ or lib/`;
  }
  if (
    /^apps\/web\/src\/(viz|components|lib)\//.test(file) &&
    (other !== undefined || target?.startsWith('apps/web/src/app/'))
  ) {
    return 'viz, components and lib are below the features: pass what is needed as props';
  }
  if (own !== undefined && target?.startsWith('apps/web/src/app/')) {
    return 'features are below app/: move the shared part to components/ or lib/';
  }
  if (/^(node:|fs$|path$)/.test(specifier) && !TEST.test(file) && file.startsWith('apps/web/src/')) {
    return 'this runs in a browser';
  }
  return undefined;
}

function ruleFor(file, { specifier, typeOnly }, target) {
  if (specifier.startsWith('@testing/') && !TEST.test(file) && !file.includes('/testing/')) {
    return 'only tests may use testing/';
  }
  if (file.startsWith('packages/')) return packageRule(file, specifier, target);
  if (file.startsWith('apps/api/')) return apiRule(file, specifier, target, typeOnly);
  if (file.startsWith('apps/web/')) return webRule(file, specifier, target);
  return undefined;
}

function* impurities(file, source) {
  if (
    !/^packages\/[\w-]+\/src\//.test(file) ||
    TEST.test(file) ||
    file.includes('/testing/') ||
    NODE_ENTRY.test(file)
  )
    return;
  const lines = blank(source, { strings: true }).split('\n');
  for (const [pattern, what, remedy] of IMPURE) {
    const index = lines.findIndex((line) => pattern.test(line));
    if (index >= 0) yield { line: index + 1, remedy: `packages are pure and may not use ${what}: ${remedy}` };
  }
}

/** One import chain that leads back to its start, per group of files; the chain is the remedy's material. */
function* cycles(graph) {
  const state = new Map();
  const stack = [];
  function* visit(file) {
    state.set(file, 'open');
    stack.push(file);
    for (const { target, line } of graph.get(file) ?? []) {
      if (state.get(target) === 'open') {
        const chain = [...stack.slice(stack.indexOf(target)), target].map((name) => name.split('/').at(-1));
        yield {
          file,
          line,
          remedy: `imports go in a circle (${chain.join(' → ')}): move what both need into a third file`,
        };
      } else if (!state.has(target) && graph.has(target)) {
        yield* visit(target);
      }
    }
    stack.pop();
    state.set(file, 'closed');
  }
  for (const file of graph.keys()) if (!state.has(file)) yield* visit(file);
}

/**
 * Checks a set of source files.
 * @param {ReadonlyMap<string, string>} files path from the repository root (with `/`) to text
 * @returns {{ file: string, line: number, text: string, remedy: string }[]} the offending lines, sorted
 */
export function findViolations(files) {
  const found = [];
  const graph = new Map();
  const report = (file, line, remedy) => {
    found.push({ file, line, text: (files.get(file).split('\n')[line - 1] ?? '').trim(), remedy });
  };
  for (const [file, source] of files) {
    if (!SOURCE.test(file)) continue;
    const name = file.split('/').at(-1);
    if (!KEBAB_CASE.test(name)) report(file, 1, `rename to kebab-case (${kebab(name)})`);
    const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
    if (lines > MAX_LINES && !EXEMPT_FROM_SIZE.test(file)) {
      report(file, MAX_LINES + 1, `${lines} lines, at most ${MAX_LINES}: one operation, one file`);
    }
    const edges = [];
    for (const imported of importsOf(source)) {
      const { specifier, line, typeOnly } = imported;
      const target = resolveRelative(file, specifier);
      const remedy = ruleFor(file, imported, target);
      if (remedy) report(file, line, remedy);
      if (target !== undefined && !typeOnly) edges.push({ target, line });
    }
    graph.set(file, edges);
    for (const { line, remedy } of impurities(file, source)) report(file, line, remedy);
  }
  for (const { file, line, remedy } of cycles(graph)) report(file, line, remedy);
  return found.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

const kebab = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[_\s]+/g, '-')
    .toLowerCase();

/** As printed: where, the line, what to do. */
export const formatViolation = ({ file, line, text, remedy }) => `${file}:${line}  ${text}\n    → ${remedy}`;
