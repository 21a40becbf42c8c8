/** Site information of the operator's page for the terminal: health, storage, queue and audit log. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Command } from 'commander';
import { aboutRepository, siteContents, type SiteContents } from '../features/about/about.feature.ts';
import { type AuditRow, BY_COMMAND, readAudit } from '../features/account/audit-log.ts';
import { siteHealth } from '../features/operate/health.ts';
import { operatedJobs } from '../features/operate/work.ts';
import { operatedStorage } from '../features/operate/storage.ts';
import { openQueue } from '../infra/queue.ts';
import type { Language } from '../messages/messages.ts';
import { accountOf, type CliContext, withContext } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';
import { operatedReports } from '../features/operate/reports.ts';

/**
 * `unitcell content import|export FOLDER`: texts of the public pages as JSON and Markdown, one folder per
 * language.
 */
const LANGUAGES: readonly Language[] = ['zh', 'en'];

const isMarkdown = (body: unknown): body is { markdown: string } =>
  typeof body === 'object' && body !== null && 'markdown' in body;

/** Reads `<folder>/<language>/<slug>.json|md` into the database; returns their number. */
export async function importContent(site: SiteContents, folder: string): Promise<number> {
  let count = 0;
  for (const language of LANGUAGES) {
    const names: string[] = await readdir(join(folder, language)).catch(() => []);
    for (const name of names.sort()) {
      const format = extname(name);
      if (format !== '.json' && format !== '.md') continue;
      const text = await readFile(join(folder, language, name), 'utf8');
      try {
        await site.save(
          basename(name, format),
          language,
          format === '.md' ? { markdown: text } : JSON.parse(text),
        );
      } catch (error) {
        throw new CommandFailed(`${language}/${name}: ${(error as Error).message}`);
      }
      count++;
    }
  }
  return count;
}

async function exportContent(site: SiteContents, folder: string): Promise<number> {
  let count = 0;
  for (const language of LANGUAGES) {
    await mkdir(join(folder, language), { recursive: true });
    for (const [slug, body] of await site.stored(language)) {
      const path = join(folder, language, slug);
      if (isMarkdown(body)) await writeFile(`${path}.md`, body.markdown);
      else await writeFile(`${path}.json`, `${JSON.stringify(body, null, 2)}\n`);
      count++;
    }
  }
  return count;
}

export function addContentCommand(program: Command): void {
  const content = program.command('content').description('texts of the public pages');
  content
    .command('import')
    .argument('<folder>', 'folder with .json and .md files in zh/ and en/')
    .action((folder: string) =>
      withContext(async ({ database, print }) => {
        const count = await importContent(siteContents(aboutRepository(database)), folder);
        if (count === 0)
          throw new CommandFailed(`${folder} contains no zh/*.json, zh/*.md, en/*.json or en/*.md`);
        print(`${count} documents imported`);
      }),
    );
  content
    .command('export')
    .argument('<folder>', 'target folder; created if it does not exist')
    .action((folder: string) =>
      withContext(async ({ database, print }) =>
        print(`${await exportContent(siteContents(aboutRepository(database)), folder)} documents exported`),
      ),
    );
}

const MEGABYTE = 1e6;
const sized = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

async function health({ config, database, print }: CliContext, isJson: boolean): Promise<void> {
  const queue = await openQueue(config, () => undefined);
  try {
    const parts = await siteHealth({ config, database, queue })();
    if (isJson) print(JSON.stringify(parts));
    else
      for (const { part, state, facts } of parts)
        print(
          `${state.padEnd(5)} ${part}: ${Object.entries(facts)
            .map(([name, value]) => `${name} ${value ?? 'unknown'}`)
            .join(', ')}`,
        );
    if (parts.some(({ state }) => state === 'down')) process.exitCode = 1;
  } finally {
    await queue.close();
  }
}

async function storage({ config, database, print }: CliContext, isJson: boolean): Promise<void> {
  const found = await operatedStorage(database, config.home)();
  if (isJson) return print(JSON.stringify(found));
  print(`database: ${sized(found.database_bytes)}`);
  for (const { name, bytes, rows } of found.tables) print(`  ${name}\t${sized(bytes)}\t${rows} rows`);
  print(`folders of ${found.home}:`);
  for (const { name, bytes, files, is_more } of found.folders)
    print(`  ${name}\t${sized(bytes)}\t${files}${is_more ? ' files and more' : ' files'}`);
  if (found.disk) print(`disk: ${sized(found.disk.free)} of ${sized(found.disk.total)} free`);
}

export function addHealthCommand(program: Command): void {
  program
    .command('health')
    .description('check every part of the site and print its figures; exit status 1 if one is down')
    .option('--json', 'machine-readable output')
    .action(({ json = false }: { json?: boolean }) => withContext((context) => health(context, json)));
}

export function addStorageCommand(program: Command): void {
  program
    .command('storage')
    .description('print sizes of tables and folders, and free space')
    .option('--json', 'machine-readable output')
    .action(({ json = false }: { json?: boolean }) => withContext((context) => storage(context, json)));
}

// ── `unitcell queue …`: lists, retries and removes jobs ──

type Jobs = ReturnType<typeof operatedJobs>;

const withJobs = (work: (jobs: Jobs, context: CliContext) => Promise<void>): Promise<void> =>
  withContext(async (context) => {
    const queue = await openQueue(context.config, () => undefined);
    try {
      await work(operatedJobs(context.database, queue), context);
    } finally {
      await queue.close();
    }
  });

async function list(jobs: Jobs, { print }: CliContext, isJson: boolean): Promise<void> {
  const { isThere, counts, jobs: listed } = await jobs.state();
  if (!isThere) throw new CommandFailed('the queue does not answer');
  if (isJson) return print(JSON.stringify({ counts, jobs: listed }));
  print(
    Object.entries(counts)
      .map(([state, count]) => `${count} ${state}`)
      .join(', '),
  );
  for (const job of listed)
    print([job.id, job.state, job.name, job.addedAt.toISOString(), job.reason].join('\t').trimEnd());
}

export function addQueueCommand(program: Command): void {
  const queue = program.command('queue').description('jobs of the queue: list, retry, remove');
  queue
    .command('list', { isDefault: true })
    .description('list up to fifty jobs per state: id, state, name, added, reason')
    .option('--json', 'machine-readable output')
    .action(({ json = false }: { json?: boolean }) => withJobs((jobs, context) => list(jobs, context, json)));
  queue
    .command('retry')
    .description('retry a failed job')
    .argument('<id>', 'id of the job')
    .action((id: string) =>
      withJobs(async (jobs, { print }) => {
        await jobs.retry(BY_COMMAND, id);
        print(`job ${id} was queued again`);
      }),
    );
  queue
    .command('remove')
    .description('remove a job that is not running')
    .argument('<id>', 'id of the job')
    .action((id: string) =>
      withJobs(async (jobs, { print }) => {
        await jobs.remove(BY_COMMAND, id);
        print(`job ${id} was removed`);
      }),
    );
}

// ── `unitcell audit`: changes of accounts, with their authors ──

const HOUR_MILLISECONDS = 3_600_000;
const MAX_ROWS = 100_000;

interface AuditOptions {
  readonly account?: string;
  readonly by?: string;
  readonly event?: string;
  readonly since?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** Reads `36h` or `7d` (before now), or a date or time (UTC). @throws CommandFailed */
function sinceOf(typed: string, now: number): Date {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(typed) ?? [];
  const time =
    count === undefined
      ? Date.parse(/^\d{4}-\d{2}-\d{2}/.test(typed) ? typed : '')
      : now - Number(count) * HOUR_MILLISECONDS * (unit === 'd' ? 24 : 1);
  if (Number.isNaN(time)) throw new CommandFailed(`invalid --since ${typed}: expected 36h, 7d or 2026-11-01`);
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
  if (!Number.isInteger(rows) || rows < 1 || rows > MAX_ROWS)
    throw new CommandFailed(`--limit ${limit}: expected a number from 1 to ${MAX_ROWS}`);
  // A deleted account has no number any more, but its rows remain under its UID.
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
    .description('print the audit log, oldest first: time, UID, event, address, administrator, details')
    .option('--account <account>', 'mobile number or UID')
    .option('--by <account>', 'administrator: mobile number or UID')
    .option('--event <event>', 'e.g. login, login-failed, mobile-changed')
    .option('--since <time>', '36h, 7d or 2026-11-01')
    .option('--limit <rows>', 'number of newest rows', '500')
    .option('--json', 'machine-readable output')
    .action((options: AuditOptions) => withContext((context) => audit(context, options)));
}

// `unitcell entry-report …`: lists and answers reports of problems with entries.

/** Largest number of reports listed. */
const MOST = 1000;

export function addEntryReportCommand(program: Command): void {
  const command = program.command('entry-report').description('reports of problems with entries');
  command
    .command('list')
    .description('open reports, newest first')
    .option('--all', 'answered ones as well')
    .action(({ all }: { all?: boolean }) =>
      withContext(async ({ database, print }) => {
        const reports = await operatedReports(database).list({
          state: all ? null : 'open',
          before: null,
          limit: MOST,
        });
        for (const {
          id,
          struct_id: structId,
          formula,
          account,
          email,
          created_at: at,
          ...report
        } of reports) {
          const from = [account, email].filter(Boolean).join(', ');
          print(`${id}  ${at.slice(0, 10)}  ${structId} ${formula ?? ''}  ${from}`);
          print(`    ${report.message}`);
          if (report.answer !== null) print(`    → ${report.answer}`);
        }
      }),
    );
  command
    .command('answer')
    .description('answer a report; the reporter reads it on the page of the material')
    .argument('<id>')
    .argument('<text>')
    .action((id: string, text: string) =>
      withContext(async ({ database, print }) => {
        await operatedReports(database).answer(BY_COMMAND, /^\d{1,9}$/.test(id) ? Number(id) : 0, text);
        print(`${id}: answered`);
      }),
    );
}
