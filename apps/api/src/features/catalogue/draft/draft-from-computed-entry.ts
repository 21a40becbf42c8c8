/**
 * pymatgen's ComputedStructureEntry as the Materials Project and Alexandria publish it → draft.
 * `energy` there is the uncorrected total energy of the cell and `correction` what its scheme adds.
 */
import { importStructure } from '@unitcell/contract';
import { atomCount, compositionOf } from '@unitcell/crystal';
import { z } from 'zod';
import { firstIssue, toStructure } from './draft-from-import-line.ts';
import { type MaterialDraft, NO_NAMES, RefusedUnit } from './material-draft.ts';

const computedEntry = z.object({
  '@class': z.string().optional(),
  entry_id: z.union([z.string(), z.number()]).nullish(),
  structure: importStructure,
  energy: z.number(),
  correction: z.number().default(0),
  parameters: z
    .object({ run_type: z.string().nullish(), hubbards: z.record(z.string(), z.number()).nullish() })
    .loose()
    .nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
});

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** GGA and GGA+U energies are made compatible by the scheme's corrections and share one scale. */
function scaleOf(runType: string | null | undefined): string {
  const type = runType ?? 'GGA';
  return type === 'GGA' || type === 'GGA+U' ? 'PBE (MP corrected)' : type;
}

export const isComputedEntry = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  'structure' in json &&
  ('entry_id' in json || /ComputedStructureEntry/.test(String((json as { '@class'?: unknown })['@class'])));

/** @throws RefusedUnit when the object is no such entry */
export function draftFromComputedEntry(json: unknown): MaterialDraft {
  const parsed = computedEntry.safeParse(json);
  if (!parsed.success) throw new RefusedUnit(firstIssue(parsed.error));
  const entry = parsed.data;
  const structure = toStructure(entry.structure);
  const hubbards = entry.parameters?.hubbards ?? {};
  const data = entry.data ?? {};
  return {
    structId: null,
    structure,
    energies: [
      {
        functional: scaleOf(entry.parameters?.run_type),
        energyPerAtom: (entry.energy + entry.correction) / atomCount(compositionOf(structure)),
        formationEnergyPerAtom: null,
        source: { correction: entry.correction },
      },
    ],
    bandGap: numberOf(data.band_gap) ?? numberOf(data.bandgap),
    bandGapType: null,
    fermiEnergy: numberOf(data.efermi),
    totalMagnetization: numberOf(data.total_magnetization),
    isHubbard: Object.values(hubbards).some((u) => u !== 0),
    names: NO_NAMES,
    source: { name: 'ComputedStructureEntry', id: String(entry.entry_id ?? ''), licence: '', url: null },
    provenance: { run_type: entry.parameters?.run_type ?? null, hubbards },
    properties: {},
  };
}
