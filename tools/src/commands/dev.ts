/**
 * `npm run dev`: api and worker restart when their sources change, the web client reloads in the browser. The
 * api listens on PORT (3000), the web client on WEB_PORT (5173) and forwards /api to it.
 */
import { join } from 'node:path';
import { inRepository, unitcellHome } from '../../lib/paths.mjs';
import { checkPortFree, readPort } from '../../lib/preflight.mjs';
import { createProgress } from '../../lib/progress.mjs';
import { explain } from '../../lib/user-error.mjs';
import { onStopRequested } from '../../lib/run.mjs';
import { type Child, startChild } from '../children.ts';
import { type OpenDatabase, openDatabase, serviceEnvironment } from '../environment.ts';
import { deployMigrations } from '../migrations.ts';

const children: Child[] = [];
let database: OpenDatabase | undefined;
let stopping: Promise<never> | undefined;

function stop(code: number): Promise<never> {
  stopping ??= (async () => {
    await Promise.all(children.map((child) => child.stop()));
    await database?.release();
    return process.exit(code);
  })();
  return stopping;
}

async function start(): Promise<void> {
  const port = readPort(process.env.PORT || undefined);
  const webPort = readPort(process.env.WEB_PORT || '5173');
  await checkPortFree(port, '127.0.0.1');
  const progress = createProgress();
  const opened = await progress.step('Starting PostgreSQL', () => openDatabase());
  database = opened;
  await progress.step('Migrating the database', () => deployMigrations(opened.url));
  const env = {
    ...serviceEnvironment(opened),
    NODE_ENV: 'development',
    PORT: String(port),
    UNITCELL_API: `http://127.0.0.1:${port}`,
  };
  const logDirectory = join(unitcellHome(), 'logs');
  const run = (name: string, folder: string, script: string, args: readonly string[]) =>
    startChild({ name, script: inRepository(script), args, cwd: inRepository(folder), env, logDirectory });
  const tsx = 'node_modules/tsx/dist/cli.mjs';
  const vite = 'apps/web/node_modules/vite/bin/vite.js';
  children.push(
    run('api', 'apps/api', tsx, ['watch', 'src/main.ts']),
    run('worker', 'apps/api', tsx, ['watch', 'src/worker.ts']),
    run('web', 'apps/web', vite, ['--port', String(webPort), '--strictPort']),
  );
  progress.say(
    `\nWeb client with live reload: http://127.0.0.1:${webPort} (api: http://127.0.0.1:${port}). Stop with Ctrl-C.\n`,
  );
}

export async function main(): Promise<void> {
  onStopRequested(() => void stop(0));
  try {
    await start();
    const ended = await Promise.race(children.map((child) => child.exited));
    if (stopping) return;
    const lines = [`The ${ended.name} process ended (${ended.how}).`, ...ended.lastErrors];
    process.stderr.write(`${lines.join('\n')}\n`);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
  }
  await stop(1);
}
