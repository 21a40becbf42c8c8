/** The operator's command as `npm run unitcell` runs it: the built program, in a process of its own. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { builtProgram } from '@unitcell/tools/bundle';
import type { Config } from '../config/config.ts';

const run = promisify(execFile);

/** @returns what it printed. @throws when it ends with another status than 0; the message has its words */
export async function runUnitcell(
  { databaseUrl, jwtSecret, home }: Pick<Config, 'databaseUrl' | 'jwtSecret' | 'home'>,
  words: readonly string[],
): Promise<string> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, JWT_SECRET: jwtSecret, UNITCELL_HOME: home };
  const { stdout } = await run(process.execPath, [builtProgram('cli'), ...words], { env });
  return stdout.trim();
}
