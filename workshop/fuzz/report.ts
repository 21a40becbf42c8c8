/** What a fuzzing run found, as a table and as files that can be replayed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetReport } from './run-target.ts';

const COLUMNS = [
  'target',
  'inputs',
  'accepted',
  'refused in words',
  'crashes',
  'slow > 0.5 s CPU',
  'hangs',
  'CPU s',
  'MiB at a tenth, in the end',
];

const numberOf = ({ findings }: TargetReport, kind: string): number =>
  findings.filter((finding) => finding.kind === kind).length;

const rowOf = (report: TargetReport): (string | number)[] => [
  report.target,
  report.inputs,
  report.accepted,
  report.refused,
  numberOf(report, 'crash'),
  numberOf(report, 'slow'),
  numberOf(report, 'hang'),
  report.cpuSeconds.toFixed(0),
  `${report.memoryMib.early}, ${report.memoryMib.late}`,
];

/** A Markdown table, one row per target. */
export function tableOf(reports: readonly TargetReport[]): string {
  const rows = [COLUMNS, COLUMNS.map(() => '---'), ...reports.map(rowOf)];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Writes every finding's input beside its reason; returns the lines to print. */
export function keepFindings(reports: readonly TargetReport[], seed: number, folder: string): string[] {
  return reports.flatMap(({ target, findings }) =>
    findings.map(({ index, kind, what, input }) => {
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${target}-${seed}-${index}.json`);
      writeFileSync(file, `${JSON.stringify({ target, kind, what, input }, null, 2)}\n`);
      return `${kind}: ${target} ${index}: ${what}; input in ${file}`;
    }),
  );
}
