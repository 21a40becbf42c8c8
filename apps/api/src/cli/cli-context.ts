/** What the operator's commands share: configuration, database, and how they print. */
import { MOBILE_PATTERN, normaliseMobile } from '@unitcell/contract/account';
import { ACCOUNT_ROLES, type AccountRole } from '@unitcell/contract/operate';
import { isElementSymbol } from '@unitcell/elements';
import { type Config, deriveKey, readConfig } from '../config/config.ts';
import { accountRepository } from '../features/account/account.repository.ts';
import { type Sessions, sessions } from '../features/account/sessions.ts';
import { type Database, openDatabase } from '../infra/database.ts';
import { type JobQueue, openQueue } from '../infra/queue.ts';

// Finds the account an operator means: by phone number or by UID.

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

/** Sessions for commands: they end and announce, and never listen. */
export const cliSessions = ({ config, database }: CliContext): Sessions =>
  sessions({
    database,
    databaseUrl: config.databaseUrl,
    signingKey: deriveKey(config, 'session'),
    onError: () => undefined,
  });

// ── Roles as an operator types them ──

export const isRole = (typed: string): typed is AccountRole => ACCOUNT_ROLES.some((role) => role === typed);

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
