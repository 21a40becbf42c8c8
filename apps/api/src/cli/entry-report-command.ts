/** `unitcell entry-report …`: lists and answers reports of problems with entries. */
import type { Command } from 'commander';
import { BY_COMMAND } from '../features/account/audit-log.ts';
import { operatedReports } from '../features/operate/reports.ts';
import { withContext } from './cli-context.ts';

/** Reports listed. */
const MOST = 1000;

export function addEntryReportCommand(program: Command): void {
  const command = program.command('entry-report').description('reports of problems with entries');
  command
    .command('list')
    .description('open reports, newest first')
    .option('--all', 'answered ones as well')
    .action(({ all }: { all?: boolean }) =>
      withContext(async ({ database, print }) => {
        const reports = await operatedReports(database).list({
          state: all ? null : 'open',
          before: null,
          limit: MOST,
        });
        for (const {
          id,
          struct_id: structId,
          formula,
          account,
          email,
          created_at: at,
          ...report
        } of reports) {
          const from = [account, email].filter(Boolean).join(', ');
          print(`${id}  ${at.slice(0, 10)}  ${structId} ${formula ?? ''}  ${from}`);
          print(`    ${report.message}`);
          if (report.answer !== null) print(`    → ${report.answer}`);
        }
      }),
    );
  command
    .command('answer')
    .description('answer a report; the reporter reads it on the page of the material')
    .argument('<id>')
    .argument('<text>')
    .action((id: string, text: string) =>
      withContext(async ({ database, print }) => {
        await operatedReports(database).answer(BY_COMMAND, /^\d{1,9}$/.test(id) ? Number(id) : 0, text);
        print(`${id}: answered`);
      }),
    );
}
