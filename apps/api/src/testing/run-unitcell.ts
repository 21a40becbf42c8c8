/**
 * Runs the operator's commands in the test's process (fast), or in a separate process as `npm run unitcell`
 * does.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtProgram } from '@unitcell/tools/bundle';
import type { Command } from 'commander';
import { vi } from 'vitest';
import { failureText, unitcellProgram } from '../cli/program.ts';
import type { Config } from '../config/config.ts';

const run = promisify(execFile);

type CommandConfig = Pick<Config, 'databaseUrl' | 'jwtSecret' | 'home'>;

const environmentOf = ({ databaseUrl, jwtSecret, home }: CommandConfig) => ({
  DATABASE_URL: databaseUrl,
  JWT_SECRET: jwtSecret,
  UNITCELL_HOME: home,
});

/** Commander exits the process on invalid arguments; in a test it throws. */
function throwInsteadOfExit(command: Command): Command {
  command.exitOverride();
  command.commands.forEach(throwInsteadOfExit);
  return command;
}

/**
 * Runs only one command at a time per file, because commands share standard output and environment of the process.
 * @returns what the command printed.
 * @throws when the exit status is not 0; the message is the standard error, `stdout` the earlier output
 */
export async function runUnitcell(config: CommandConfig, words: readonly string[]): Promise<string> {
  const printed = { stdout: '', stderr: '' };
  const streams = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      printed[name] += String(chunk);
      return true;
    }),
  );
  const environment = environmentOf(config);
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, environment);
  let hasFailed = false;
  try {
    await throwInsteadOfExit(await unitcellProgram(words[0])).parseAsync([...words], { from: 'user' });
    hasFailed = Boolean(process.exitCode);
  } catch (error) {
    hasFailed = true;
    printed.stderr += failureText(error);
  } finally {
    process.exitCode = undefined;
    for (const stream of streams) stream.mockRestore();
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
  if (hasFailed) throw Object.assign(new Error(printed.stderr), { stdout: printed.stdout });
  return printed.stdout.trim();
}

/** Runs the built program in a separate process. @returns what it printed. @throws as `runUnitcell` */
export async function spawnUnitcell(config: CommandConfig, words: readonly string[]): Promise<string> {
  const env = { ...process.env, ...environmentOf(config) };
  const { stdout } = await run(process.execPath, [builtProgram('cli'), ...words], { env });
  return stdout.trim();
}
