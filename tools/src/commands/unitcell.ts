/** `npm run -s unitcell -- <command>`: the operator's tool. Only the command's own output goes to stdout. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setUp } from '../../lib/bootstrap.mjs';
import { livingHolder } from '../../lib/lock.mjs';
import { apiDist, siteLock, unitcellHome } from '../../lib/paths.mjs';
import { createProgress } from '../../lib/progress.mjs';
import { buildApi } from '../bundle.ts';
import { openDatabase, serviceEnvironment } from '../environment.ts';
import { deployMigrations } from '../migrations.ts';
import { serviceCommand } from '../service-unit.ts';

/** Runs the command in the caller's terminal and folder, and returns its exit code. */
function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((done, fail) => {
    const script = join(apiDist, 'cli.js');
    const child = spawn(process.execPath, ['--enable-source-maps', script, ...args], {
      env,
      stdio: 'inherit',
    });
    // Ctrl-C reaches the command directly; this process stays until it has finished, to leave the database in
    // order.
    for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('error', fail).on('close', (code) => done(code ?? 1));
  });
}

export async function main(typed: readonly string[]): Promise<void> {
  /** `--force` before the command is for this tool: an older version may use a newer database. */
  const force = typed[0] === '--force';
  const words = force ? typed.slice(1) : typed;
  if (words[0] === 'service') {
    process.stdout.write(serviceCommand(words.slice(1)));
    return;
  }
  await setUp(createProgress({ quiet: true }), [['Building the command line', buildApi]]);
  // `calculate` needs neither a database nor settings.
  if (words[0] === 'calculate') {
    if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
    process.exitCode = await runCommand(words, process.env);
    return;
  }
  const database = await openDatabase();
  try {
    await deployMigrations(database.url, { force });
    // Links that a command prints lead to the running site.
    const address = livingHolder(siteLock(unitcellHome()))?.address;
    const env = { ...(address && { PUBLIC_URL: address }), ...serviceEnvironment(database) };
    // npm changes to the repository root; paths in the arguments are relative to the caller's directory.
    if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
    process.exitCode = await runCommand(words, env);
  } finally {
    await database.release();
  }
}
