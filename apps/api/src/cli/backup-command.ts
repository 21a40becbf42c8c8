/** `unitcell backup FILE|schedule|now|list|verify|restore|key` and `unitcell restore FILE`. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { backup, newBackupKey, restore, STANDARD } from '../domain/backup/backup.ts';
import { backupsRepository, type StoredBackup } from '../domain/backup/backups.repository.ts';
import { backups } from '../domain/backup/backups.ts';
import { migrateByDeploy } from '../domain/backup/migrate-by-deploy.ts';
import { verifyBackup } from '../domain/backup/verify-backup.ts';
import { logBackupAsked, setBackupSchedule } from '../features/operate/backups.service.ts';
import { BY_COMMAND } from '../features/operate/by.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

/** Turns a file error into a message for the operator, who can fix it. */
async function inWords<T>(file: string, work: () => Promise<T>): Promise<T> {
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
    if (wanted === undefined) throw new CommandFailed('no time yet: unitcell backup schedule "15 2 * * *"');
    const kept = keep === undefined ? (present?.keep ?? 14) : Number(keep);
    if (!Number.isInteger(kept) || kept < 1)
      throw new CommandFailed(`--keep is "${keep}": expected a number from 1`);
    await setBackupSchedule(database, config, BY_COMMAND, { pattern: wanted, keep: kept });
  }
  const now = await repository.schedule();
  print(
    now
      ? `${now.pattern} (${config.timeZone}), the newest ${now.keep} kept in ${config.backup.directory}, ${config.backup.key === null ? 'not encrypted: BACKUP_KEY is not set' : 'encrypted'}`
      : 'no backups are made by themselves',
  );
}

export function addBackupCommands(program: Command): void {
  const command = program
    .command('backup')
    .description('write the whole database and the pictures of people to one file (keep it as safe as them)')
    .argument('<file>', 'e.g. unitcell-2026-11-21.backup.gz; - writes to standard output')
    .action((file: string) =>
      withContext(async (context) => {
        await inWords(file, () => backup(context.database.pool, file, placeOf(context)));
        context.remark(file === STANDARD ? 'written' : `${file} written`);
      }),
    );
  command
    .command('schedule')
    .description('when the worker makes backups by itself; without a time: what is set')
    .argument('[time]', 'as in cron, in the time zone of the site, e.g. "15 2 * * *"; off: none any more')
    .option('--keep <number>', 'files kept, the newest (14)')
    .action((time: string | undefined, { keep }: { keep?: string }) =>
      withContext((context) => schedule(context, time, keep)),
    );
  command
    .command('now')
    .description('make and verify one in BACKUP_DIRECTORY')
    .action(() =>
      withContext(async (context) => {
        await logBackupAsked(context.database, BY_COMMAND);
        context.print(lineOf(await backupsOf(context).makeNow()));
      }),
    );
  command
    .command('list')
    .description('backups of BACKUP_DIRECTORY, newest first')
    .option('--json')
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
    .argument('<backup>', 'its number in the list, or a file')
    .action((name: string) =>
      withContext(async (context) => {
        const row = await storedOf(context, name);
        const made = backupsOf(context);
        const { databaseUrl } = context.config;
        const { key } = placeOf(context);
        const found = row
          ? await made.verify(row)
          : await inWords(name, async () => {
              await access(name, constants.R_OK);
              return verifyBackup(name, { databaseUrl, key, migrate: migrateByDeploy });
            });
        context.print(
          `${name} can be restored: ${found.rows} rows of ${found.tables} tables are the same, in ${found.seconds.toFixed(1)} s`,
        );
      }),
    );
  command
    .command('key')
    .description('print a new key for BACKUP_KEY; keep a copy away from this machine')
    .action(async () => void process.stdout.write(`${await newBackupKey()}\n`));
  const restoreWith = (name: string) =>
    withContext(async (context) => {
      const row = await storedOf(context, name);
      const file = row ? backupsOf(context).pathOf(row) : name;
      if (file !== STANDARD) await inWords(file, () => access(file, constants.R_OK));
      await restore(context.database.pool, file, placeOf(context));
      context.remark(`${file === STANDARD ? 'standard input' : file} restored`);
    });
  for (const parent of [program, command])
    parent
      .command('restore')
      .description('replace everything in the database by a backup; stop the site first')
      .argument('<file>', 'written by `backup`, or its number in the list; - reads standard input')
      .requiredOption('--yes', 'yes, what is in the database now may go')
      .action(restoreWith);
}
