/**
 * A catalogue for tests of the search: the seed materials, or those of any file in the import format, with
 * their index.
 */
import {
  anonymousFormula,
  chemicalSystem,
  compositionOf,
  fromPymatgenDict,
  reducedFormula,
  type Structure,
} from '@unitcell/crystal';
import { buildPatternIndex, packedPatternOf, type PatternIndex } from '../pattern-index.ts';

export interface CatalogueMaterial {
  readonly id: number;
  readonly structure: Structure;
  readonly formula: string;
  readonly anonymousFormula: string;
  readonly system: string;
}

export interface Catalogue {
  /** Sorted by id, like the index. */
  readonly materials: readonly CatalogueMaterial[];
  readonly index: PatternIndex;
}

/** @param text one material in a line: `seed-data/generated/materials.jsonl` */
export function catalogueOf(text: string): Catalogue {
  const materials = text
    .trim()
    .split('\n')
    .map((line): CatalogueMaterial => {
      const row = JSON.parse(line) as { struct_id: number; structure: unknown };
      const structure = fromPymatgenDict(row.structure);
      const composition = compositionOf(structure);
      return {
        id: row.struct_id,
        structure,
        formula: reducedFormula(composition),
        anonymousFormula: anonymousFormula(composition),
        system: chemicalSystem(composition),
      };
    })
    .sort((a, b) => a.id - b.id);
  const index = buildPatternIndex(
    materials.map(({ id, structure }) => ({ id, packed: packedPatternOf(structure) })),
  );
  return { materials, index };
}
