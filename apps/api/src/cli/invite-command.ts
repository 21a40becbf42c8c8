/** `unitcell user invite`: a link that signs somebody in once; how a site gets its first administrator and its first people. */
import type { Command } from 'commander';
import { BY_COMMAND } from '../features/operate/by.ts';
import { operatedAccounts } from '../features/operate/operate.feature.ts';
import { accountOf } from './account-of.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';
import { isRole } from './role-of.ts';

interface Options {
  readonly name: string;
  readonly role?: string;
  readonly administrator?: boolean;
}

async function invite(
  context: CliContext,
  typed: string | undefined,
  { name, role, administrator = false }: Options,
): Promise<void> {
  const wanted: string | null = administrator ? 'administrator' : (role ?? null);
  if (wanted !== null && !isRole(wanted))
    throw new CommandFailed(`${wanted} is no role: expected common, internal or administrator`);
  const { people } = operatedAccounts(context.config, context.database);
  const invitation = {
    id: typed === undefined ? null : await accountOf(context, typed),
    name,
    role: wanted,
  };
  const { id, link, hours } = await people.invite(BY_COMMAND, invitation);
  context.remark(
    `Account ${id}. Whoever opens this link first is signed in to it; it is good for ${hours} hours:`,
  );
  context.print(link);
}

export function addInviteCommand(user: Command): void {
  user
    .command('invite')
    .description('prints a link that signs in once: to a new account, or to one that is there')
    .argument('[account]', 'mobile number or UID; without it an account is made')
    .option('--name <name>', 'of the new account', '')
    .option('--role <role>', 'common, internal or administrator; a new account is common')
    .option('--administrator', 'the same as --role administrator: for the page /operate')
    .action((account: string | undefined, options: Options) =>
      withContext((context) => invite(context, account, options)),
    );
}
