/**
 * `unitcell completeness [SYSTEM]`: known stable compounds that are missing in a chemical system, and the
 * lists of stable compounds in use.
 */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { PhaseEquilibriaError } from '@unitcell/phase-equilibria';
import { importStableList } from '../catalogue/import/import-stable-list.ts';
import {
  completenessRepository,
  type GapReport,
  gapReport,
  missingOfSystem,
} from '../domain/thermodynamics/completeness.ts';
import { type CliContext, readElements, withContext } from './cli-context.ts';
import { CommandFailed } from './command-failed.ts';

interface CompletenessFlags {
  readonly scale?: string;
  readonly load?: string;
  readonly source?: string;
  readonly json?: boolean;
}

const noList = (functional: string): string =>
  `there is no list of stable compositions for the scale ${functional}, so completeness is unknown. Load one with \`unitcell completeness --load FILE --scale "${functional}" --source TEXT\``;

/**
 * A one-sentence summary. `worst` lists the systems with the most missing compounds, `wanted` the compounds
 * to import first.
 */
export function gapSentence(report: GapReport): string {
  const { functional, systems, incomplete, worst, wanted } = report;
  if (incomplete === 0) return `${functional}: all ${systems} chemical systems are complete`;
  const named = worst.map(({ system, missing }) => `${system} (${missing})`).join(', ');
  const asked = wanted.map(({ formula, systems: count }) => `${formula} (${count})`).join(', ');
  return (
    `${functional}: ${incomplete} of ${systems} chemical systems lack compounds that are stable on the scale; ` +
    `most: ${named}; missing from most systems: ${asked}`
  );
}

/** The missing compounds of each scale with energies; null without a list of stable compositions. */
async function gapReports({
  database,
}: Pick<CliContext, 'database'>): Promise<{ functional: string; report: GapReport | null }[]> {
  const repository = completenessRepository(database);
  const reports: { functional: string; report: GapReport | null }[] = [];
  for (const functional of await repository.scales())
    reports.push({ functional, report: await gapReport(repository, functional) });
  return reports;
}

const statusOf = (missing: number | undefined): string =>
  missing === undefined ? 'not-known' : missing === 0 ? 'complete' : 'incomplete';

/** Prints one sentence per scale with energies. */
export async function gapSentences(context: Pick<CliContext, 'database'>): Promise<string[]> {
  return (await gapReports(context)).map(({ functional, report }) =>
    report === null ? `${functional}: unknown (no list of stable compositions)` : gapSentence(report),
  );
}

async function load({ database, print }: CliContext, path: string, flags: CompletenessFlags): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandFailed(`${path} cannot be read`);
  });
  try {
    const report = await importStableList(database, text, { functional: flags.scale, source: flags.source });
    print(`${report.functional}: ${report.compositions} compositions known to be stable`);
  } catch (error) {
    if (error instanceof PhaseEquilibriaError) throw new CommandFailed(`${path}: ${error.message}`);
    throw error;
  }
}

async function tell(context: CliContext, system: string, flags: CompletenessFlags): Promise<void> {
  const { config, database, print } = context;
  const functional = flags.scale ?? config.defaultFunctional;
  const elements = [...new Set(readElements(system))].sort();
  const missing = await missingOfSystem(completenessRepository(database), functional, elements);
  const name = elements.join('-');
  if (flags.json)
    return print(
      JSON.stringify({
        functional,
        chemicalSystem: name,
        status: statusOf(missing?.length),
        missing: (missing ?? []).map(({ formula, isMarginal, heldAbove }) => ({
          formula,
          isMarginal,
          heldAbove,
        })),
      }),
    );
  if (missing === null) throw new CommandFailed(noList(functional));
  if (missing.length === 0) return print(`${name} is complete on the scale ${functional}`);
  const count = missing.length === 1 ? '1 compound that is' : `${missing.length} compounds that are`;
  print(`${name} lacks ${count} stable on the scale ${functional}:`);
  for (const { formula, isMarginal, heldAbove } of missing) {
    const remarks = [
      ...(heldAbove === null
        ? []
        : [`present only as a polymorph ${(1000 * heldAbove).toFixed(0)} meV/atom above the ground state`]),
      ...(isMarginal ? ['stable by less than 5 meV/atom'] : []),
    ];
    print(`  ${formula}${remarks.length > 0 ? `  (${remarks.join('; ')})` : ''}`);
  }
  print(
    'Import one entry of each with its energy on this scale (unitcell import FILE); the hulls are updated automatically.',
  );
}

export function addCompletenessCommand(program: Command): void {
  program
    .command('completeness')
    .description(
      'list known stable compounds that a chemical system lacks; without a system: summary of the site',
    )
    .argument('[system]', 'elements, e.g. Li-C-O')
    .option('--scale <name>', 'energy scale; default: the scale of the site')
    .option(
      '--load <file>',
      'load a list of compositions known to be stable on a scale (docs/operating/operations.md)',
    )
    .option('--source <text>', 'with --load: citation and licence of the list')
    .option('--json', 'machine-readable output')
    .action((system: string | undefined, flags: CompletenessFlags) =>
      withContext(async (context) => {
        if (flags.load !== undefined) return load(context, flags.load, flags);
        if (system !== undefined) return tell(context, system, flags);
        if (flags.json) {
          const scales = await gapReports(context);
          const lines = scales.map(({ functional, report }) => ({
            functional,
            status: statusOf(report?.incomplete),
            ...report,
          }));
          return context.print(JSON.stringify(lines));
        }
        for (const sentence of await gapSentences(context)) context.print(sentence);
      }),
    );
}
