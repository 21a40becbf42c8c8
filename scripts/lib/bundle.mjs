import { readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { basename, join, relative } from 'node:path';
import { compressFolder } from './compress.mjs';
import { apiDist, inRepository, webDist } from './paths.mjs';
import { mustRun } from './run.mjs';
import { Sentence } from './sentence.mjs';
import { whenChanged } from './stamp.mjs';

const apiSource = inRepository('apps/api/src');
const ENTRIES = ['main.ts', 'worker.ts', 'cli.ts'];
const THREAD_ENTRY = /\.thread\.ts$/;

/** Entry files of worker threads, anywhere in the api: each becomes `dist/<name>.thread.js`. */
function threadEntries() {
  return readdirSync(apiSource, { recursive: true })
    .filter((name) => THREAD_ENTRY.test(name))
    .map((name) => join(apiSource, name));
}

/**
 * Our own packages are bundled. npm packages stay outside where the api can resolve them itself; those that only a package
 * of ours depends on are bundled too (strict installs hide them from the api).
 */
function workspaceOnly() {
  const requireFromApi = createRequire(inRepository('apps/api/package.json'));
  const external = (path) => {
    try {
      requireFromApi.resolve(path);
      return true;
    } catch (error) {
      // Resolved, but its exports offer nothing to `require`: an ESM-only package.
      return error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
    }
  };
  return {
    name: 'workspace-only',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path }) => {
        if (path.startsWith('@unitcell/')) return undefined;
        return isBuiltin(path) || external(path) ? { path, external: true } : undefined;
      });
      // In a package `import.meta.url` keeps naming the source file, so that it finds its own files and dependencies.
      build.onLoad({ filter: /packages[\\/][\w-]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!source.includes('import.meta.url')) return undefined;
        const fromDist = JSON.stringify(relative(apiDist, path).replaceAll('\\', '/'));
        return {
          contents: source.replaceAll('import.meta.url', `new URL(${fromDist}, import.meta.url).href`),
          loader: 'ts',
        };
      });
    },
  };
}

/** Bundles the three entry points of the api (and its worker threads) to apps/api/dist; development runs the sources. */
export function buildApi() {
  const entries = [...ENTRIES.map((name) => join(apiSource, name)), ...threadEntries()];
  return whenChanged(
    'api',
    {
      inputs: [
        apiSource,
        inRepository('apps/api/src/generated'),
        inRepository('packages'),
        inRepository('pnpm-lock.yaml'),
      ],
      extra: entries.map((path) => basename(path)),
      outputs: [join(apiDist, 'main.js')],
    },
    async () => {
      const { build } = await import('esbuild');
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
      await built.catch((error) => {
        throw new Sentence(`Building the api failed:\n${error.message}`);
      });
    },
  );
}

/** Builds the web client to apps/web/dist. */
export function buildWeb() {
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
