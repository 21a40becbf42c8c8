/**
 * pymatgen's ComputedStructureEntry as the Materials Project and Alexandria publish it → draft.
 * `energy` there is the uncorrected total energy of the cell and `correction` what its scheme adds.
 */
import { structureJson } from '@unitcell/contract';
import { atomCount, compositionOf, fromPymatgenDict } from '@unitcell/crystal';
import { type MaterialDraft, NO_PROPERTIES, NOTHING_GIVEN } from '@unitcell/material';
import { z } from 'zod';
import { firstIssue } from './draft-from-import-line.ts';
import { RefusedUnit } from './refused-unit.ts';
import { UNNAMED_SCALE } from './stated-origin.ts';

const computedEntry = z.object({
  '@class': z.string().optional(),
  entry_id: z.union([z.string(), z.number()]).nullish(),
  structure: structureJson,
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
  if (!runType) return UNNAMED_SCALE;
  return runType === 'GGA' || runType === 'GGA+U' ? 'PBE (MP corrected)' : runType;
}

export const isComputedEntry = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  'structure' in json &&
  ('entry_id' in json || /ComputedStructureEntry/.test(String((json as { '@class'?: unknown })['@class'])));

/** @throws RefusedUnit when the object is no such entry, CrystalError when its structure is none */
export function draftFromComputedEntry(json: unknown): MaterialDraft {
  const parsed = computedEntry.safeParse(json);
  if (!parsed.success) throw new RefusedUnit(firstIssue(parsed.error));
  const entry = parsed.data;
  const structure = fromPymatgenDict(entry.structure);
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
    given: {
      ...NOTHING_GIVEN,
      bandGap: numberOf(data.band_gap) ?? numberOf(data.bandgap),
      fermiEnergy: numberOf(data.efermi),
      totalMagnetization: numberOf(data.total_magnetization),
      isHubbard: Object.values(hubbards).some((u) => u !== 0),
      sourceName: 'ComputedStructureEntry',
      sourceId: String(entry.entry_id ?? ''),
    },
    provenance: { run_type: entry.parameters?.run_type ?? null, hubbards },
    properties: NO_PROPERTIES,
  };
}
