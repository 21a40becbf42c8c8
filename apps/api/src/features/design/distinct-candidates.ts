/** Which candidates are crystals of their own, and which the catalogue has. Runs in worker threads. */
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { findMatches, prepareCandidate, prepareStructure } from '@unitcell/symmetry';

/** Candidates of one reduced formula, best first, beside the materials of the catalogue of that formula. */
export interface FormulaGroup {
  readonly candidates: readonly CompactCell[];
  readonly known: readonly { readonly structId: number; readonly cell: CompactCell }[];
}

export interface Distinct {
  /** Place of the better candidate that is the same crystal; null: it is one of its own. */
  readonly sameAs: number | null;
  /** The material of the catalogue that is the same crystal; null: there is none. */
  readonly knownId: number | null;
}

/** For each group its candidates in their order. Two are the same crystal by the matcher's default tolerances, at any volume. */
export const distinctCandidates = (groups: readonly FormulaGroup[]): Distinct[][] =>
  groups.map(({ candidates, known }) => {
    const stored = known.map(({ cell }) => prepareStructure(fromCompactCell(cell)));
    const kept: { readonly place: number; readonly prepared: ReturnType<typeof prepareStructure> }[] = [];
    return candidates.map((cell, place) => {
      const candidate = prepareCandidate(fromCompactCell(cell));
      const [same] = findMatches(
        candidate,
        kept.map(({ prepared }) => prepared),
      );
      if (same) return { sameAs: kept[same.index]!.place, knownId: null };
      kept.push({ place, prepared: candidate.prepared });
      const [material] = findMatches(candidate, stored);
      return { sameAs: null, knownId: material ? known[material.index]!.structId : null };
    });
  });
