/** `unitcell backup FILE|schedule|now|list|verify|restore|key` and `unitcell restore FILE`. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { backup, newBackupKey, restore, STANDARD } from '../domain/backup/backup.ts';
import { backups, backupsRepository, type StoredBackup } from '../domain/backup/backups.ts';
import { migrateByDeploy, verifyBackup } from '../domain/backup/verify-backup.ts';
import { logBackupAsked, setBackupSchedule } from '../features/operate/backups.ts';
import { BY_COMMAND } from '../features/account/audit-log.ts';
import { type CliContext, withContext } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';

/** Converts a file error that the operator can fix to a message. */
async function explainFileErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === 'open' || syscall === 'access')
      throw new CommandFailed(
        code === 'ENOENT'
          ? `${file} does not exist`
          : `${file} cannot be opened (${code}); - is standard input or output`,
      );
    throw error;
  }
}

const LISTED = 100;

const placeOf = ({ config }: Pick<CliContext, 'config'>) => ({
  pictures: join(config.home, 'avatars'),
  key: config.backup.key,
});
const backupsOf = ({ config, database }: CliContext) =>
  backups({ config, database, migrate: migrateByDeploy });

const when = (time: Date | null): string => time?.toISOString().slice(0, 16).replace('T', ' ') ?? '-';
const stateOf = ({ problem, finishedAt, verifiedAt, verifySeconds }: StoredBackup): string => {
  if (problem !== '') return problem;
  if (finishedAt === null) return 'being written';
  return verifiedAt === null
    ? 'not verified'
    : `verified ${when(verifiedAt)} (${verifySeconds?.toFixed(1)} s to restore)`;
};
const lineOf = (row: StoredBackup): string =>
  [row.id, when(row.startedAt), row.file, row.bytes ?? '-', stateOf(row)].join('\t');

/** Finds a backup by its number in the list or by its file. */
async function storedOf(context: CliContext, name: string): Promise<StoredBackup | null> {
  return /^\d+$/.test(name) ? backupsRepository(context.database).byId(Number(name)) : null;
}

async function schedule(
  context: CliContext,
  pattern: string | undefined,
  keep: string | undefined,
): Promise<void> {
  const { config, database, print } = context;
  const repository = backupsRepository(database);
  const present = await repository.schedule();
  if (pattern === 'off') await setBackupSchedule(database, config, BY_COMMAND, null);
  else if (pattern !== undefined || keep !== undefined) {
    const wanted = pattern ?? present?.pattern;
    if (wanted === undefined)
      throw new CommandFailed('no schedule yet: unitcell backup schedule "15 2 * * *"');
    const kept = keep === undefined ? (present?.keep ?? 14) : Number(keep);
    if (!Number.isInteger(kept) || kept < 1)
      throw new CommandFailed(`--keep is "${keep}": expected a number from 1`);
    await setBackupSchedule(database, config, BY_COMMAND, { pattern: wanted, keep: kept });
  }
  const now = await repository.schedule();
  print(
    now
      ? `${now.pattern} (${config.timeZone}), the newest ${now.keep} kept in ${config.backup.directory}, ${config.backup.key === null ? 'not encrypted: BACKUP_KEY is not set' : 'encrypted'}`
      : 'automatic backups are off',
  );
}

export function addBackupCommand(program: Command): void {
  const command = program
    .command('backup')
    .description('write the database and profile pictures to one file (protect it like the data)')
    .argument('<file>', 'e.g. unitcell-2026-11-21.backup.gz; - writes to standard output')
    .action((file: string) =>
      withContext(async (context) => {
        await explainFileErrors(file, () => backup(context.database.pool, file, placeOf(context)));
        context.remark(file === STANDARD ? 'written' : `${file} written`);
      }),
    );
  command
    .command('schedule')
    .description('set the schedule of automatic backups; without a time, print it')
    .argument(
      '[time]',
      'cron expression in the time zone of the site, e.g. "15 2 * * *"; off: no automatic backups',
    )
    .option('--keep <number>', 'number of newest files to keep (14)')
    .action((time: string | undefined, { keep }: { keep?: string }) =>
      withContext((context) => schedule(context, time, keep)),
    );
  command
    .command('now')
    .description('make a backup in BACKUP_DIRECTORY and verify it')
    .action(() =>
      withContext(async (context) => {
        await logBackupAsked(context.database, BY_COMMAND);
        context.print(lineOf(await backupsOf(context).makeNow()));
      }),
    );
  command
    .command('list')
    .description('list the backups in BACKUP_DIRECTORY, newest first')
    .option('--json', 'machine-readable output')
    .action(({ json }: { json?: boolean }) =>
      withContext(async (context) => {
        const rows = (await backupsRepository(context.database).list(LISTED)).filter(
          ({ removedAt }) => removedAt === null,
        );
        if (json) context.print(JSON.stringify(rows));
        else for (const row of rows) context.print(lineOf(row));
      }),
    );
  command
    .command('verify')
    .description('restore a backup into a scratch database and compare everything')
    .argument('<backup>', 'number in the list, or a file')
    .action((name: string) =>
      withContext(async (context) => {
        const row = await storedOf(context, name);
        const made = backupsOf(context);
        const { databaseUrl } = context.config;
        const { key } = placeOf(context);
        const found = row
          ? await made.verify(row)
          : await explainFileErrors(name, async () => {
              await access(name, constants.R_OK);
              return verifyBackup(name, { databaseUrl, key, migrate: migrateByDeploy });
            });
        context.print(
          `${name} can be restored: ${found.rows} rows in ${found.tables} tables match, in ${found.seconds.toFixed(1)} s`,
        );
      }),
    );
  command
    .command('key')
    .description('print a new key for BACKUP_KEY; keep a copy on another machine')
    .action(async () => void process.stdout.write(`${await newBackupKey()}\n`));
  addRestoreCommand(command);
}

export function addRestoreCommand(parent: Command): void {
  parent
    .command('restore')
    .description('replace the whole database by a backup; stop the site first')
    .argument('<file>', 'a file written by `backup`, or a number in the list; - reads standard input')
    .requiredOption('--yes', 'confirm that the current data may be lost')
    .action((name: string) =>
      withContext(async (context) => {
        const row = await storedOf(context, name);
        const file = row ? backupsOf(context).pathOf(row) : name;
        if (file !== STANDARD) await explainFileErrors(file, () => access(file, constants.R_OK));
        await restore(context.database.pool, file, placeOf(context));
        context.remark(`${file === STANDARD ? 'standard input' : file} restored`);
      }),
    );
}
