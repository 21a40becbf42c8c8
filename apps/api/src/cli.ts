/** The operator's tool: `npm run -s unitcell -- <command>`. Exit status 0 only when all was done. */
import { Command } from 'commander';
import { CommandFailed } from './cli/cli-context.ts';
import { addApiKeyCommand } from './cli/api-key-command.ts';
import { addAuditCommand } from './cli/audit-command.ts';
import { addBackupCommands } from './cli/backup-command.ts';
import { addCatalogueCommand } from './cli/catalogue-command.ts';
import { addCompletenessCommand } from './cli/completeness-command.ts';
import { addContentCommand } from './cli/content-command.ts';
import { addDiagnoseCommand } from './cli/diagnose-command.ts';
import { addExportCommand } from './cli/export-command.ts';
import { addHarvestCommand } from './cli/harvest-command.ts';
import { addImportCommand } from './cli/import-command.ts';
import { addModelCommand } from './cli/model-command.ts';
import { addQueueCommand } from './cli/queue-command.ts';
import { addRebuildCommand } from './cli/rebuild-command.ts';
import { addReleaseCommand } from './cli/release-command.ts';
import { addRun4uCommand } from './cli/run4u-command.ts';
import { addSeedCommand } from './cli/seed-command.ts';
import { addHealthCommand, addStorageCommand } from './cli/site-commands.ts';
import { addTokenCommand } from './cli/token-command.ts';
import { addUserCommand } from './cli/user-command.ts';
import { ConfigError } from './config/config.ts';
import { BackupRefused } from './domain/backup/backup-refused.ts';
import { AppError } from './messages/app-error.ts';
import { translator } from './messages/messages.ts';

const program = new Command('unitcell')
  .description('Operate a Unitcell installation')
  .showHelpAfterError()
  // The launcher answers it before it comes to us: it needs no database.
  .addHelpText('after', '\n  service print [--system]      a systemd unit for this checkout');
addApiKeyCommand(program);
addAuditCommand(program);
addBackupCommands(program);
addCatalogueCommand(program);
addCompletenessCommand(program);
addContentCommand(program);
addDiagnoseCommand(program);
addExportCommand(program);
addHarvestCommand(program);
addHealthCommand(program);
addImportCommand(program);
addModelCommand(program);
addQueueCommand(program);
addRebuildCommand(program);
addReleaseCommand(program);
addRun4uCommand(program);
addSeedCommand(program);
addStorageCommand(program);
addTokenCommand(program);
addUserCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  // What the page says to an administrator, a command says too.
  const said = error instanceof AppError ? translator('en')(error.code, error.parameters) : null;
  const isPlain = [CommandFailed, ConfigError, BackupRefused].some((kind) => error instanceof kind);
  process.stderr.write(
    `${said ?? (isPlain ? (error as Error).message : String((error as Error).stack ?? error))}\n`,
  );
  process.exitCode = 1;
}
