/** What only the command line does to an account: another number for somebody who lost theirs. */
import { MOBILE_PATTERN, normaliseMobile } from '@unitcell/contract';
import { accountRepository } from '../features/account/account.repository.ts';
import { writeAudit } from '../features/account/audit-log.ts';
import { BY_COMMAND } from '../features/operate/by.ts';
import { maskMobile } from '../infra/sms/sms-provider.ts';
import { accountOf, cliSessions } from './account-of.ts';
import { type CliContext, CommandFailed } from './cli-context.ts';

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
  const sessions = cliSessions(context);
  await context.database.db.transaction().execute(async (tx) => {
    const old = await accounts.lockMobile(tx, id);
    if (!(await accounts.moveToMobile(tx, id, mobile)))
      throw new CommandFailed(`${mobile} was just taken by another account; nothing was changed`);
    await sessions.revokeAll(id, null, tx);
    const detail = { from: old === null ? '' : maskMobile(old), to: maskMobile(mobile) };
    await writeAudit(tx, { ...BY_COMMAND, accountId: id, event: 'mobile-changed', detail });
  });
  context.print(`Account ${id} signs in with ${mobile} now; all its sessions have ended.`);
}
