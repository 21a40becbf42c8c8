/**
 * Carries results of the first-principles pipeline into `seed-data/bands/`, one file per compound they belong to.
 * Run: `node --import tsx workshop/generators/seed/import-pipeline-results.ts <folder with result JSON files>…`,
 * then the generator. A result belongs to the compound with its composition and space group.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFormula, reducedFormula } from '@unitcell/crystal';
import { electronicResult, type PipelineResult } from './electronic-result.ts';
import { readCompounds, SEED_DIRECTORY } from './seed-files.ts';

const compoundKey = (formula: string, spaceGroup: number): string =>
  `${reducedFormula(parseFormula(formula))} ${spaceGroup}`;

function importFolders(folders: readonly string[]): void {
  const compounds = new Map(
    readCompounds().map((compound) => [compoundKey(compound.formula, compound.spaceGroupNumber), compound]),
  );
  const directory = join(SEED_DIRECTORY, 'bands');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const written = new Set<number>();
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name)),
  );
  for (const name of files) {
    const result = JSON.parse(readFileSync(name, 'utf8')) as PipelineResult;
    const kept = electronicResult(result);
    const { species, symmetry } = result.structure;
    const compound =
      symmetry === null ? undefined : compounds.get(compoundKey(species.join(''), symmetry.number));
    if (kept === undefined || compound === undefined || written.has(compound.structId)) {
      console.log(`${name}: left out (no bands, no such compound, or a second result for it)`);
      continue;
    }
    written.add(compound.structId);
    const file = `${String(compound.structId).padStart(4, '0')}-${compound.formula}.json`;
    writeFileSync(join(directory, file), `${JSON.stringify(kept)}\n`);
  }
  console.log(`${written.size} compounds with bands or density of states`);
}

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error('Which folders? Give the ones with the result JSON files as arguments.');
  process.exitCode = 1;
} else importFolders(folders);
