/** `unitcell user invite`: a link that signs somebody in once; how a site without text messages gets its first people. */
import type { Command } from 'commander';
import { deriveKey } from '../config/config.ts';
import { accountRepository } from '../features/account/account.repository.ts';
import { writeAudit } from '../features/account/audit-log.ts';
import {
  HANDLE_LIFETIME_SECONDS,
  INVITED_BROWSER,
  signInHandles,
} from '../features/account/third-party/sign-in-handles.ts';
import { accountOf } from './account-of.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';
import { BY_OPERATOR } from './user-actions.ts';

const ROLES: Readonly<Record<string, number>> = { common: 1, internal: 2 };
const SECONDS_OF_HOUR = 3600;

interface Options {
  readonly name: string;
  readonly role?: string;
}

async function invite(
  context: CliContext,
  typed: string | undefined,
  { name, role }: Options,
): Promise<void> {
  const { config, database } = context;
  const userType = role === undefined ? null : ROLES[role];
  if (userType === undefined) throw new CommandFailed(`${role} is no role: expected common or internal`);
  const accounts = accountRepository(database);
  const id = typed === undefined ? null : await accountOf(context, typed);
  const accountId = await database.db.transaction().execute(async (tx) => {
    const invited = id ?? (await accounts.createNamed(name, 'user', tx));
    if (userType !== null) await accounts.setUserType(invited, userType, tx);
    await writeAudit(tx, {
      accountId: invited,
      event: 'invited',
      address: BY_OPERATOR,
      detail: { role: role ?? 'unchanged' },
    });
    return invited;
  });
  const handles = signInHandles(database, deriveKey(config, 'sign-in'));
  const handle = await handles.make('invite', { browser: INVITED_BROWSER, accountId, data: {} });
  context.remark(
    `Account ${accountId}. Whoever opens this link first is signed in to it; it is good for ${HANDLE_LIFETIME_SECONDS.invite / SECONDS_OF_HOUR} hours:`,
  );
  // Behind the #, which browsers send to nobody.
  context.print(`${config.publicUrl}/#invite=${handle}`);
}

export function addInviteCommand(user: Command): void {
  user
    .command('invite')
    .description('prints a link that signs in once: to a new account, or to one that is there')
    .argument('[account]', 'mobile number or UID; without it an account is made')
    .option('--name <name>', 'of the new account', '')
    .option('--role <role>', 'common or internal; a new account is common')
    .action((account: string | undefined, options: Options) =>
      withContext((context) => invite(context, account, options)),
    );
}
