/**
 * `npm run dev`: api and worker restart when their sources change, the web client reloads in the browser.
 * The api listens on PORT (3000), the web client on WEB_PORT (5173) and passes /api on to it.
 */
import { join } from 'node:path';
import { bootstrap } from './lib/bootstrap.mjs';
import { startChild } from './lib/children.mjs';
import { loadDotEnv, openDatabase, serviceEnvironment } from './lib/environment.mjs';
import { inRepository, unitcellHome } from './lib/paths.mjs';
import { checkPortFree, prepareHome, readPort } from './lib/preflight.mjs';
import { createProgress } from './lib/progress.mjs';
import { explain } from './lib/sentence.mjs';
import { onStopRequested } from './lib/stop-signals.mjs';

const children = [];
let database;
let stopping;

function stop(code) {
  stopping ??= (async () => {
    await Promise.all(children.map((child) => child.stop()));
    await database?.release();
    process.exit(code);
  })();
  return stopping;
}
onStopRequested(() => stop(0));

try {
  loadDotEnv();
  const home = unitcellHome();
  const port = readPort(process.env.PORT || undefined);
  const webPort = readPort(process.env.WEB_PORT || '5173');
  prepareHome(home);
  await checkPortFree(port, '127.0.0.1');
  const progress = createProgress();
  await bootstrap(progress);
  const { deployMigrations } = await import('../prisma/deploy.mjs');
  await progress.step('Starting PostgreSQL', async () => {
    database = await openDatabase();
    return database.note;
  });
  await progress.step('Migrating the database', async () => {
    await deployMigrations(database.url);
  });
  const env = {
    ...serviceEnvironment(database),
    NODE_ENV: 'development',
    PORT: String(port),
    UNITCELL_API: `http://127.0.0.1:${port}`,
  };
  const logDirectory = join(home, 'logs');
  const tsx = inRepository('node_modules/tsx/dist/cli.mjs');
  const api = inRepository('apps/api');
  const web = inRepository('apps/web');
  const vite = join(web, 'node_modules/vite/bin/vite.js');
  children.push(
    startChild({ name: 'api', script: tsx, args: ['watch', 'src/main.ts'], cwd: api, env, logDirectory }),
    startChild({
      name: 'worker',
      script: tsx,
      args: ['watch', 'src/worker.ts'],
      cwd: api,
      env,
      logDirectory,
    }),
    startChild({
      name: 'web',
      script: vite,
      args: ['--port', String(webPort), '--strictPort'],
      cwd: web,
      env,
      logDirectory,
    }),
  );
  progress.say(
    `\nWeb client with live reload: http://127.0.0.1:${webPort} (api: http://127.0.0.1:${port}). Stop with Ctrl-C.\n`,
  );
  const ended = await Promise.race(children.map((child) => child.exited));
  if (!stopping) {
    process.stderr.write(
      `${[`The ${ended.name} process ended (${ended.how}).`, ...ended.lastErrors].join('\n')}\n`,
    );
    await stop(1);
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  await stop(1);
}
