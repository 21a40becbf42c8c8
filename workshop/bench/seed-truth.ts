/**
 * The seed against every independent set at hand: `node --import tsx workshop/bench/seed-truth.ts [--details]`.
 * Prints one JSON line per property: rows that agree, rows that deviate, rows nothing can be compared with; with `--details` each
 * deviation. Needs the data sets beside the checkout. docs/seed.md holds a run.
 */
import { truthOfStructures } from '../generators/seed/facts/truth-of-structures.ts';
import { truthOfTables } from '../generators/seed/facts/truth-of-tables.ts';
import { truthOfHulls } from '../generators/seed/facts/truth-of-hulls.ts';
import type { Truth } from '../generators/seed/facts/truth.ts';
import { readCompounds, readProperties } from '../generators/seed/seed-files.ts';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';

if (!hasSharedData) {
  process.stderr.write('The data sets do not lie beside this checkout: nothing to compare with.\n');
  process.exit(1);
}

const withDetails = process.argv.includes('--details');
const folder = sharedPath('datasets');
const compounds = readCompounds();
const print = ({ deviations, ...summary }: Truth): void => {
  process.stdout.write(`${JSON.stringify({ ...summary, deviate: deviations.length })}\n`);
  if (withDetails) for (const deviation of deviations) process.stdout.write(`    ${deviation}\n`);
};

for (const truth of truthOfStructures(folder, compounds)) print(truth);
for (const truth of truthOfTables(folder, compounds, readProperties())) print(truth);
for (const truth of truthOfHulls(folder, compounds)) print(truth);
