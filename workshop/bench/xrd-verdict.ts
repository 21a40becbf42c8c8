/**
 * How far the verdict of the XRD matcher can be trusted: the measured patterns of datasets/xrd-exp against the materials of the
 * seed and against the 154,925 structures of datasets/mp-structures, once as they are and once with every structure of the
 * pattern's formula taken out, when nothing may be called confident.
 *
 *   npm run bench -- xrd-verdict                 the patterns held back: what docs/science/xrd-matching.md and the page state
 *   npm run bench -- xrd-verdict --tuning        the patterns the limits of judge-match.ts were chosen on
 *   … --seed                                     the seed alone;   … --list   one line per pattern
 *   … --simulated                                simulated measurements of every tenth material of the seed as well
 *
 * A pattern is for tuning when the first eight hexadecimal digits of the SHA-256 of its file name are a multiple of three: 10 of
 * 33. Right is a named candidate of the formula and space group of the pattern's reference, mirror images counted as one.
 */
import {
  tallyOf,
  measuredPatterns,
  sortedFormula,
  spaceGroupKey,
  verdictsOf,
  type CatalogueEntry,
  type KnownPattern,
} from './xrd-verdicts.ts';
import { seedCatalogue, simulatedPatterns } from './xrd-seed-catalogue.ts';
import { mpPatterns } from './mp-patterns.ts';

const has = (flag: string): boolean => process.argv.includes(flag);

function mpCatalogue(): CatalogueEntry[] {
  const { rows, packed } = mpPatterns();
  return rows.map(([, formula, number], i) => ({
    formula: sortedFormula(formula),
    spaceGroup: spaceGroupKey(number),
    packed: packed[i] ?? new Uint8Array(),
  }));
}

function print(
  part: string,
  name: string,
  patterns: readonly KnownPattern[],
  catalogue: readonly CatalogueEntry[],
): void {
  const verdicts = verdictsOf(patterns, catalogue);
  if (has('--list')) for (const verdict of verdicts) console.log(JSON.stringify(verdict));
  console.log(
    JSON.stringify({
      bench: 'xrd-verdict',
      part,
      catalogue: name,
      materials: catalogue.length,
      ...tallyOf(verdicts),
    }),
  );
}

/** One in so many materials of the seed is simulated. */
const SIMULATED_EVERY = 10;

const isTuning = has('--tuning');
const part = isTuning ? 'tuning' : 'held back';
const patterns = measuredPatterns().filter(({ isHeldOut }) => isHeldOut !== isTuning);
const seed = seedCatalogue();
print(part, 'seed', patterns, seed);
if (has('--simulated')) print('simulated', 'seed', simulatedPatterns(seed, SIMULATED_EVERY), seed);
if (!has('--seed')) print(part, 'mp-structures', patterns, mpCatalogue());
