/** Configuration, database and output shared by the operator's commands. */
import { MOBILE_PATTERN, normaliseMobile } from '@unitcell/contract/account';
import { ACCOUNT_ROLES, type AccountRole } from '@unitcell/contract/operate';
import { isElementSymbol } from '@unitcell/elements';
import type { CatalogueReport } from '../catalogue/derive/rederive-catalogue.ts';
import { type Config, deriveKey, readConfig } from '../config/config.ts';
import { accountRepository } from '../features/account/account.repository.ts';
import { type Sessions, sessions } from '../features/account/sessions.ts';
import { type Database, openDatabase } from '../infra/database.ts';
import { type JobQueue, openQueue } from '../infra/queue.ts';
import { CommandFailed } from './command-failed.ts';

// Finds an account by phone number or UID.

/** @throws CommandFailed when there is no such account */
export async function accountOf({ database }: CliContext, typed: string): Promise<number> {
  const accounts = accountRepository(database);
  const mobile = normaliseMobile(typed);
  const byMobile = MOBILE_PATTERN.test(mobile) ? await accounts.idByMobile(mobile) : null;
  if (byMobile !== null) return byMobile;
  const uid = /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : null;
  const byUid = uid === null ? null : await accounts.profile(uid);
  if (byUid) return byUid.id;
  throw new CommandFailed(
    `There is no account ${typed}: expected a mobile number or a UID (see: unitcell user list)`,
  );
}

/**
 * Session service for commands: it ends sessions and notifies other processes, but does not listen to
 * notifications.
 */
export const cliSessions = ({ config, database }: CliContext): Sessions =>
  sessions({
    database,
    databaseUrl: config.databaseUrl,
    signingKey: deriveKey(config, 'session'),
    onError: () => undefined,
  });

// ── Role names as typed by the operator ──

export const isRole = (typed: string): typed is AccountRole => ACCOUNT_ROLES.some((role) => role === typed);

export interface CliContext {
  readonly config: Config;
  readonly database: Database;
  /** Prints results to standard output. */
  print(line: string): void;
  /** Prints remarks and progress to standard error, so that results can be piped. */
  remark(line: string): void;
}

/** Opens the resources of a command, runs it, and closes everything. */
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

/** Runs work that the site's workers may share. They are notified through the queue. */
export async function withQueue<T>(
  { config, remark }: CliContext,
  work: (queue: JobQueue) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(config, (error) => remark(`workers are not available: ${error.message}`));
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** @param derived null: another process is deriving */
export function printDerived({ remark }: CliContext, derived: CatalogueReport | null): void {
  if (derived === null)
    remark('another process is computing the hulls; a worker will process these systems afterwards');
  for (const { functional, systems, materials } of derived?.hulls ?? [])
    remark(`hulls (${functional}): ${systems} chemical systems, ${materials} materials`);
  for (const { functional, systems, windows } of derived?.windows ?? [])
    remark(`windows (${functional}): ${systems} chemical systems, ${windows} windows`);
}

/** Reads `Li-Fe-P-O`, also separated by blanks or commas. @throws CommandFailed naming an unknown element */
export function readElements(text: string): readonly string[] {
  const symbols = text.split(/[\s,-]+/).filter((symbol) => symbol !== '');
  const unknown = symbols.find((symbol) => !isElementSymbol(symbol));
  if (unknown) throw new CommandFailed(`${unknown} is not an element symbol: write Li-Fe-P-O`);
  return symbols;
}
