/** The operator's tool: `npm run -s unitcell -- <command>`. Exit status 0 only when all was done. */
import { CommandFailed } from './cli/cli-context.ts';
import { unitcellProgram } from './cli/program.ts';
import { ConfigError } from './config/config-error.ts';
import { BackupRefused } from './domain/backup/backup-refused.ts';
import { AppError } from './messages/app-error.ts';
import { translator } from './messages/messages.ts';

try {
  await unitcellProgram().parseAsync();
} catch (error) {
  // What the page says to an administrator, a command says too.
  const said = error instanceof AppError ? translator('en')(error.code, error.parameters) : null;
  const isPlain = [CommandFailed, ConfigError, BackupRefused].some((kind) => error instanceof kind);
  process.stderr.write(
    `${said ?? (isPlain ? (error as Error).message : String((error as Error).stack ?? error))}\n`,
  );
  process.exitCode = 1;
}
