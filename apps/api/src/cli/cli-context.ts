/** What the operator's commands share: configuration, database, and how they print. */
import { type Config, readConfig } from '../config/config.ts';
import { type Database, openDatabase } from '../infra/database.ts';

/** A command that could not do all it was asked; the message is for the operator. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

export interface CliContext {
  readonly config: Config;
  readonly database: Database;
  /** Results, on standard output. */
  print(line: string): void;
  /** Remarks and progress, on standard error, so that results can be piped. */
  remark(line: string): void;
}

/** Opens what a command needs, runs it, and closes everything again. */
export async function withContext<T>(work: (context: CliContext) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const remark = (line: string): void => void process.stderr.write(`${line}\n`);
  const database = openDatabase(config, (error) => remark(`database connection lost: ${error.message}`));
  try {
    return await work({ config, database, print: (line) => void process.stdout.write(`${line}\n`), remark });
  } finally {
    await database.close();
  }
}
