import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Plugin, build } from 'esbuild';
import { packClients } from './pack-clients.ts';
import { apiDist, inRepository, webDist } from '../lib/paths.mjs';
import { mustRun } from '../lib/run.mjs';
import { UserError } from '../lib/user-error.mjs';
import { whenChanged } from '../lib/stamp.mjs';

const apiSource = inRepository('apps/api/src');
const ENTRIES = ['main.ts', 'worker.ts', 'cli.ts'];
/** Migrates a database in a separate step: the image has no other tools. */
const DEPLOY = inRepository('tools/src/deploy.ts');
const THREAD_ENTRY = /\.thread\.ts$/;
const THREAD_START = 'infra/thread-entry.cjs';

/** Entry files of worker threads, anywhere in the api: each becomes `dist/<name>.thread.js`. */
function threadEntries(): string[] {
  return readdirSync(apiSource, { recursive: true, encoding: 'utf8' })
    .filter((name) => THREAD_ENTRY.test(name))
    .map((name) => join(apiSource, name));
}

/**
 * Packages that stay outside the bundle: they load files from their own folder, are native, or are optional
 * and not installed.
 */
const EXTERNAL = [
  '@prisma/client',
  '@spglib/moyo-wasm',
  '@valkey/valkey-glide',
  'cpu-features',
  'pg-native',
  'piscina',
  'sharp',
  'ssh2',
];

/** Keeps `import.meta.url` of code outside the api as the URL of its source, so that it finds its files. */
const keepSourceUrls: Plugin = {
  name: 'keep-source-urls',
  setup({ onLoad }) {
    onLoad(
      { filter: /(?:packages[\\/][\w-]+[\\/]src|tools[\\/](?:lib|src))[\\/].*\.(?:ts|mjs)$/ },
      async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes('import.meta.url')) return undefined;
        const fromDist = JSON.stringify(relative(apiDist, path).replaceAll('\\', '/'));
        return {
          contents: source.replaceAll('import.meta.url', `new URL(${fromDist}, import.meta.url).href`),
          loader: path.endsWith('.ts') ? 'ts' : 'js',
        };
      },
    );
  },
};

/** Globals that CommonJS packages expect, defined in a file that is an ES module. */
const COMMONJS_GLOBALS = `import { createRequire as __createRequire } from 'node:module';
import { fileURLToPath as __fileURLToPath } from 'node:url';
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __fileURLToPath(new URL('.', import.meta.url));`;

export const builtProgram = (name: 'main' | 'worker' | 'cli'): string => join(apiDist, `${name}.js`);

/** Bundles the entry points of the api, its threads and the migrations with their packages to apps/api/dist; development runs the sources. */
export function buildApi(): Promise<string | undefined> {
  const entries = [...ENTRIES.map((name) => join(apiSource, name)), ...threadEntries(), DEPLOY];
  return whenChanged(
    'api',
    {
      inputs: [
        apiSource,
        inRepository('apps/api/src/generated'),
        inRepository('packages'),
        // The migrations, and the bundling code itself.
        inRepository('tools/lib'),
        inRepository('tools/src'),
        inRepository('pnpm-lock.yaml'),
      ],
      extra: entries.map((path) => basename(path)),
      outputs: [join(apiDist, 'main.js')],
    },
    async () => {
      rmSync(apiDist, { recursive: true, force: true });
      const built = build({
        entryPoints: entries.map((path) => ({ in: path, out: basename(path, '.ts') })),
        outdir: apiDist,
        bundle: true,
        splitting: true,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        sourcemap: true,
        // A start parses 14 MB of code; this saves a tenth of its CPU time. Names stay, for logs and traces.
        minifyWhitespace: true,
        minifySyntax: true,
        // Traces need names and lines only; Node reads every map when it loads the file.
        sourcesContent: false,
        logLevel: 'silent',
        loader: { '.wasm': 'file' },
        // As in Node 21 and later. Without it pg makes a Response at every start, which loads all of fetch.
        define: { navigator: JSON.stringify({ userAgent: 'Node.js' }) },
        external: EXTERNAL,
        banner: { js: COMMONJS_GLOBALS },
        plugins: [keepSourceUrls],
      });
      await built.catch((error: unknown) => {
        throw new UserError(
          `Building the api failed:\n${error instanceof Error ? error.message : String(error)}`,
        );
      });
      // This file stays CommonJS.
      copyFileSync(join(apiSource, THREAD_START), join(apiDist, basename(THREAD_START)));
    },
  );
}

/** Builds the web client to apps/web/dist, with the documentation and the client libraries for programs beside it. */
export async function buildWeb(): Promise<string | undefined> {
  // VitePress is a separate process that keeps one core busy; the other cores build the pages meanwhile.
  const [pages, documents] = await Promise.all([buildPages(), buildDocuments()]);
  const target = join(webDist, 'docs');
  if (!pages || !documents || !existsSync(target)) {
    rmSync(target, { recursive: true, force: true });
    cpSync(inRepository('docs/dist'), target, { recursive: true });
  }
  const clients = await packClients();
  return pages && documents && clients;
}

/** Builds the documentation site to docs/dist. */
function buildDocuments(): Promise<string | undefined> {
  const docs = inRepository('docs');
  return whenChanged(
    'docs',
    {
      inputs: [docs, inRepository('package.json'), inRepository('pnpm-lock.yaml')],
      outputs: [join(docs, 'dist/index.html')],
    },
    async () => {
      const vitepress = join(docs, 'node_modules/vitepress/bin/vitepress.js');
      await mustRun('Building the documentation', process.execPath, [vitepress, 'build'], { cwd: docs });
      // Quality 11 would make the files 2 % smaller but take three seconds longer.
      await compressFolder(join(docs, 'dist'), 10);
    },
  );
}

function buildPages(): Promise<string | undefined> {
  const web = inRepository('apps/web');
  return whenChanged(
    'web',
    {
      inputs: [web, inRepository('packages'), inRepository('pnpm-lock.yaml')],
      outputs: [join(webDist, 'index.html')],
    },
    async () => {
      const vite = join(web, 'node_modules/vite/bin/vite.js');
      const env = { ...process.env, NODE_ENV: 'production' };
      await mustRun('Building the web client', process.execPath, [vite, 'build', '--logLevel', 'warn'], {
        cwd: web,
        env,
      });
      await compressFolder(webDist);
    },
  );
}

const COMPRESSIBLE = /\.(?:js|css|svg|html|wasm|json|txt|bin)$/;
/** Smaller files do not benefit. */
const MIN_BYTES = 1024;
/** Small files get the best compression; with it, large files would be 3 % smaller but take ten times as long. */
const SMALL_BYTES = 400_000;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes `.br` and `.gz` beside every file worth compressing. */
async function compressFolder(folder: string, quality = 11): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      if (bytes.length < MIN_BYTES) return;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: bytes.length <= SMALL_BYTES ? quality : 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      const [brotli, gzipped] = await Promise.all([toBrotli(bytes, { params }), toGzip(bytes)]);
      writeFileSync(`${file}.br`, brotli);
      writeFileSync(`${file}.gz`, gzipped);
    }),
  );
}
