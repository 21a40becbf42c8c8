import { join } from 'node:path';
import { generatePrismaClient, installDependencies } from './install.mjs';
import { withLock } from './lock.mjs';
import { unitcellHome } from './paths.mjs';

/**
 * What every command needs before it can use npm packages: dependencies and the generated database client. Both are skipped
 * when nothing changed; two commands started at once take turns.
 * @param {ReturnType<import('./progress.mjs').createProgress>} progress
 * @param {(() => Promise<unknown>)[][]} [builds] further steps `[title, work]` to do under the same lock
 */
export function bootstrap(progress, builds = []) {
  const onWait = ({ pid }) => progress.say(`  …  Waiting for the set-up of process ${pid}`);
  const steps = [
    ['Installing dependencies', installDependencies],
    ['Generating the database client', generatePrismaClient],
    ...builds,
  ];
  return withLock(
    join(unitcellHome(), 'setup.lock'),
    async () => {
      for (const [title, work] of steps) await progress.step(title, work);
    },
    { onWait },
  );
}
