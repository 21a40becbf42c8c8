/** Finds whether a crystal is already in the catalogue. Structures are compared, not formulas. */
import { type CompactCell, fromCompactCell, type Structure } from '@unitcell/crystal';
import { findMatches, prepareCandidate, prepareStructure } from '@unitcell/symmetry';
import type { Db } from '../infra/database.ts';

/** Largest number of stored materials of one formula; no formula has more in the largest public catalogues. */
const MOST_FORMS = 500;

export interface StoredCell {
  readonly structId: number;
  readonly cell: CompactCell;
}

export interface ExistingMaterial {
  readonly structId: number;
  /** Root mean square displacement in units of (V/atom)^(1/3). */
  readonly rms: number;
}

/** Stored materials of a reduced formula, lowest energy first. */
export const materialsOfFormula = (db: Db, formulaReduced: string): Promise<StoredCell[]> =>
  db
    .selectFrom('material')
    .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
    .select(['material.struct_id as structId', 'given as cell'])
    .where('formula_reduced', '=', formulaReduced)
    .orderBy('energy_above_hull')
    .orderBy('material.struct_id')
    .limit(MOST_FORMS)
    .execute();

/** The most similar stored material within the matcher's default tolerances. For worker threads. */
export function mostSimilar(
  structure: Structure,
  candidates: readonly StoredCell[],
): ExistingMaterial | null {
  const stored = candidates.map((one) => prepareStructure(fromCompactCell(one.cell)));
  let best: ExistingMaterial | null = null;
  for (const { index, match } of findMatches(prepareCandidate(structure), stored))
    if (!best || match.rms < best.rms) best = { structId: candidates[index]!.structId, rms: match.rms };
  return best;
}
