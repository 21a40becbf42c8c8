/** The commands of `unitcell`. */
import { Command } from 'commander';
import { AppError } from '../messages/app-error.ts';
import { translator } from '../messages/messages.ts';

type Add = (program: Command) => void;

/** Commands by name. Each loads its own code when it is called: all of them together take 150 MB and half a second. */
const COMMANDS: Readonly<Record<string, () => Promise<Add>>> = {
  'api-key': async () => (await import('./api-key-command.ts')).addApiKeyCommand,
  audit: async () => (await import('./site-commands.ts')).addAuditCommand,
  backup: async () => (await import('./backup-command.ts')).addBackupCommand,
  calculate: async () => (await import('./calculate-command.ts')).addCalculateCommand,
  catalogue: async () => (await import('./catalogue-command.ts')).addCatalogueCommand,
  completeness: async () => (await import('./completeness-command.ts')).addCompletenessCommand,
  content: async () => (await import('./site-commands.ts')).addContentCommand,
  derive: async () => (await import('./catalogue-command.ts')).addDeriveCommand,
  diagnose: async () => (await import('./diagnose-command.ts')).addDiagnoseCommand,
  'entry-report': async () => (await import('./site-commands.ts')).addEntryReportCommand,
  export: async () => (await import('./catalogue-command.ts')).addExportCommand,
  harvest: async () => (await import('./import-command.ts')).addHarvestCommand,
  health: async () => (await import('./site-commands.ts')).addHealthCommand,
  import: async () => (await import('./import-command.ts')).addImportCommand,
  model: async () => (await import('./model-command.ts')).addModelCommand,
  queue: async () => (await import('./site-commands.ts')).addQueueCommand,
  rebuild: async () => (await import('./catalogue-command.ts')).addRebuildCommand,
  release: async () => (await import('./release-command.ts')).addReleaseCommand,
  restore: async () => (await import('./backup-command.ts')).addRestoreCommand,
  run4u: async () => (await import('./run4u-command.ts')).addRun4uCommand,
  seed: async () => (await import('./seed-command.ts')).addSeedCommand,
  storage: async () => (await import('./site-commands.ts')).addStorageCommand,
  token: async () => (await import('./api-key-command.ts')).addTokenCommand,
  user: async () => (await import('./user-command.ts')).addUserCommand,
};

/**
 * @param name the command that is called. If no command has this name, the program contains all commands, so
 * that help lists them
 */
export async function unitcellProgram(name = ''): Promise<Command> {
  const program = new Command('unitcell')
    .description('Operate a Unitcell installation')
    .showHelpAfterError()
    // The launcher runs this command itself, because it needs no database.
    .addHelpText('after', '\n  service print [--system]      a systemd unit for this checkout');
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const wanted = found ? [found] : Object.values(COMMANDS);
  for (const load of wanted) (await load())(program);
  return program;
}

/**
 * Errors whose message is enough for the operator. They are recognised by name, because importing their
 * classes would load the code that throws them.
 */
const PLAIN = ['CommandFailed', 'ConfigError', 'BackupRefused'];

/** The reason of a failed command for the operator. Errors of the API have the same text as in its answers. */
export function failureText(error: unknown): string {
  if (error instanceof AppError) return translator('en')(error.code, error.parameters);
  const { name, message, stack } = error as Error;
  return PLAIN.includes(name) ? message : String(stack ?? error);
}
