/** `unitcell user …`: who has an account, what it may do, and ending its sessions. */
import type { Command } from 'commander';
import { accountRepository } from '../features/account/account.repository.ts';
import { writeAudit } from '../features/account/audit-log.ts';
import { maskMobile } from '../infra/sms/sms-provider.ts';
import { accountOf, cliSessions } from './account-of.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';
import { addInviteCommand } from './invite-command.ts';
import { BY_OPERATOR, block, changeMobile, remove, resetSecondFactor, unblock } from './user-actions.ts';

const ROLES: Readonly<Record<string, number>> = { common: 1, internal: 2 };
const LIST_LIMIT = 500;

const day = (date: Date | null): string => date?.toISOString().slice(0, 10) ?? '-';

async function list(
  { database, print }: CliContext,
  like: string | null,
  { json = false, full = false }: { readonly json?: boolean; readonly full?: boolean },
): Promise<void> {
  const found = await accountRepository(database).list(like, LIST_LIMIT);
  const shown = found.map((account) => ({
    ...account,
    mobile: account.mobile === null || full ? account.mobile : maskMobile(account.mobile),
  }));
  if (json) print(JSON.stringify(shown));
  else
    for (const { id, mobile, userType, name, username, createdAt, lastUsedAt, blockedAt } of shown)
      print(
        [
          id,
          mobile ?? '-',
          userType === 1 ? 'common' : 'internal',
          name || username,
          day(createdAt),
          day(lastUsedAt),
          ...(blockedAt === null ? [] : ['blocked']),
        ].join('\t'),
      );
}

async function setRole(context: CliContext, typed: string, role: string): Promise<void> {
  const userType = ROLES[role] ?? (/^\d{1,4}$/.test(role) ? Number(role) : null);
  if (userType === null) throw new CommandFailed(`${role} is no role: expected common, internal or a number`);
  const id = await accountOf(context, typed);
  const before = await accountRepository(context.database).setUserType(id, userType);
  await writeAudit(context.database.db, {
    accountId: id,
    event: 'role-changed',
    address: BY_OPERATOR,
    detail: { from: before ?? 0, to: userType },
  });
  await cliSessions(context).announce(id);
  context.print(`Account ${id} is ${userType === 1 ? 'a common' : 'an internal'} user now.`);
}

async function logOut(context: CliContext, typed: string): Promise<void> {
  const id = await accountOf(context, typed);
  await cliSessions(context).revokeAll(id);
  await writeAudit(context.database.db, {
    accountId: id,
    event: 'logout-everywhere',
    address: BY_OPERATOR,
  });
  context.print(`Account ${id} is signed out everywhere.`);
}

export function addUserCommand(program: Command): void {
  const user = program
    .command('user')
    .description('accounts: list, invite, role, log-out, block, delete, change of number');
  user
    .command('list')
    .description('UID, number, role, name, made, last used; the newest 500')
    .argument('[text]', 'part of a name or number')
    .option('--json', 'for programs')
    .option('--full', 'whole phone numbers')
    .action((text: string | undefined, options: { json?: boolean; full?: boolean }) =>
      withContext((context) => list(context, text ?? null, options)),
    );
  user
    .command('role')
    .description('makes an account common or internal, at once in all its sessions')
    .argument('<account>', 'mobile number or UID')
    .argument('<role>', 'common, internal, or the number of a type')
    .action((account: string, role: string) => withContext((context) => setRole(context, account, role)));
  user
    .command('log-out')
    .description('ends all sessions of an account')
    .argument('<account>', 'mobile number or UID')
    .action((account: string) => withContext((context) => logOut(context, account)));
  user
    .command('block')
    .description('ends all sessions of an account and lets nobody in until it is unblocked')
    .argument('<account>', 'mobile number or UID')
    .action((account: string) => withContext((context) => block(context, account)));
  user
    .command('unblock')
    .description('lets a blocked account in again')
    .argument('<account>', 'mobile number or UID')
    .action((account: string) => withContext((context) => unblock(context, account)));
  user
    .command('delete')
    .description('erases what is personal of an account, as its owner could')
    .argument('<account>', 'mobile number or UID')
    .option('--yes', 'there is no way back')
    .action((account: string, { yes = false }: { yes?: boolean }) =>
      withContext((context) => remove(context, account, yes)),
    );
  user
    .command('change-mobile')
    .description('another number for somebody who lost theirs; check the person first')
    .argument('<account>', 'mobile number or UID')
    .argument('<number>', 'the new number')
    .action((account: string, number: string) =>
      withContext((context) => changeMobile(context, account, number)),
    );
  user
    .command('reset-second-factor')
    .description('for somebody who lost authenticator and recovery codes; check the person first')
    .argument('<account>', 'mobile number or UID')
    .action((account: string) => withContext((context) => resetSecondFactor(context, account)));
  addInviteCommand(user);
}
