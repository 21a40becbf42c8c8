/**
 * Carries total energies of our own first-principles runs into `seed-data/own-energies.csv`.
 * Run: `node --import tsx workshop/generators/seed/import-own-energies.ts <folder or file>…`, then the generator. Folders hold
 * result JSON files as import-pipeline-results.ts reads them; files hold the JSON lines of workshop/bench/run4u.ts. A result
 * belongs to the compound with its composition and space group, a molecule to the one reference state of its element. The
 * first result for a compound counts.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFormula, reducedFormula } from '@unitcell/crystal';
import type { Compound } from './compound.ts';
import type { OwnEnergy } from './own-energy.ts';
import { readCompounds, SEED_DIRECTORY } from './seed-files.ts';

/** eV; results with another cutoff are on another scale. */
const CUTOFF_EV = 598.7;

/** One of our results, whichever program wrote it down. */
interface Result {
  readonly name: string;
  readonly formula: string;
  /** null: a molecule in a box. */
  readonly spaceGroup: number | null;
  readonly energyPerAtom: number;
  readonly cell: string;
  /** Checksums of the data sets by element, and what they were made with. */
  readonly digest: 'SHA-1' | 'SHA-256';
  readonly dataSets: Readonly<Record<string, string>>;
}

interface BatchFile {
  readonly id: string;
  readonly status: string;
  readonly method: {
    readonly data_sets: Record<string, string>;
    readonly ecut_ev: number;
    readonly preset: string;
  };
  readonly structure: {
    readonly species: readonly string[];
    readonly symmetry: { readonly number: number; readonly conventional: readonly number[] } | null;
  };
  readonly energy_per_atom: number;
}

interface BenchLine {
  readonly case: string;
  readonly status: string;
  readonly spaceGroup: number;
  readonly cellAngstrom: readonly number[];
  readonly energyEvPerAtom: number;
  readonly dataSets: Record<string, string>;
}

const lengths = (cell: readonly number[]): string =>
  `relaxed, ${cell
    .slice(0, 3)
    .map((length) => length.toFixed(3))
    .join(' × ')} Å`;

function fromBatchFile(text: string): Result | null {
  const { id, status, method, structure, energy_per_atom } = JSON.parse(text) as BatchFile;
  if (status !== 'ok' || method.preset !== 'standard' || method.ecut_ev !== CUTOFF_EV) return null;
  const { species, symmetry } = structure;
  return {
    name: `batch run ${id}`,
    formula: species.join(''),
    spaceGroup: symmetry?.number ?? null,
    energyPerAtom: energy_per_atom,
    cell: symmetry ? lengths(symmetry.conventional) : `molecule of ${species.length} atoms in a box`,
    digest: 'SHA-1',
    dataSets: method.data_sets,
  };
}

function fromBenchLine(text: string): Result | null {
  if (!text.startsWith('{"case"')) return null;
  const line = JSON.parse(text) as BenchLine;
  const [name = '', preset] = line.case.split(' ');
  if (line.status !== 'finished' || preset !== 'standard') return null;
  return {
    name: `Run4U ${name}`,
    formula: name.split('/')[0] ?? '',
    spaceGroup: line.spaceGroup,
    energyPerAtom: line.energyEvPerAtom,
    cell: lengths(line.cellAngstrom),
    digest: 'SHA-256',
    dataSets: line.dataSets,
  };
}

const resultsIn = (path: string): (Result | null)[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => fromBatchFile(readFileSync(join(path, name), 'utf8')))
    : readFileSync(path, 'utf8').split('\n').map(fromBenchLine);

function compoundOf(result: Result, compounds: readonly Compound[]): Compound | undefined {
  const formula = reducedFormula(parseFormula(result.formula));
  return compounds.find(
    (compound) =>
      reducedFormula(parseFormula(compound.formula)) === formula &&
      (result.spaceGroup === null
        ? compound.known !== 'metastable'
        : compound.spaceGroupNumber === result.spaceGroup),
  );
}

function importResults(paths: readonly string[]): void {
  const compounds = readCompounds();
  const kept = new Map<number, OwnEnergy>();
  for (const result of paths.flatMap(resultsIn)) {
    if (result === null) continue;
    const compound = compoundOf(result, compounds);
    if (compound === undefined) console.log(`${result.name}: left out, the seed has no such compound`);
    if (compound === undefined || kept.has(compound.structId)) continue;
    kept.set(compound.structId, {
      structId: compound.structId,
      formula: compound.formula,
      energyPerAtom: result.energyPerAtom,
      cell: result.cell,
      source: result.name,
      dataSets: `${result.digest}: ${Object.keys(result.dataSets)
        .sort()
        .map((element) => `${element} ${result.dataSets[element]?.slice(0, 12)}`)
        .join('; ')}`,
    });
  }
  const rows = [...kept.values()].sort((one, other) => one.structId - other.structId);
  const text = [
    '# Total energies computed for this project, eV/atom: ABINIT 9.6.2, PBE, gpaw-data, preset standard (22 Ha). SOURCES.md says more.',
    'struct_id,formula,energy_per_atom,cell,source,data_sets',
    ...rows.map(({ structId, formula, energyPerAtom, cell, source, dataSets }) =>
      [structId, formula, energyPerAtom.toFixed(6), `"${cell}"`, source, dataSets].join(','),
    ),
  ];
  writeFileSync(join(SEED_DIRECTORY, 'own-energies.csv'), `${text.join('\n')}\n`);
  console.log(`${rows.length} compounds with an energy of our own`);
}

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error('Which results? Give folders with result JSON files, or files with lines of the benchmark.');
  process.exitCode = 1;
} else importResults(paths);
