/**
 * Writes `seed-data/computed-structures.csv`: cell and shortest distances of the computed structure behind every row of the
 * seed whose own cell or positions come from elsewhere, so that a slip in a measured structure shows without the data sets.
 * Run: `node --import tsx workshop/generators/seed/facts/write-computed-structures.ts <folder of the data sets>`
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStructure } from '../build-structure.ts';
import { shortestDistances } from '../bond-lengths.ts';
import { compoundFrom } from '../compound.ts';
import { readCompounds, SEED_DIRECTORY } from '../seed-files.ts';
import { computedRow } from './computed-row.ts';
import { compositionKey, readComputedEntries } from './read-facts.ts';

const HEADER = [
  '# Cells (Å, degrees) and shortest distances (Å) of the computed structures (PBE, Materials Project, CC BY 4.0) of rows with a measured',
  '# cell or position in compounds.csv. Written by workshop/generators/seed/facts/write-computed-structures.ts; the seed is not made from it.',
  'struct_id,formula,mp_id,sg,a,b,c,beta,shortest',
];

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Where are the data sets? Give their folder.');
  process.exitCode = 1;
} else {
  const measured = readCompounds().filter(
    ({ mpId, structureSource }) => mpId !== '' && !structureSource.startsWith('cell and positions: mp-'),
  );
  const keys = new Set(measured.map(({ formula }) => compositionKey(formula)));
  const ids = new Map(
    [...readComputedEntries(folder, (key) => keys.has(key)).values()]
      .flat()
      .map((entry) => [entry.id, entry]),
  );
  const lines: string[] = [];
  for (const { structId, formula, mpId } of measured) {
    const entry = ids.get(mpId);
    if (entry === undefined) continue;
    try {
      const row = computedRow(entry);
      const { cell } = compoundFrom(row);
      const shortest = shortestDistances(buildStructure(compoundFrom(row)))
        .map(({ pair, distance }) => `${pair} ${distance.toFixed(3)}`)
        .join('; ');
      lines.push([structId, formula, mpId, row['sg'], cell.a, cell.b, cell.c, cell.beta, shortest].join(','));
    } catch (error) {
      console.log(`${structId} ${formula} ${mpId}: ${(error as Error).message}`);
    }
  }
  writeFileSync(join(SEED_DIRECTORY, 'computed-structures.csv'), `${[...HEADER, ...lines].join('\n')}\n`);
  console.log(`${lines.length} computed structures`);
}
