/**
 * pymatgen's ComputedStructureEntry as the Materials Project and Alexandria publish it → draft.
 * `energy` there is the uncorrected total energy of the cell and `correction` what its scheme adds.
 */
import { structureJson } from '@unitcell/contract/results';
import { atomCount, compositionOf, fromPymatgenDict, type Structure } from '@unitcell/crystal';
import { mp2020Correction } from '@unitcell/phase-equilibria';
import { type MaterialDraft, NO_PROPERTIES, NOTHING_GIVEN } from '@unitcell/material';
import { z } from 'zod';
import { firstIssue, RefusedUnit } from './refused-unit.ts';
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

type Entry = z.infer<typeof computedEntry>;

/** GGA and GGA+U energies of the Materials Project after Wang et al. (2021). */
export const MP2020_SCALE = 'PBE (MP2020)';
/** eV/atom by which a published correction may differ from ours. */
const SAME_CORRECTION = 1e-3;

const oxidationStates = z.record(z.string(), z.number());

/**
 * Energy of the cell and its scale. GGA and GGA+U energies are on one scale once they are corrected by MP2020, which is told by
 * calculating the corrections again; raw ones of the Materials Project get them here.
 * @throws RefusedUnit when the correction is of another scheme, and no scale was named for it
 */
function energyOf(entry: Entry, structure: Structure, scale: string | undefined) {
  const { energy, correction, parameters } = entry;
  const runType = parameters?.run_type;
  const asGiven = { energy: energy + correction, source: { correction } };
  if (!runType) return { ...asGiven, functional: UNNAMED_SCALE };
  if (runType !== 'GGA' && runType !== 'GGA+U') return { ...asGiven, functional: runType };
  const states = oxidationStates.safeParse(entry.data?.['oxidation_states']);
  const own = mp2020Correction({
    structure,
    hubbards: parameters?.hubbards ?? {},
    ...(states.success ? { oxidationStates: states.data } : {}),
  });
  const atoms = atomCount(compositionOf(structure));
  if ('correction' in own && Math.abs(own.correction - correction) <= SAME_CORRECTION * atoms)
    return { ...asGiven, functional: MP2020_SCALE };
  const isRaw = correction === 0 && /^(?:mp|mvc)-/.test(String(entry.entry_id ?? ''));
  if ('correction' in own && isRaw)
    return {
      energy: energy + own.correction,
      functional: MP2020_SCALE,
      source: { correction: own.correction, scheme: 'MP2020, calculated at import' },
    };
  if (scale === undefined)
    throw new RefusedUnit(
      `its correction of ${correction} eV is not that of MP2020 (${'reason' in own ? own.reason : `${own.correction.toFixed(3)} eV`}): if it is of another scheme, name its energy scale with --scale NAME`,
    );
  return { ...asGiven, functional: UNNAMED_SCALE };
}

export const isComputedEntry = (json: unknown): boolean =>
  typeof json === 'object' &&
  json !== null &&
  'structure' in json &&
  ('entry_id' in json || /ComputedStructureEntry/.test(String((json as { '@class'?: unknown })['@class'])));

/** @throws RefusedUnit when the object is no such entry, CrystalError when its structure is none */
export function draftFromComputedEntry(json: unknown, scale?: string): MaterialDraft {
  const parsed = computedEntry.safeParse(json);
  if (!parsed.success) throw new RefusedUnit(firstIssue(parsed.error));
  const entry = parsed.data;
  const structure = fromPymatgenDict(entry.structure);
  const hubbards = entry.parameters?.hubbards ?? {};
  const data = entry.data ?? {};
  const { energy, functional, source } = energyOf(entry, structure, scale);
  return {
    structId: null,
    structure,
    energies: [
      {
        functional,
        energyPerAtom: energy / atomCount(compositionOf(structure)),
        formationEnergyPerAtom: null,
        source,
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
