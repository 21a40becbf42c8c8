/**
 * Finds new crystals that are already in the catalogue or equal an earlier crystal of the same batch. Runs in
 * a worker thread.
 */
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { type MatchCandidate, matchPrepared, prepareCandidate } from '@unitcell/symmetry';
import { draftFromImportLine } from '../import/draft/draft-from-import-line.ts';
import { standardise, type StandardMaterial } from '../standardise.ts';
import { composeMaterial } from './compose-material.ts';
import type { PartName, RecordFigures } from '../../infra/stored-json.ts';
import type { SourceOrder } from './source-order.ts';
import { COMPARED_OF_SOURCES, fields } from '@unitcell/material';
import { tensorScalars } from '../../domain/tensors.ts';

/** Enantiomorphic space groups: the second group of a pair is treated as the first. */
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

/** The space group number; for an enantiomorphic pair the first one. */
export const withoutHand = (spaceGroupNumber: number): number =>
  MIRROR_IMAGES.get(spaceGroupNumber) ?? spaceGroupNumber;

/**
 * Two structures are compared only if they share this key: reduced formula, and space group at a tolerance of
 * 0.1 Å. The tolerances of the matcher would also match a distorted phase with its parent (tetragonal and
 * cubic BaTiO3). The space group keeps polymorphs apart, as in the Materials Project (emmet-core,
 * `group_structures`).
 */
export const crystalKey = (formulaReduced: string, spaceGroupNumber: number): string =>
  `${formulaReduced} ${withoutHand(spaceGroupNumber)}`;

/** Crystals with the same key. */
export interface CrystalGroup {
  readonly stored: readonly { readonly structId: number; readonly cell: CompactCell }[];
  readonly fresh: readonly CompactCell[];
}

/** A stored material, or the position of an earlier new crystal of the group; null: the crystal is new. */
export type Assignment = { readonly structId: number } | { readonly fresh: number } | null;

interface Known {
  readonly candidate: MatchCandidate;
  readonly is: NonNullable<Assignment>;
}

/** Assigns each new crystal to the most similar known crystal within the matcher's tolerances, at any volume. */
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

// ── Composes materials with several sources from their records. Runs in a worker thread ──

export interface MergeRequest {
  /** The records of the material in order of arrival, as lines of the import format. */
  readonly lines: readonly object[];
  readonly order: SourceOrder;
}

interface MergedMaterial {
  readonly material: StandardMaterial;
  /** Compared values of each record in `lines`. */
  readonly figures: readonly RecordFigures[];
}

function mergeOne({ lines, order }: MergeRequest): MergedMaterial {
  const records = lines.map((line) => standardise(draftFromImportLine(line), true));
  const { material, shown } = composeMaterial(records, order);
  return { material, figures: records.map((record, index) => recordFigures(record, shown[index] ?? [])) };
}

export const mergeRecords = (requests: readonly MergeRequest[]): MergedMaterial[] => requests.map(mergeOne);

/** The slow work of storing a batch; runs in worker threads if there are any. */
export interface CrystalWork {
  assignCrystals(...given: Parameters<typeof assignCrystals>): Promise<ReturnType<typeof assignCrystals>>;
  mergeRecords(...given: Parameters<typeof mergeRecords>): Promise<ReturnType<typeof mergeRecords>>;
}

/** Does the work of storing a batch in the current thread. */
export const IN_THIS_THREAD: CrystalWork = {
  assignCrystals: async (groups) => assignCrystals(groups),
  mergeRecords: async (requests) => mergeRecords(requests),
};

// ── Values of one source that are compared with other sources, and the parts of the source that are shown ──

function recordFigures(record: StandardMaterial, shown: readonly PartName[]): RecordFigures {
  const { dielectric } = tensorScalars(record.properties.tensors);
  const values: Record<string, number | null | undefined> = {
    volume_per_atom: record.volume / record.nAtoms,
    band_gap: record.bandGap,
    magnetization_per_atom: record.totalMagnetization && record.totalMagnetization / record.nAtoms,
    k_vrh: record.bulkModulus,
    g_vrh: record.shearModulus,
    epsilon_electronic: dielectric?.meanElectronic,
    ...Object.fromEntries(COMPARED_OF_SOURCES.map((name) => [fields[name].column, record[name]])),
    epsilon_total: record.properties.tensors.dielectric?.total && dielectric?.meanTotal,
  };
  for (const { functional, energyPerAtom, formationEnergyPerAtom } of record.energies) {
    values[`formation_energy:${functional}`] = formationEnergyPerAtom;
    values[`energy:${functional}`] = energyPerAtom;
  }
  const known = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  );
  return { spaceGroup: record.spaceGroup, values: Object.fromEntries(known), shown };
}
