import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generatePrismaClient, installDependencies } from './install.mjs';
import { withLock } from './lock.mjs';
import { inRepository, unitcellHome } from './paths.mjs';
import { whenChanged } from './stamp.mjs';
import { UserError } from './user-error.mjs';

const dev = inRepository('tools');
const commands = join(dev, 'src', 'commands');
const dist = join(dev, 'dist');

/** @typedef {ReturnType<typeof import('./progress.mjs').createProgress>} Progress */

/**
 * Runs steps of the set-up; two commands started at once run them one after the other.
 * @param {Progress} progress
 * @param {readonly (readonly [title: string, work: () => Promise<string | void | undefined>])[]} steps
 */
export function setUp(progress, steps) {
  return withLock(
    join(unitcellHome(), 'setup.lock'),
    async () => {
      for (const [title, work] of steps) await progress.step(title, work);
    },
    { onWait: ({ pid }) => progress.say(`  …  Waiting for the set-up of process ${pid}`) },
  );
}

/**
 * Prepares what every command needs before it can use npm packages: dependencies, the generated database
 * client and the bundled tools. Each step is skipped when nothing changed.
 * @param {Progress} progress
 * @param {{ install?: boolean }} [options]
 */
export const bootstrap = (progress, { install = true } = {}) =>
  setUp(progress, [
    ...(install ? [/** @type {const} */ (['Installing dependencies', installDependencies])] : []),
    ['Generating the database client', generatePrismaClient],
    ['Bundling the tools', buildTools],
  ]);

/**
 * Bundles the tools, so that a start needs no compiler. `tools/lib` is not bundled, because it finds files
 * relative to its own location.
 */
const buildTools = () =>
  whenChanged(
    'tools',
    { inputs: [join(dev, 'src'), join(dev, 'lib')], outputs: [join(dist, 'site.js')] },
    async () => {
      /** @type {{ build: (options: object) => Promise<unknown> }} */
      const { build } = createRequire(join(dev, 'package.json'))('esbuild');
      rmSync(dist, { recursive: true, force: true });
      await build({
        entryPoints: [
          ...readdirSync(commands).map((name) => join(commands, name)),
          join(dev, 'src', 'site.ts'),
        ],
        entryNames: '[name]',
        outdir: dist,
        bundle: true,
        splitting: true,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        packages: 'external',
        logLevel: 'silent',
        plugins: [
          {
            name: 'bootstrap-outside',
            /** @param {{ onResolve: (what: { filter: RegExp }, answer: (found: { path: string, resolveDir: string }) => object) => void }} build */
            setup({ onResolve }) {
              onResolve({ filter: /^\..*\.mjs$/ }, ({ path, resolveDir }) => ({
                path: relative(dist, join(resolveDir, path)).replaceAll('\\', '/'),
                external: true,
              }));
            },
          },
        ],
      });
    },
  );

/**
 * Loads a tool, after `buildTools()`.
 * @param {string} name
 * @returns {Promise<{ main: (words: string[]) => Promise<void> }>}
 */
export async function loadTool(name) {
  if (!existsSync(join(commands, `${name}.ts`))) {
    const names = readdirSync(commands).map((file) => basename(file, '.ts'));
    throw new UserError(`There is no command "${name}". There are: ${names.join(', ')}`);
  }
  return import(pathToFileURL(join(dist, `${name}.js`)).href);
}

/** The second half of `npm start`, after the install. @returns {Promise<typeof import('../src/site.ts')>} */
export const loadSite = () => import(pathToFileURL(join(dist, 'site.js')).href);
