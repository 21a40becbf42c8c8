/** The client libraries as files of the site, from where `pip install` and `npm install` take them. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { inRepository, webDist } from '../lib/paths.mjs';
import { mustRun } from '../lib/run.mjs';
import { whenChanged } from '../lib/stamp.mjs';

const FOLDER = join(webDist, 'clients');
const PYTHON = inRepository('clients/python');
/** Imports of our own modules in declarations. */
const OURS = /(["'])(\.{1,2}\/[^"']+\.ts|@unitcell\/[\w/-]+)\1/g;

const readJson = (path: string) => JSON.parse(readFileSync(inRepository(path), 'utf8'));

/** Resolves an entry point of a package: `@unitcell/contract/xrd` → its declarations. */
const declarationsOf = (name: string): string =>
  createRequire(inRepository('packages', name.split('/')[1] ?? '', 'package.json'))
    .resolve(name)
    .replace('/src/', '/.types/')
    .replace(/\.ts$/, '.d.ts');

/** Writes a declaration and everything it imports; each of our packages becomes a folder. */
function writeTypes(file: string, folder: string, written = new Set<string>()): void {
  if (written.has(file)) return;
  written.add(file);
  const place = (path: string) => relative(inRepository('packages'), path).replace('/.types/', '/');
  const text = readFileSync(file, 'utf8').replaceAll(OURS, (_, quote: string, name: string) => {
    const target = name.startsWith('.')
      ? join(dirname(file), name.replace(/\.ts$/, '.d.ts'))
      : declarationsOf(name);
    writeTypes(target, folder, written);
    const path = relative(dirname(place(file)), place(target)).replace(/\.d\.ts$/, '.js');
    return quote + (path.startsWith('.') ? path : `./${path}`) + quote;
  });
  const to = join(folder, place(file));
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
}

/** The program, its types, and the package zod, because the types use its schemas. */
async function writeTypeScriptClient(folder: string): Promise<void> {
  await mustRun('Generating types of the TypeScript client', inRepository('node_modules/.bin/tsc'), [
    '-b',
    inRepository('packages/client'),
  ]);
  writeTypes(inRepository('packages/client/.types/index.d.ts'), join(folder, 'types'));
  await build({
    entryPoints: [inRepository('packages/client/src/index.ts')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    external: ['zod'],
    logLevel: 'silent',
  });
  const { zod } = readJson('packages/contract/package.json').dependencies;
  const { version, license, engines } = readJson('package.json');
  const description = {
    name: '@unitcell/client',
    version,
    description: 'Client of a Unitcell materials database, typed by its contract',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { '.': { types: './types/client/index.d.ts', default: './index.js' } },
    dependencies: { zod },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  cpSync(inRepository('packages/client/README.md'), join(folder, 'README.md'));
}

function writePythonClient(folder: string): void {
  for (const name of ['pyproject.toml', 'README.md', 'src'])
    cpSync(join(PYTHON, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.includes('__pycache__'),
    });
}

export function packClients(): Promise<string | undefined> {
  const packed = {
    // npm expects the files in a folder of this name.
    'unitcell-client.tgz': { inside: 'package', write: writeTypeScriptClient },
    'unitcell.tar.gz': { inside: 'unitcell', write: writePythonClient },
  };
  return whenChanged(
    'clients',
    {
      inputs: [PYTHON, inRepository('packages'), inRepository('pnpm-lock.yaml')],
      outputs: Object.keys(packed).map((name) => join(FOLDER, name)),
    },
    async () => {
      mkdirSync(FOLDER, { recursive: true });
      for (const [name, { inside, write }] of Object.entries(packed)) {
        const folder = mkdtempSync(join(tmpdir(), 'unitcell-client-'));
        try {
          mkdirSync(join(folder, inside));
          await write(join(folder, inside));
          cpSync(inRepository('LICENSE'), join(folder, inside, 'LICENSE'));
          await mustRun(`Packing ${name}`, 'tar', ['-czf', join(FOLDER, name), '-C', folder, inside]);
        } finally {
          rmSync(folder, { recursive: true });
        }
      }
    },
  );
}
