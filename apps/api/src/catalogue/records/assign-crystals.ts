/** Which crystals on their way in are in the catalogue already, or the same as one before them. Runs in a worker thread. */
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { type MatchCandidate, matchPrepared, prepareCandidate } from '@unitcell/symmetry';
import { draftFromImportLine } from '../import/draft/draft-from-import-line.ts';
import { standardise, type StandardMaterial } from '../standardise.ts';
import { composeMaterial } from './compose-material.ts';
import { type RecordFigures, recordFigures } from './record-figures.ts';
import type { SourceOrder } from './source-order.ts';

/** Space groups that are mirror images of each other: the second of a pair counts as the first. */
const MIRROR_IMAGES: ReadonlyMap<number, number> = new Map([
  [78, 76],
  [95, 91],
  [96, 92],
  [145, 144],
  [153, 151],
  [154, 152],
  [170, 169],
  [172, 171],
  [179, 178],
  [181, 180],
  [213, 212],
]);

/** The space group's number; of one of a pair that are mirror images, the first. */
export const withoutHand = (spaceGroupNumber: number): number =>
  MIRROR_IMAGES.get(spaceGroupNumber) ?? spaceGroupNumber;

/**
 * What two materials must share before their structures are compared: reduced formula and space group at 0.1 Å.
 * The matcher's tolerances also let a distorted phase match its parent (tetragonal and cubic BaTiO3): the space group keeps
 * polymorphs apart, as it does in the Materials Project (emmet-core, `group_structures`).
 */
export const crystalKey = (formulaReduced: string, spaceGroupNumber: number): string =>
  `${formulaReduced} ${withoutHand(spaceGroupNumber)}`;

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

// ── Materials that several sources speak of, composed anew from their records. Runs in a worker thread ──

export interface MergeRequest {
  /** Its records in the order they came, as lines of the import format. */
  readonly lines: readonly object[];
  readonly order: SourceOrder;
}

interface MergedMaterial {
  readonly material: StandardMaterial;
  /** Of `lines`. */
  readonly figures: readonly RecordFigures[];
}

function mergeOne({ lines, order }: MergeRequest): MergedMaterial {
  const records = lines.map((line) => standardise(draftFromImportLine(line), true));
  const { material, shown } = composeMaterial(records, order);
  return { material, figures: records.map((record, index) => recordFigures(record, shown[index] ?? [])) };
}

export const mergeRecords = (requests: readonly MergeRequest[]): MergedMaterial[] => requests.map(mergeOne);

/** What takes time while a batch is stored: in worker threads where there are some. */
export interface CrystalWork {
  assignCrystals(...given: Parameters<typeof assignCrystals>): Promise<ReturnType<typeof assignCrystals>>;
  mergeRecords(...given: Parameters<typeof mergeRecords>): Promise<ReturnType<typeof mergeRecords>>;
}

/** The same in this thread. */
export const IN_THIS_THREAD: CrystalWork = {
  assignCrystals: async (groups) => assignCrystals(groups),
  mergeRecords: async (requests) => mergeRecords(requests),
};
