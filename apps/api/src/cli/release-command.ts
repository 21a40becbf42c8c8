/** `unitcell release list|show`: what every import and rebuild changed. */
import type { Command } from 'commander';
import type { ColumnStatistics } from '../catalogue/releases/column-statistics.ts';
import type { HullChange, HullChanges } from '../catalogue/releases/hull-changes.ts';
import type { ReleaseReport } from '../catalogue/releases/import-release.ts';
import { type CliContext, CommandFailed, withContext } from './cli-context.ts';

const above = (energy: number | null): string => (energy === null ? '–' : (1000 * energy).toFixed(0));
const changeLine = ({ structId, formula, before, after }: HullChange): string =>
  `    ${formula} (${structId}): ${above(before)} → ${above(after)} meV/atom above the hull`;
const figure = (value: number | null): string =>
  value === null ? '–' : Number(value.toPrecision(4)).toString();

/** The largest changes printed; `--json` has them all. */
const PRINTED = 20;

function hullLines(changes: HullChanges): string[] {
  const {
    functional,
    compared,
    changed,
    largest,
    becameStable,
    nowStable,
    ceasedToBeStable,
    noLongerStable,
  } = changes;
  return [
    `  ${functional}: ${changed} of ${compared} energies above hull moved by more than 1 meV/atom`,
    ...largest.slice(0, PRINTED).map(changeLine),
    `  ${becameStable} became stable${becameStable > 0 ? ':' : ''}`,
    ...nowStable.slice(0, PRINTED).map(changeLine),
    `  ${ceasedToBeStable} ceased to be stable${ceasedToBeStable > 0 ? ':' : ''}`,
    ...noLongerStable.slice(0, PRINTED).map(changeLine),
  ];
}

const columnLine = ({ column, unit, count, min, max, quantiles }: ColumnStatistics): string =>
  `  ${column}${unit === '' ? '' : ` (${unit})`}: ${count}; ${figure(min)} to ${figure(max)}; 1, 25, 50, 75, 99 %: ${(quantiles ?? []).map(figure).join(', ') || '–'}`;

/** The report of an import as lines for the terminal. */
export const releaseLines = ({ hulls, columns }: Pick<ReleaseReport, 'hulls' | 'columns'>): string[] => [
  ...hulls.flatMap(hullLines),
  ...columns.filter(({ count }) => count > 0).map(columnLine),
];

interface Row {
  readonly id: number;
  readonly kind: string;
  readonly started: string;
  readonly finished: string | null;
  readonly summary: Partial<ReleaseReport> & { readonly changes?: HullChanges };
}

const SELECT = `SELECT id, kind, to_char(started_at, 'YYYY-MM-DD HH24:MI') AS started,
  to_char(finished_at, 'YYYY-MM-DD HH24:MI') AS finished, summary FROM release`;

async function list({ database, print }: CliContext): Promise<void> {
  const { rows } = await database.pool.query<Row>(`${SELECT} ORDER BY id DESC LIMIT 100`);
  for (const { id, kind, started, finished, summary } of rows) {
    const accepted = summary.files?.reduce((sum, file) => sum + file.accepted, 0);
    print(
      `${id}\t${started}\t${kind}${accepted === undefined ? '' : `\t${accepted} accepted`}${finished === null ? '\tnot finished' : ''}`,
    );
  }
}

async function show({ database, print }: CliContext, typed: string, isJson: boolean): Promise<void> {
  const id = /^\d{1,9}$/.test(typed) ? Number(typed) : 0;
  const { rows } = await database.pool.query<Row>(`${SELECT} WHERE id = $1`, [id]);
  const row = rows[0];
  if (!row)
    throw new CommandFailed(
      `there is no release ${typed}: \`unitcell release list\` prints the last hundred`,
    );
  if (isJson) return print(JSON.stringify(row));
  const { files = [], hulls = row.summary.changes ? [row.summary.changes] : [], columns = [] } = row.summary;
  print(`release ${row.id}, ${row.kind}, ${row.started} to ${row.finished ?? 'not finished'}`);
  for (const { path, accepted, refused, duplicates, merged } of files)
    print(
      `  ${path}: ${accepted} accepted (${merged} of them sources of materials there before), ${refused} refused, ${duplicates} duplicates`,
    );
  for (const line of releaseLines({ hulls, columns })) print(line);
}

export function addReleaseCommand(program: Command): void {
  const release = program.command('release').description('what imports and rebuilds changed');
  release
    .command('list')
    .description('the last hundred')
    .action(() => withContext(list));
  release
    .command('show')
    .description(
      'its report: largest changes of hull distances, phases that became or ceased to be stable, columns',
    )
    .argument('<id>', 'number of the release')
    .option('--json', 'the whole report as JSON')
    .action((id: string, { json = false }: { json?: boolean }) =>
      withContext((context) => show(context, id, json)),
    );
}
