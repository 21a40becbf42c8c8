/** The materials of the seed with their calculated patterns, as the matcher has them on a fresh site. */
import { readFileSync } from 'node:fs';
import { compositionOf, fromPymatgenDict, reducedFormula, type Structure } from '@unitcell/crystal';
import { packedPatternOf } from '@unitcell/diffraction';
import { simulatedMeasurement } from '../../packages/diffraction/src/testing/simulated-measurement.ts';
import { type CatalogueEntry, type KnownPattern, sortedFormula, spaceGroupKey } from './xrd-verdicts.ts';

const linesOf = (file: string): string[] =>
  readFileSync(new URL(`../../seed-data/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

/** Space group numbers by struct_id; quoted names hold the only commas before them. */
const spaceGroups = (): ReadonlyMap<number, number> =>
  new Map(
    linesOf('compounds.csv')
      .map((line) => line.replace(/"[^"]*"/g, '').split(','))
      .filter(([id]) => /^\d+$/.test(id ?? ''))
      .map((fields) => [Number(fields[0]), Number(fields[4])]),
  );

export interface SeedEntry extends CatalogueEntry {
  readonly structId: number;
  readonly structure: Structure;
}

export function seedCatalogue(): SeedEntry[] {
  const numbers = spaceGroups();
  return linesOf('generated/materials.jsonl').map((line) => {
    const row = JSON.parse(line) as { struct_id: number; structure: unknown };
    const structure = fromPymatgenDict(row.structure);
    return {
      structId: row.struct_id,
      structure,
      formula: sortedFormula(reducedFormula(compositionOf(structure))),
      spaceGroup: spaceGroupKey(numbers.get(row.struct_id) ?? 0),
      packed: packedPatternOf(structure),
    };
  });
}

/** One simulated measurement (simulated-measurement.ts) of every n-th material; no limit was chosen on any of them. */
export const simulatedPatterns = (catalogue: readonly SeedEntry[], every: number): KnownPattern[] =>
  catalogue
    .filter((_, i) => i % every === 0)
    .map(({ structId, structure, formula, spaceGroup }) => ({
      name: `simulated ${structId}`,
      formula,
      spaceGroup,
      isHeldOut: true,
      read: () => simulatedMeasurement(structure, { seed: structId }),
    }));
