/** What the operator's commands share: configuration, database, and how they print. */
import { isElementSymbol } from '@unitcell/elements';
import { type Config, readConfig } from '../config/config.ts';
import { type Database, openDatabase } from '../infra/database.ts';
import { type JobQueue, openQueue } from '../infra/queue.ts';

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

/** Does work that the workers of the site may help with: they are called through the queue. */
export async function withHelpers<T>(
  { config, remark }: CliContext,
  work: (queue: JobQueue) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(config, (error) => remark(`no help from workers: ${error.message}`));
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** `Li-Fe-P-O`, also with blanks or commas. @throws CommandFailed naming what is no element */
export function readElements(text: string): readonly string[] {
  const symbols = text.split(/[\s,-]+/).filter((symbol) => symbol !== '');
  const unknown = symbols.find((symbol) => !isElementSymbol(symbol));
  if (unknown) throw new CommandFailed(`${unknown} is not an element symbol: write Li-Fe-P-O`);
  return symbols;
}
