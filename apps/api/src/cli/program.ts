/** All commands of `unitcell`. */
import { Command } from 'commander';
import { ConfigError } from '../config/config-error.ts';
import { BackupRefused } from '../domain/backup/backup.ts';
import { AppError } from '../messages/app-error.ts';
import { translator } from '../messages/messages.ts';
import { addApiKeyCommand, addTokenCommand } from './api-key-command.ts';
import { addBackupCommands } from './backup-command.ts';
import { addCalculateCommand } from './calculate-command.ts';
import {
  addCatalogueCommand,
  addDeriveCommand,
  addExportCommand,
  addRebuildCommand,
} from './catalogue-command.ts';
import { CommandFailed } from './cli-context.ts';
import { addCompletenessCommand } from './completeness-command.ts';
import { addDiagnoseCommand } from './diagnose-command.ts';
import { addEntryReportCommand } from './entry-report-command.ts';
import { addHarvestCommand, addImportCommand } from './import-command.ts';
import { addModelCommand } from './model-command.ts';
import { addReleaseCommand } from './release-command.ts';
import { addRun4uCommand } from './run4u-command.ts';
import { addSeedCommand } from './seed-command.ts';
import {
  addAuditCommand,
  addContentCommand,
  addHealthCommand,
  addQueueCommand,
  addStorageCommand,
} from './site-commands.ts';
import { addUserCommand } from './user-command.ts';

export function unitcellProgram(): Command {
  const program = new Command('unitcell')
    .description('Operate a Unitcell installation')
    .showHelpAfterError()
    // The launcher runs this command itself, because it needs no database.
    .addHelpText('after', '\n  service print [--system]      a systemd unit for this checkout');
  addApiKeyCommand(program);
  addAuditCommand(program);
  addBackupCommands(program);
  addCalculateCommand(program);
  addCatalogueCommand(program);
  addCompletenessCommand(program);
  addContentCommand(program);
  addDeriveCommand(program);
  addDiagnoseCommand(program);
  addEntryReportCommand(program);
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
  return program;
}

/** The reason of a failed command for the operator. Errors of the API have the same text as in its answers. */
export function failureText(error: unknown): string {
  if (error instanceof AppError) return translator('en')(error.code, error.parameters);
  const isPlain = [CommandFailed, ConfigError, BackupRefused].some((kind) => error instanceof kind);
  return isPlain ? (error as Error).message : String((error as Error).stack ?? error);
}
