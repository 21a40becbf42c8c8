/** The materials of the seed with their calculated patterns, as the matcher has them on a fresh site. */
import { readFileSync } from 'node:fs';
import { compositionOf, fromPymatgenDict, reducedFormula } from '@unitcell/crystal';
import { packedPatternOf } from '@unitcell/diffraction';
import { type CatalogueEntry, sortedFormula, spaceGroupKey } from './xrd-verdicts.ts';

const linesOf = (file: string): string[] =>
  readFileSync(new URL(`../../../seed-data/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

/** Space group numbers by struct_id; only quoted names contain commas before them. */
const spaceGroups = (): ReadonlyMap<number, number> =>
  new Map(
    linesOf('compounds.csv')
      .map((line) => line.replace(/"[^"]*"/g, '').split(','))
      .filter(([id]) => /^\d+$/.test(id ?? ''))
      .map((fields) => [Number(fields[0]), Number(fields[4])]),
  );

export function seedCatalogue(): CatalogueEntry[] {
  const numbers = spaceGroups();
  return linesOf('generated/materials.jsonl').map((line) => {
    const row = JSON.parse(line) as { struct_id: number; structure: unknown };
    const structure = fromPymatgenDict(row.structure);
    return {
      formula: sortedFormula(reducedFormula(compositionOf(structure))),
      spaceGroup: spaceGroupKey(numbers.get(row.struct_id) ?? 0),
      packed: packedPatternOf(structure),
    };
  });
}
