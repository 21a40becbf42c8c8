/** `unitcell user …`: lists accounts, changes their rights, and ends their sessions. */
import { MOBILE_PATTERN, normaliseMobile } from '@unitcell/contract/account';
import { MAX_DAILY_LIMIT } from '@unitcell/contract/operate';
import type { Command } from 'commander';
import { accountRepository } from '../features/account/account.repository.ts';
import { BY_COMMAND, writeAudit } from '../features/account/audit-log.ts';
import { operatedAccounts } from '../features/operate/operate.feature.ts';
import type { People } from '../features/operate/people.ts';
import { roleOf } from '../features/operate/people-list.ts';
import { maskMobile } from '../infra/sms.ts';
import { accountOf, type CliContext, cliSessions, isRole, withContext } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';

const LIST_LIMIT = 500;
const ACCOUNT = 'mobile number or UID';

const day = (date: Date | null): string => date?.toISOString().slice(0, 10) ?? '-';
const peopleOf = ({ config, database }: CliContext): People => operatedAccounts(config, database).people;

async function list(
  context: CliContext,
  search: string,
  { json = false, full = false }: { readonly json?: boolean; readonly full?: boolean },
): Promise<void> {
  const filter = { search, role: null, onlyBlocked: false, before: null, limit: LIST_LIMIT };
  const shown = (await peopleOf(context).listed.list(filter)).map((account) => ({
    ...account,
    mobile: account.mobile === null || full ? account.mobile : maskMobile(account.mobile),
  }));
  if (json) context.print(JSON.stringify(shown));
  else
    for (const account of shown)
      context.print(
        [
          account.id,
          account.mobile ?? '-',
          roleOf(account),
          account.name || account.username,
          day(account.createdAt),
          day(account.lastUsedAt),
          ...(account.blockedAt === null ? [] : ['blocked']),
        ].join('\t'),
      );
}

async function setRole(context: CliContext, typed: string, role: string): Promise<void> {
  const wanted = isRole(role) ? role : /^\d{1,4}$/.test(role) ? Number(role) : null;
  if (wanted === null)
    throw new CommandFailed(`${role} is not a role: expected common, internal, administrator or a number`);
  const id = await accountOf(context, typed);
  const is = roleOf(await peopleOf(context).setRole(BY_COMMAND, id, wanted));
  context.print(
    `Account ${id} is now ${is === 'common' ? 'a common user' : is === 'internal' ? 'an internal user' : 'an administrator'}.`,
  );
}

async function setQuota(context: CliContext, typed: string, limit: string): Promise<void> {
  const wanted = limit === 'default' ? null : /^\d{1,4}$/.test(limit) ? Number(limit) : Number.NaN;
  if (wanted !== null && !(wanted <= MAX_DAILY_LIMIT))
    throw new CommandFailed(`${limit}: expected submissions a day, 0 to ${MAX_DAILY_LIMIT}, or default`);
  const id = await accountOf(context, typed);
  await peopleOf(context).setQuota(BY_COMMAND, id, wanted);
  context.print(
    `Account ${id} may now submit ${wanted === null ? 'the default number of structures a day' : `${wanted} structures a day`}.`,
  );
}

async function remove(context: CliContext, typed: string, isSure: boolean): Promise<void> {
  const id = await accountOf(context, typed);
  if (!isSure)
    throw new CommandFailed(
      `This permanently erases the personal data of account ${id}. Add --yes to confirm.`,
    );
  await peopleOf(context).remove(BY_COMMAND, id);
  context.print(`Account ${id} was deleted; its number is free again.`);
}

interface Act {
  readonly name: string;
  readonly description: string;
  readonly work: (people: People, id: number) => Promise<void>;
  readonly said: (id: number) => string;
}

/** Commands that change one account and report the change. */
const ACTS: readonly Act[] = [
  {
    name: 'log-out',
    description: 'end all sessions of an account',
    work: (people, id) => people.endSessions(BY_COMMAND, id),
    said: (id) => `Account ${id} is signed out everywhere.`,
  },
  {
    name: 'block',
    description: 'end all sessions of an account and refuse sign-ins until it is unblocked',
    work: (people, id) => people.block(BY_COMMAND, id),
    said: (id) => `Account ${id} is blocked: it was signed out everywhere, and its API keys no longer work.`,
  },
  {
    name: 'unblock',
    description: 'unblock an account',
    work: (people, id) => people.unblock(BY_COMMAND, id),
    said: (id) => `Account ${id} can sign in again.`,
  },
  {
    name: 'reset-second-factor',
    description: 'remove the second factor of a person who lost it; verify the person first',
    work: (people, id) => people.resetSecondFactor(BY_COMMAND, id),
    said: (id) => `Account ${id} now signs in without a second factor; all its sessions were ended.`,
  },
];

export function addUserCommand(program: Command): void {
  const user = program
    .command('user')
    .description('list, invite, block and delete accounts; change roles, quotas and numbers; end sessions');
  user
    .command('list')
    .description('list the newest 500 accounts: UID, number, role, name, created, last used')
    .argument('[text]', 'part of a name, a whole number, or a UID')
    .option('--json', 'machine-readable output')
    .option('--full', 'print complete phone numbers')
    .action((text: string | undefined, options: { json?: boolean; full?: boolean }) =>
      withContext((context) => list(context, text ?? '', options)),
    );
  user
    .command('role')
    .description('change the role of an account, effective immediately in all sessions')
    .argument('<account>', ACCOUNT)
    .argument('<role>', 'common, internal, administrator, or a type number')
    .action((account: string, role: string) => withContext((context) => setRole(context, account, role)));
  user
    .command('quota')
    .description('set the Run4U submissions per day of an account')
    .argument('<account>', ACCOUNT)
    .argument('<limit>', 'a number, or default: the limit of the site')
    .action((account: string, limit: string) => withContext((context) => setQuota(context, account, limit)));
  user
    .command('delete')
    .description('delete an account and its personal data, as its owner can')
    .argument('<account>', ACCOUNT)
    .option('--yes', 'confirm; this cannot be undone')
    .action((account: string, { yes = false }: { yes?: boolean }) =>
      withContext((context) => remove(context, account, yes)),
    );
  user
    .command('change-mobile')
    .description('change the number of a person who lost theirs; verify the person first')
    .argument('<account>', ACCOUNT)
    .argument('<number>', 'the new number')
    .action((account: string, number: string) =>
      withContext((context) => changeMobile(context, account, number)),
    );
  for (const { name, description, work, said } of ACTS)
    user
      .command(name)
      .description(description)
      .argument('<account>', ACCOUNT)
      .action((typed: string) =>
        withContext(async (context) => {
          const id = await accountOf(context, typed);
          await work(peopleOf(context), id);
          context.print(said(id));
        }),
      );
  addInviteCommand(user);
}

// ── Change of an account's number, which is possible only on the command line ──

/** For people who have lost their number and therefore cannot change it themselves. */
async function changeMobile(context: CliContext, typed: string, typedNew: string): Promise<void> {
  const accounts = accountRepository(context.database);
  const id = await accountOf(context, typed);
  const mobile = normaliseMobile(typedNew);
  if (!MOBILE_PATTERN.test(mobile))
    throw new CommandFailed(`${typedNew} is not a mainland mobile number: expected eleven digits`);
  const holder = await accounts.idByMobile(mobile);
  if (holder !== null)
    throw new CommandFailed(
      `${mobile} ${holder === id ? 'already belongs' : 'belongs'} to account ${holder}; nothing was changed`,
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
  context.print(`Account ${id} now signs in with ${mobile}; all its sessions were ended.`);
}

// `unitcell user invite`: a link that signs a person in once, for the first administrator and users of a site.

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
    throw new CommandFailed(`${wanted} is not a role: expected common, internal or administrator`);
  const { people } = operatedAccounts(context.config, context.database);
  const invitation = {
    id: typed === undefined ? null : await accountOf(context, typed),
    name,
    role: wanted,
  };
  const { id, link, hours } = await people.invite(BY_COMMAND, invitation);
  context.remark(
    `Account ${id}. The first person to open this link is signed in; it is valid for ${hours} hours:`,
  );
  context.print(link);
}

function addInviteCommand(user: Command): void {
  user
    .command('invite')
    .description('print a link that signs in once, to a new or an existing account')
    .argument('[account]', 'mobile number or UID; default: create an account')
    .option('--name <name>', 'name of the new account', '')
    .option('--role <role>', 'common, internal or administrator; default for new accounts: common')
    .option('--administrator', 'same as --role administrator, for the page /operate')
    .action((account: string | undefined, options: Options) =>
      withContext((context) => invite(context, account, options)),
    );
}
