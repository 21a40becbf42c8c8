/**
 * `npm run -s unitcell -- <command>`: the operator's tool. Works beside a running server and without one; prints the command's
 * own output to stdout and everything else to stderr.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap } from './lib/bootstrap.mjs';
import { buildApi } from './lib/bundle.mjs';
import { loadDotEnv, openDatabase, serviceEnvironment } from './lib/environment.mjs';
import { apiDist, unitcellHome } from './lib/paths.mjs';
import { prepareHome } from './lib/preflight.mjs';
import { createProgress } from './lib/progress.mjs';
import { explain } from './lib/sentence.mjs';

/** Runs the command on the caller's terminal and working directory, and hands its exit code on. */
function runCommand(args, env) {
  return new Promise((done, fail) => {
    const script = join(apiDist, 'cli.js');
    const child = spawn(process.execPath, ['--enable-source-maps', script, ...args], {
      env,
      stdio: 'inherit',
    });
    // Ctrl-C reaches the command directly; we stay until it has finished, to leave the database in order.
    for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('error', fail).on('close', (code) => done(code ?? 1));
  });
}

// npm changes to the repository root; paths in the arguments are meant from where the command was typed.
const typedIn = process.env.INIT_CWD;
try {
  loadDotEnv();
  prepareHome(unitcellHome());
  const progress = createProgress({ quiet: true });
  await bootstrap(progress, [['Building the command line', buildApi]]);
  const { deployMigrations } = await import('../prisma/deploy.mjs');
  const database = await openDatabase();
  try {
    await deployMigrations(database.url);
    const env = serviceEnvironment(database);
    if (typedIn) process.chdir(typedIn);
    process.exitCode = await runCommand(process.argv.slice(2), env);
  } finally {
    await database.release();
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
