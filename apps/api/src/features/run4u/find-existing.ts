/** Is this crystal in the database already? A structure match, not a formula match. Runs in a worker thread. */
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { findMatches, matchStructures, prepareCandidate, prepareStructure } from '@unitcell/symmetry';

export interface ExistingRequest {
  readonly cell: CompactCell;
  /** Stored materials of the same reduced formula, best first. */
  readonly candidates: readonly { readonly structId: number; readonly cell: CompactCell }[];
}

export interface ExistingMaterial {
  readonly structId: number;
  /** Root mean square displacement in units of (V/atom)^(1/3). */
  readonly rms: number;
}

/** The stored material that resembles the structure most, within the matcher's default tolerances. */
export function findExisting({ cell, candidates }: ExistingRequest): ExistingMaterial | null {
  const candidate = prepareCandidate(fromCompactCell(cell));
  const stored = candidates.map((one) => prepareStructure(fromCompactCell(one.cell)));
  let best: ExistingMaterial | null = null;
  for (const { index, match } of findMatches(candidate, stored))
    if (!best || match.rms < best.rms) best = { structId: candidates[index]!.structId, rms: match.rms };
  return best;
}

/** How far two cells are from each other; null when they are different crystals. */
export const rmsBetween = ({ a, b }: { readonly a: CompactCell; readonly b: CompactCell }): number | null =>
  matchStructures(fromCompactCell(a), fromCompactCell(b))?.rms ?? null;
