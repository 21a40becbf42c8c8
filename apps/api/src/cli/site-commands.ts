/** `unitcell health` and `unitcell storage`: what the operator's page shows of the site, for a terminal. */
import type { Command } from 'commander';
import { siteHealth } from '../features/operate/health.service.ts';
import { operatedStorage } from '../features/operate/storage.service.ts';
import { openQueue } from '../infra/queue.ts';
import { type CliContext, withContext } from './cli-context.ts';

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
    .description('every part of the site and its figures; exit status 1 when one is down')
    .option('--json', 'for programs')
    .action(({ json = false }: { json?: boolean }) => withContext((context) => health(context, json)));
}

export function addStorageCommand(program: Command): void {
  program
    .command('storage')
    .description('what tables and folders weigh, and the room that is left')
    .option('--json', 'for programs')
    .action(({ json = false }: { json?: boolean }) => withContext((context) => storage(context, json)));
}
