/** What an operator does to an account; each is written to the audit log. */
import { join } from 'node:path';
import { MOBILE_PATTERN, normaliseMobile } from '@unitcell/contract';
import { deriveKey } from '../config/config.ts';
import { accountRepository } from '../features/account/account.repository.ts';
import { type AuditEvent, writeAudit } from '../features/account/audit-log.ts';
import { avatars } from '../features/account/avatars.service.ts';
import { deleteAccount } from '../features/account/delete-account.ts';
import { removeFactor } from '../features/account/second-factor/second-factor.repository.ts';
import type { Db } from '../infra/database.ts';
import { maskMobile } from '../infra/sms/sms-provider.ts';
import { accountOf, cliSessions } from './account-of.ts';
import { type CliContext, CommandFailed } from './cli-context.ts';

export const BY_OPERATOR = 'command line';

/** Does `work`, ends all sessions and writes `event`, or none of it. */
async function endingSessions(
  context: CliContext,
  accountId: number,
  event: AuditEvent,
  work: (tx: Db) => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const sessions = cliSessions(context);
  await context.database.db.transaction().execute(async (tx) => {
    const detail = await work(tx);
    await sessions.revokeAll(accountId, null, tx);
    await writeAudit(tx, { accountId, event, address: BY_OPERATOR, detail });
  });
}

export async function block(context: CliContext, typed: string): Promise<void> {
  const id = await accountOf(context, typed);
  await endingSessions(context, id, 'account-blocked', async (tx) => {
    if (!(await accountRepository(context.database).setBlocked(tx, id, true)))
      throw new CommandFailed(`Account ${id} is blocked already.`);
    return {};
  });
  context.print(`Account ${id} is blocked: it is signed out everywhere, and its keys open nothing.`);
}

export async function unblock(context: CliContext, typed: string): Promise<void> {
  const id = await accountOf(context, typed);
  await context.database.db.transaction().execute(async (tx) => {
    if (!(await accountRepository(context.database).setBlocked(tx, id, false)))
      throw new CommandFailed(`Account ${id} is not blocked.`);
    await writeAudit(tx, { accountId: id, event: 'account-unblocked', address: BY_OPERATOR });
  });
  context.print(`Account ${id} may sign in again.`);
}

export async function remove(context: CliContext, typed: string, isSure: boolean): Promise<void> {
  const { config, database } = context;
  const id = await accountOf(context, typed);
  if (!isSure)
    throw new CommandFailed(
      `This erases what is personal of account ${id} for good. Say --yes if that is what you want.`,
    );
  await deleteAccount(
    {
      database,
      accounts: accountRepository(database),
      avatars: avatars({
        directory: join(config.home, 'avatars'),
        sealKey: deriveKey(config, 'avatar'),
        limits: config.limits,
      }),
      sessions: cliSessions(context),
    },
    id,
    BY_OPERATOR,
  );
  context.print(`Account ${id} is deleted; its number is free again.`);
}

/** For who has lost the number and with it the way to change it. */
export async function changeMobile(context: CliContext, typed: string, typedNew: string): Promise<void> {
  const accounts = accountRepository(context.database);
  const id = await accountOf(context, typed);
  const mobile = normaliseMobile(typedNew);
  if (!MOBILE_PATTERN.test(mobile))
    throw new CommandFailed(`${typedNew} is not a mainland mobile number: expected eleven digits`);
  const holder = await accounts.idByMobile(mobile);
  if (holder !== null)
    throw new CommandFailed(
      `${mobile} is the number of account ${holder}${holder === id ? ' already' : ''}; nothing was changed`,
    );
  await endingSessions(context, id, 'mobile-changed', async (tx) => {
    const old = await accounts.lockMobile(tx, id);
    if (!(await accounts.moveToMobile(tx, id, mobile)))
      throw new CommandFailed(`${mobile} was just taken by another account; nothing was changed`);
    return { from: old === null ? '' : maskMobile(old), to: maskMobile(mobile) };
  });
  context.print(`Account ${id} signs in with ${mobile} now; all its sessions have ended.`);
}

/** For who has lost authenticator and recovery codes. */
export async function resetSecondFactor(context: CliContext, typed: string): Promise<void> {
  const id = await accountOf(context, typed);
  await endingSessions(context, id, 'second-factor-removed', async (tx) => {
    if (!(await removeFactor(tx, id))) throw new CommandFailed(`Account ${id} has no second factor.`);
    return {};
  });
  context.print(`Account ${id} signs in without a second factor now; all its sessions have ended.`);
}
