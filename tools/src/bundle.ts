import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Plugin, build } from 'esbuild';
import { packClients } from './pack-clients.ts';
import { apiDist, inRepository, webDist } from '../lib/paths.mjs';
import { mustRun } from '../lib/run.mjs';
import { UserError, codeOf } from '../lib/user-error.mjs';
import { whenChanged } from '../lib/stamp.mjs';

const apiSource = inRepository('apps/api/src');
const ENTRIES = ['main.ts', 'worker.ts', 'cli.ts'];
/** Migrates a database in a step of its own: the image has no other tools. */
const DEPLOY = inRepository('tools/src/deploy.ts');
const THREAD_ENTRY = /\.thread\.ts$/;
/** What every thread begins with. */
const THREAD_START = 'infra/thread-entry.cjs';

/** Entry files of worker threads, anywhere in the api: each becomes `dist/<name>.thread.js`. */
function threadEntries(): string[] {
  return readdirSync(apiSource, { recursive: true, encoding: 'utf8' })
    .filter((name) => THREAD_ENTRY.test(name))
    .map((name) => join(apiSource, name));
}

/**
 * Our own packages are bundled. npm packages stay outside where the api can resolve them itself; those that only a package
 * of ours depends on are bundled too (strict installs hide them from the api).
 */
function workspaceOnly(): Plugin {
  const requireFromApi = createRequire(inRepository('apps/api/package.json'));
  const external = (path: string) => {
    try {
      requireFromApi.resolve(path);
      return true;
    } catch (error) {
      // Resolved, but its exports offer nothing to `require`: an ESM-only package.
      return codeOf(error) === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
    }
  };
  return {
    name: 'workspace-only',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path }) => {
        if (path.startsWith('@unitcell/')) return undefined;
        return isBuiltin(path) || external(path) ? { path, external: true } : undefined;
      });
      // Outside the api `import.meta.url` keeps naming the source file, so that it finds its own files and dependencies.
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
}

/** The file that runs an entry point of the built api. */
export const builtProgram = (name: 'main' | 'worker' | 'cli'): string => join(apiDist, `${name}.js`);

/** Bundles the entry points of the api, its worker threads and the migrations to apps/api/dist; development runs the sources. */
export function buildApi(): Promise<string | undefined> {
  const entries = [...ENTRIES.map((name) => join(apiSource, name)), ...threadEntries(), DEPLOY];
  return whenChanged(
    'api',
    {
      inputs: [
        apiSource,
        inRepository('apps/api/src/generated'),
        inRepository('packages'),
        // The migrations, and how all this is bundled.
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
        logLevel: 'silent',
        loader: { '.wasm': 'file' },
        banner: {
          js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
        },
        plugins: [workspaceOnly()],
      });
      await built.catch((error: unknown) => {
        throw new UserError(
          `Building the api failed:\n${error instanceof Error ? error.message : String(error)}`,
        );
      });
      // CommonJS, and stays so.
      copyFileSync(join(apiSource, THREAD_START), join(apiDist, basename(THREAD_START)));
    },
  );
}

/** Builds the web client to apps/web/dist, and what it offers to programs beside it. */
export async function buildWeb(): Promise<string | undefined> {
  const pages = await buildPages();
  const documents = await buildDocuments(pages === undefined);
  const clients = await packClients();
  return pages && documents && clients;
}

/** Builds the documentation site and lays it into the web client, which is served with it. */
async function buildDocuments(webIsNew: boolean): Promise<string | undefined> {
  const docs = inRepository('docs');
  const target = join(webDist, 'docs');
  const unchanged = await whenChanged(
    'docs',
    {
      inputs: [docs, inRepository('package.json'), inRepository('pnpm-lock.yaml')],
      outputs: [join(docs, 'dist/index.html')],
    },
    async () => {
      const vitepress = join(docs, 'node_modules/vitepress/bin/vitepress.js');
      await mustRun('Building the documentation', process.execPath, [vitepress, 'build'], { cwd: docs });
      await compressFolder(join(docs, 'dist'));
    },
  );
  if (unchanged && !webIsNew && existsSync(target)) return unchanged;
  rmSync(target, { recursive: true, force: true });
  cpSync(join(docs, 'dist'), target, { recursive: true });
  return undefined;
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

const COMPRESSIBLE = /\.(?:js|css|svg|html|wasm|json|txt)$/;
/** Smaller files gain nothing. */
const MIN_BYTES = 1024;
/** What every visit loads is packed as well as can be; the large charts and viewers 3 % less, in a tenth of the time. */
const SMALL_BYTES = 400_000;
const brotliQuality = (bytes: Buffer) => (bytes.length <= SMALL_BYTES ? 11 : 9);

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes `.br` and `.gz` beside every file worth it: the api sends those as they are, to browsers that take them. */
async function compressFolder(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      if (bytes.length < MIN_BYTES) return;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality(bytes),
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      const [brotli, gzipped] = await Promise.all([toBrotli(bytes, { params }), toGzip(bytes)]);
      writeFileSync(`${file}.br`, brotli);
      writeFileSync(`${file}.gz`, gzipped);
    }),
  );
}
