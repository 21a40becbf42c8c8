/** `unitcell backup FILE` and `unitcell restore FILE`. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { backup, restore } from './backup.ts';
import { CommandFailed, withContext } from './cli-context.ts';

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description(
      'write the whole database to one file (accounts included: keep it safe); avatars lie in UNITCELL_HOME',
    )
    .argument('<file>', 'e.g. unitcell-2026-11-21.backup.gz')
    .action((file: string) =>
      withContext(async ({ database, print }) => {
        await backup(database.pool, file);
        print(`${file} written`);
      }),
    );
  program
    .command('restore')
    .description('replace everything in the database by a backup; stop the site first')
    .argument('<file>', 'written by `backup`')
    .requiredOption('--yes', 'yes, what is in the database now may go')
    .action((file: string) =>
      withContext(async ({ database, print }) => {
        if (!existsSync(file)) throw new CommandFailed(`${file} does not exist`);
        await restore(database.pool, file);
        print(`${file} restored`);
      }),
    );
}
