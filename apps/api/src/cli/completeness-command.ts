/** `unitcell completeness [SYSTEM]`: which compounds known to be stable a chemical system lacks, and the lists it goes by. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { PhaseEquilibriaError } from '@unitcell/phase-equilibria';
import { importStableList } from '../catalogue/import/import-stable-list.ts';
import { completenessRepository } from '../domain/thermodynamics/completeness.repository.ts';
import { type GapReport, gapReport, missingOfSystem } from '../domain/thermodynamics/completeness.ts';
import { type CliContext, CommandFailed, readElements, withContext } from './cli-context.ts';

interface CompletenessFlags {
  readonly scale?: string;
  readonly load?: string;
  readonly source?: string;
  readonly json?: boolean;
}

const noList = (functional: string): string =>
  `no list of stable compositions is held for the scale ${functional}: nothing is known of what is missing. Load one with \`unitcell completeness --load FILE --scale "${functional}" --source TEXT\``;

/** In a sentence; `worst` and `wanted` name what to import first. */
export function gapSentence(report: GapReport): string {
  const { functional, systems, incomplete, worst, wanted } = report;
  if (incomplete === 0) return `${functional}: all ${systems} chemical systems are complete`;
  const named = worst.map(({ system, missing }) => `${system} (${missing})`).join(', ');
  const asked = wanted.map(({ formula, systems: count }) => `${formula} (${count})`).join(', ');
  return (
    `${functional}: ${incomplete} of ${systems} chemical systems lack compounds that are stable on the scale; ` +
    `most: ${named}; wanted by most systems: ${asked}`
  );
}

/** One sentence for each scale with energies. */
export async function gapSentences({ database }: Pick<CliContext, 'database'>): Promise<string[]> {
  const repository = completenessRepository(database);
  const sentences: string[] = [];
  for (const functional of await repository.scales()) {
    const report = await gapReport(repository, functional);
    sentences.push(
      report === null ? `${functional}: not known (no list of stable compositions)` : gapSentence(report),
    );
  }
  return sentences;
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
        status: missing === null ? 'not-known' : missing.length === 0 ? 'complete' : 'incomplete',
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
        : [`here in a form ${(1000 * heldAbove).toFixed(0)} meV/atom above the deepest one`]),
      ...(isMarginal ? ['stable by less than 5 meV/atom'] : []),
    ];
    print(`  ${formula}${remarks.length > 0 ? `  (${remarks.join('; ')})` : ''}`);
  }
  print(
    'Import one entry of each with its energy on this scale (unitcell import FILE); the hulls follow by themselves.',
  );
}

export function addCompletenessCommand(program: Command): void {
  program
    .command('completeness')
    .description(
      'which compounds known to be stable a chemical system lacks; without one: a summary of the site',
    )
    .argument('[system]', 'elements, e.g. Li-C-O')
    .option('--scale <name>', "an energy scale; the site's own when absent")
    .option(
      '--load <file>',
      'read a list of the compositions known to be stable on a scale (docs/operating/operations.md)',
    )
    .option('--source <text>', 'with --load: citation and licence of the list')
    .option('--json', 'for machines')
    .action((system: string | undefined, flags: CompletenessFlags) =>
      withContext(async (context) => {
        if (flags.load !== undefined) return load(context, flags.load, flags);
        if (system !== undefined) return tell(context, system, flags);
        for (const sentence of await gapSentences(context)) context.print(sentence);
      }),
    );
}
