/** `unitcell audit`: who did what to which account. */
import type { Command } from 'commander';
import { type AuditRow, readAudit } from '../features/account/audit-log.ts';
import { accountOf } from './account-of.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

const HOUR_MILLISECONDS = 3_600_000;
const MOST_ROWS = 100_000;

interface AuditOptions {
  readonly account?: string;
  readonly by?: string;
  readonly event?: string;
  readonly since?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** `36h` or `7d` before now, or a date or time (UTC). @throws CommandFailed */
export function sinceOf(typed: string, now: number): Date {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(typed) ?? [];
  const time =
    count === undefined
      ? Date.parse(/^\d{4}-\d{2}-\d{2}/.test(typed) ? typed : '')
      : now - Number(count) * HOUR_MILLISECONDS * (unit === 'd' ? 24 : 1);
  if (Number.isNaN(time))
    throw new CommandFailed(`--since ${typed} is not understood: expected 36h, 7d or 2026-11-01`);
  return new Date(time);
}

const lineOf = ({ at, accountId, actorId, event, address, detail }: AuditRow): string =>
  [
    at.toISOString(),
    accountId ?? '-',
    event,
    address || '-',
    actorId === null ? '-' : `by ${actorId}`,
    JSON.stringify(detail),
  ].join('\t');

async function audit(
  context: CliContext,
  { account, by, event, since, limit, json }: AuditOptions,
): Promise<void> {
  const rows = Number(limit);
  if (!Number.isInteger(rows) || rows < 1 || rows > MOST_ROWS)
    throw new CommandFailed(`--limit ${limit}: expected a number from 1 to ${MOST_ROWS}`);
  // An account that is deleted has no number any more; its rows go on under its UID.
  const isUid = account !== undefined && /^\d{1,9}$/.test(account);
  const found = await readAudit(context.database.db, {
    accountId: account === undefined ? null : isUid ? Number(account) : await accountOf(context, account),
    actorId: by === undefined ? null : await accountOf(context, by),
    event: event ?? null,
    since: since === undefined ? null : sinceOf(since, Date.now()),
    limit: rows,
  });
  if (json) context.print(JSON.stringify(found));
  else for (const row of found) context.print(lineOf(row));
}

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('the audit log, oldest first: time, UID, event, address, administrator, details')
    .option('--account <account>', 'mobile number or UID')
    .option('--by <account>', 'the administrator who did it: mobile number or UID')
    .option('--event <event>', 'e.g. login, login-failed, mobile-changed')
    .option('--since <time>', '36h, 7d or 2026-11-01')
    .option('--limit <rows>', 'the newest so many', '500')
    .option('--json', 'for programs')
    .action((options: AuditOptions) => withContext((context) => audit(context, options)));
}
