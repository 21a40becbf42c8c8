/**
 * Quality of the XRD matcher on simulated measurements of every seed material: is the material, or a structure that
 * matches it, the first hit?
 *
 *   npx tsx workshop/bench/xrd-seed-quality.ts           among the seed materials
 *   npx tsx workshop/bench/xrd-seed-quality.ts --big     among them and the 154,925 structures of datasets/mp-structures;
 *                                                       there one of the same formula and space group counts as well
 *
 * Noise (standard deviation 5 % of the highest point), background, 0.05° zero shift, 30 nm crystallites and preferred
 * orientation on one axis: packages/diffraction/src/testing/simulated-measurement.ts. "Filter": exactly the elements of
 * the material. Prints every miss and one summary line per method.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  chemicalSystem,
  compositionOf,
  fromPymatgenDict,
  reducedFormula,
  type Structure,
} from '@unitcell/crystal';
import {
  buildPatternIndex,
  type MatchMethod,
  packedPatternOf,
  preparePatternQuery,
  removeBackground,
  type SearchHit,
  searchPatterns,
} from '@unitcell/diffraction';
import { analyzeSymmetry, matchStructures } from '@unitcell/symmetry';
import { simulatedMeasurement } from '../../packages/diffraction/src/testing/simulated-measurement.ts';
import { mpPatterns } from './mp-patterns.ts';

const seedFile = join(dirname(fileURLToPath(import.meta.url)), '../../seed-data/generated/materials.jsonl');

interface Entry {
  readonly formula: string;
  readonly system: string;
  readonly spaceGroup: () => number;
  readonly structure?: Structure;
  readonly packed: Uint8Array;
}

function seedEntries(): Entry[] {
  const lines = readFileSync(seedFile, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const structure = fromPymatgenDict((JSON.parse(line) as { structure: unknown }).structure);
    const composition = compositionOf(structure);
    return {
      formula: reducedFormula(composition),
      system: chemicalSystem(composition),
      spaceGroup: () => analyzeSymmetry(structure).spaceGroup.number,
      structure,
      packed: packedPatternOf(structure),
    };
  });
}

const systemOfFormula = (formula: string): string =>
  [...new Set(formula.match(/[A-Z][a-z]?/g) ?? [])].sort().join('-');

const seeds = seedEntries();
const entries = [...seeds];
if (process.argv.includes('--big')) {
  const { rows, packed } = mpPatterns();
  for (const [i, [, formula, number]] of rows.entries())
    entries.push({
      formula,
      system: systemOfFormula(formula),
      spaceGroup: () => number,
      packed: packed[i] ?? new Uint8Array(),
    });
}
const index = buildPatternIndex(entries.map(({ packed }, id) => ({ id, packed })));

/** Whether the hit is the material, or one that cannot be told from it by its structure. */
function isRight(wanted: number, hit: SearchHit | undefined): boolean {
  if (!hit || hit.id === wanted) return hit !== undefined;
  const [one, other] = [entries[wanted], entries[hit.id]];
  if (!one?.structure || !other || one.formula !== other.formula) return false;
  if (other.structure) return matchStructures(one.structure, other.structure) !== null;
  return one.spaceGroup() === other.spaceGroup();
}

for (const method of ['DTW', 'Euclidean'] as const satisfies MatchMethod[]) {
  const right = { all: 0, filtered: 0, top10: 0 };
  for (const [wanted, { structure, formula, system }] of seeds.entries()) {
    if (!structure) continue;
    const { x, y } = simulatedMeasurement(structure, { seed: wanted + 1 });
    const query = preparePatternQuery(x, removeBackground(x, y));
    const all = searchPatterns(index, query, { method });
    const candidates = [...entries.keys()].filter((i) => entries[i]?.system === system);
    const filtered = searchPatterns(index, query, { method, candidates });
    const ok = isRight(wanted, all[0]);
    const okFiltered = isRight(wanted, filtered[0]);
    right.all += Number(ok);
    right.filtered += Number(okFiltered);
    right.top10 += Number(all.some((hit) => isRight(wanted, hit)));
    if (!ok || !okFiltered)
      console.log(
        JSON.stringify({
          method,
          formula,
          first: all[0] && `${entries[all[0].id]?.formula} ${all[0].distance.toFixed(3)}`,
          own: all.find((hit) => hit.id === wanted)?.distance.toFixed(3),
          rank: all.findIndex((hit) => hit.id === wanted) + 1,
          firstFiltered:
            filtered[0] && `${entries[filtered[0].id]?.formula} ${filtered[0].distance.toFixed(3)}`,
          rankFiltered: filtered.findIndex((hit) => hit.id === wanted) + 1,
          sizeNm: Math.round(query.crystalliteSizeNm),
        }),
      );
  }
  const percent = (count: number): number => Number(((100 * count) / seeds.length).toFixed(1));
  console.log(
    JSON.stringify({
      bench: 'xrd-seed-quality',
      method,
      materials: seeds.length,
      patterns: index.count,
      firstPercent: percent(right.all),
      top10Percent: percent(right.top10),
      filteredFirstPercent: percent(right.filtered),
    }),
  );
}
