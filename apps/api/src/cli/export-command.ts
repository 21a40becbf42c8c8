/** `unitcell export [FILE]`: the catalogue as JSON lines of the import format. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Command } from 'commander';
import { exportRows, toImportLine } from '../catalogue/export/export-materials.ts';
import { readElements, withContext } from './cli-context.ts';

interface ExportFlags {
  readonly elements?: string;
  readonly withSubsystems?: boolean;
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write materials as JSON lines that `import` reads (docs/import-format.md)')
    .argument('[file]', 'standard output when absent')
    .option('--elements <system>', 'only this chemical system, e.g. Li-Fe-P-O')
    .option('--with-subsystems', 'the systems inside it too: all a hull is made of')
    .action((file: string | undefined, flags: ExportFlags) =>
      withContext(async ({ config, database, remark }) => {
        const elements = flags.elements === undefined ? undefined : readElements(flags.elements);
        const out = file === undefined ? process.stdout : createWriteStream(file);
        let count = 0;
        for await (const row of exportRows(database, {
          ...(elements ? { elements } : {}),
          withSubsystems: flags.withSubsystems ?? false,
        })) {
          const address = `${config.publicUrl}/matdatades/${row.structId}`;
          if (!out.write(`${JSON.stringify({ ...toImportLine(row), address })}\n`)) await once(out, 'drain');
          count++;
        }
        if (file !== undefined) {
          out.end();
          await once(out, 'close');
        }
        remark(`${count} materials exported`);
      }),
    );
}
