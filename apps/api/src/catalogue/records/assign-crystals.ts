/** Which crystals on their way in are in the catalogue already, or the same as one before them. Runs in a worker thread. */
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { type MatchCandidate, matchPrepared, prepareCandidate } from '@unitcell/symmetry';

/** Crystals of one key. */
export interface CrystalGroup {
  readonly stored: readonly { readonly structId: number; readonly cell: CompactCell }[];
  readonly fresh: readonly CompactCell[];
}

/** A stored material, or the position of an earlier fresh crystal of the group; null: it is new. */
export type Assignment = { readonly structId: number } | { readonly fresh: number } | null;

interface Known {
  readonly candidate: MatchCandidate;
  readonly is: NonNullable<Assignment>;
}

/** Each fresh crystal with the one it resembles most, within the matcher's tolerances and whatever the volume. */
function assignGroup({ stored, fresh }: CrystalGroup): Assignment[] {
  const known: Known[] = stored.map(({ structId, cell }) => ({
    candidate: prepareCandidate(fromCompactCell(cell)),
    is: { structId },
  }));
  return fresh.map((cell, position) => {
    const candidate = prepareCandidate(fromCompactCell(cell));
    const matches = known.flatMap(({ candidate: other, is }) => {
      const match = matchPrepared(other, candidate.prepared);
      return match ? [{ rms: match.rms, is }] : [];
    });
    const best = matches.sort((a, b) => a.rms - b.rms)[0];
    if (!best) known.push({ candidate, is: { fresh: position } });
    return best?.is ?? null;
  });
}

export const assignCrystals = (groups: readonly CrystalGroup[]): Assignment[][] => groups.map(assignGroup);
