/** `unitcell api-key …`: keys for programs; `unitcell token`: a login token of an account. */
import { MOBILE_PATTERN, normaliseMobile } from '@unitcell/contract/account';
import type { Command } from 'commander';
import { deriveKey } from '../config/config.ts';
import { accountRepository } from '../features/account/account.repository.ts';
import {
  API_KEY_SCOPES,
  apiKeys,
  DEFAULT_CALLS_PER_MINUTE,
  stateOfKey,
} from '../features/account/api-keys.ts';
import { BY_COMMAND, writeAudit } from '../features/account/audit-log.ts';
import { sessions } from '../features/account/sessions.ts';
import { operatedAccounts } from '../features/operate/operate.feature.ts';
import { revokeKey } from '../features/operate/site.ts';
import { maskMobile } from '../infra/sms.ts';
import { AppError } from '../messages/app-error.ts';
import { type CliContext, withContext } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';

const DAY_MILLISECONDS = 86_400_000;
const MAX_DAYS = 1096;
const MAX_CALLS_PER_MINUTE = 10_000;

interface CreateOptions {
  readonly for: string;
  readonly scopes: string;
  readonly expires: string;
  readonly rate: string;
}

/** Reads `90d` (from now), or a date at whose end (UTC) the key expires. @throws CommandFailed */
function expiryOf(typed: string, now: number): Date {
  const days = /^(\d{1,4})d$/.exec(typed)?.[1];
  const date = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? Date.parse(`${typed}T23:59:59Z`) : Number.NaN;
  const time = days === undefined ? date : now + Number(days) * DAY_MILLISECONDS;
  if (!(time > now) || time > now + MAX_DAYS * DAY_MILLISECONDS)
    throw new CommandFailed(
      `invalid --expires ${typed}: expected 90d or 2027-06-30, in the future and within three years`,
    );
  return new Date(time);
}

function scopesOf(typed: string): string[] {
  const scopes = [...new Set(typed.split(',').map((scope) => scope.trim()))].filter((scope) => scope !== '');
  const unknown = scopes.filter((scope) => !API_KEY_SCOPES.includes(scope));
  if (scopes.length === 0 || unknown.length > 0)
    throw new CommandFailed(`--scopes ${typed}: expected some of ${API_KEY_SCOPES.join(', ')}`);
  return scopes;
}

function rateOf(typed: string): number {
  const rate = Number(typed);
  if (!Number.isInteger(rate) || rate < 1 || rate > MAX_CALLS_PER_MINUTE)
    throw new CommandFailed(`--rate ${typed}: expected calls per minute, 1 to ${MAX_CALLS_PER_MINUTE}`);
  return rate;
}

async function create({ database, print, remark }: CliContext, options: CreateOptions): Promise<void> {
  const scopes = scopesOf(options.scopes);
  const expiresAt = expiryOf(options.expires, Date.now());
  const ratePerMinute = rateOf(options.rate);
  const owner = options.for.trim().slice(0, 100);
  if (owner === '')
    throw new CommandFailed('--for is empty: expected a mobile number or the name of a collaborator');
  const accounts = accountRepository(database);
  const mobile = normaliseMobile(owner);
  const isMobile = MOBILE_PATTERN.test(mobile);
  const accountId = isMobile
    ? (await accounts.createForMobile(mobile)).id
    : await accounts.createNamed(owner);
  const label = isMobile ? maskMobile(mobile) : owner;
  const { id, key } = await apiKeys(database).create({ accountId, label, scopes, expiresAt, ratePerMinute });
  await writeAudit(database.db, {
    accountId,
    event: 'key-created',
    address: 'command line',
    detail: { key: id, scopes: scopes.join(',') },
  });
  remark(`Key ${id} for ${label}, until ${expiresAt.toISOString().slice(0, 10)}. It is shown this once:`);
  print(key);
}

async function list({ database, print }: CliContext, { json = false }: { json?: boolean }): Promise<void> {
  const keys = await apiKeys(database).list();
  if (json) print(JSON.stringify(keys.map((key) => ({ ...key, state: stateOfKey(key) }))));
  else
    for (const key of keys)
      print(
        [
          key.id,
          `${key.prefix}…`,
          stateOfKey(key),
          key.label,
          key.scopes.join(','),
          `${key.ratePerMinute}/min`,
          `until ${key.expiresAt.toISOString().slice(0, 10)}`,
          `used ${key.lastUsedAt?.toISOString().slice(0, 10) ?? 'never'}`,
        ].join('\t'),
      );
}

/** Revokes a key and closes its open streams. @throws CommandFailed */
export async function revoke({ config, database, print }: CliContext, typed: string): Promise<void> {
  const id = /^\d{1,9}$/.test(typed) ? Number(typed) : 0;
  const { sessions: ending } = operatedAccounts(config, database);
  await revokeKey(database, ending, BY_COMMAND, id).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new CommandFailed(`There is no active key ${typed}: expected the number api-key list shows`);
  });
  print(`Key ${id} was revoked.`);
}

export function addApiKeyCommand(program: Command): void {
  const command = program.command('api-key').description('API keys for programs');
  command
    .command('create')
    .description('create a key and print it once')
    .requiredOption('--for <whom>', 'mobile number of an account, or the name of a collaborator')
    .requiredOption('--scopes <list>', `comma-separated: ${API_KEY_SCOPES.join(', ')}`)
    .option('--expires <when>', 'number of days (365d) or a date', '365d')
    .option('--rate <calls>', 'calls per minute', String(DEFAULT_CALLS_PER_MINUTE))
    .action((options: CreateOptions) => withContext((context) => create(context, options)));
  command
    .command('list')
    .description('list keys without their secrets')
    .option('--json', 'machine-readable output')
    .action((options: { json?: boolean }) => withContext((context) => list(context, options)));
  command
    .command('revoke')
    .description('revoke a key immediately')
    .argument('<id>', 'id of the key')
    .action((id: string) => withContext((context) => revoke(context, id)));
}

// `unitcell token --mobile 13800000000`: prints only a login token of that account. The account is created
// if necessary.

export function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description('print a login token of an account; creates the account if it does not exist')
    .requiredOption('--mobile <number>', 'mainland mobile number, e.g. 13800000000')
    .action(({ mobile: typed }: { mobile: string }) =>
      withContext(async ({ config, database, print }) => {
        const mobile = normaliseMobile(typed);
        if (!MOBILE_PATTERN.test(mobile))
          throw new CommandFailed(
            `${typed} is not a mainland mobile number: expected eleven digits, e.g. 13800000000`,
          );
        const { id } = await accountRepository(database).createForMobile(mobile);
        const tokens = sessions({
          database,
          databaseUrl: config.databaseUrl,
          signingKey: deriveKey(config, 'session'),
          onError: () => undefined,
        });
        const token = await tokens.open({
          accountId: id,
          origin: { userAgent: 'unitcell token', address: '' },
          hasSecondFactor: true,
          audit: { address: 'command line' },
        });
        print(token);
      }),
    );
}
