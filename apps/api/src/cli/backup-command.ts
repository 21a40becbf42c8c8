/** `unitcell backup FILE` and `unitcell restore FILE`. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { backup, restore, STANDARD } from './backup.ts';
import { CommandFailed, withContext } from './cli-context.ts';

/** A file that cannot be read or made is the operator's to mend, not a fault of ours. */
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

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write the whole database and the pictures of people to one file (keep it as safe as them)')
    .argument('<file>', 'e.g. unitcell-2026-11-21.backup.gz; - writes to standard output')
    .action((file: string) =>
      withContext(async ({ config, database, remark }) => {
        await inWords(file, () => backup(database.pool, file, join(config.home, 'avatars')));
        remark(file === STANDARD ? 'written' : `${file} written`);
      }),
    );
  program
    .command('restore')
    .description('replace everything in the database by a backup; stop the site first')
    .argument('<file>', 'written by `backup`; - reads standard input')
    .requiredOption('--yes', 'yes, what is in the database now may go')
    .action((file: string) =>
      withContext(async ({ config, database, remark }) => {
        if (file !== STANDARD) await inWords(file, () => access(file, constants.R_OK));
        await restore(database.pool, file, join(config.home, 'avatars'));
        remark(`${file === STANDARD ? 'standard input' : file} restored`);
      }),
    );
}
