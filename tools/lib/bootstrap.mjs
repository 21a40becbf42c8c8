import { join } from 'node:path';
import { generatePrismaClient, installDependencies } from './install.mjs';
import { withLock } from './lock.mjs';
import { unitcellHome } from './paths.mjs';
import { buildTools } from './tools.mjs';

/** @typedef {ReturnType<typeof import('./progress.mjs').createProgress>} Progress */

/**
 * Runs steps of the set-up; two commands started at once take turns.
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
 * What every command needs before it can use npm packages: dependencies, the generated database client and the bundled tools.
 * Each is skipped when nothing changed.
 * @param {Progress} progress
 * @param {{ install?: boolean }} [options]
 */
export const bootstrap = (progress, { install = true } = {}) =>
  setUp(progress, [
    ...(install ? [/** @type {const} */ (['Installing dependencies', installDependencies])] : []),
    ['Generating the database client', generatePrismaClient],
    ['Bundling the tools', buildTools],
  ]);
