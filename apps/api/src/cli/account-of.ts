/** Finds the account an operator means: by phone number or by UID. */
import { MOBILE_PATTERN, normaliseMobile } from '@unitcell/contract/account';
import { ACCOUNT_ROLES, type AccountRole } from '@unitcell/contract/operate';
import { deriveKey } from '../config/config.ts';
import { accountRepository } from '../features/account/account.repository.ts';
import { type Sessions, sessions } from '../features/account/sessions.ts';
import { type CliContext, CommandFailed } from './cli-context.ts';

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
