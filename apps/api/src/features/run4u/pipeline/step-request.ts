/** From what is known of a submission to the request of one calculation. */
import {
  type CalculationStep,
  type DataSet,
  guessIsMetal,
  PRESETS,
  type PresetName,
  sampleBandPath,
  startingMoments,
  type StepRequest,
} from '@unitcell/calculators';
import { type CompactCell, fromCompactCell, type Structure, toCompactCell } from '@unitcell/crystal';
import { kPath } from '@unitcell/symmetry';
import type { SubmissionState } from './submission-state.ts';

/** Å. Symmetry that is in the file up to its rounding is made exact; nothing more is invented. */
export const CALCULATION_SYMPREC = 0.01;

/**
 * The primitive standard cell of a structure with the band path whose k-points refer to exactly this cell, and the
 * guesses to start from.
 */
export function standardGeometry(structure: Structure, preset: PresetName) {
  const path = kPath(structure, { symprec: CALCULATION_SYMPREC });
  const { primitiveStandard, reciprocalLattice } = path;
  const { kPoints, kDistance, labels } = sampleBandPath(path, PRESETS[preset].bandDensity);
  return {
    cell: toCompactCell(primitiveStandard),
    moments: startingMoments(primitiveStandard),
    isMetal: guessIsMetal(primitiveStandard),
    kPoints,
    kDistance,
    kLabels: labels,
    reciprocalLattice,
  } satisfies Partial<SubmissionState>;
}

export interface RequestContext {
  readonly title: string;
  readonly preset: PresetName;
  readonly dataSets: Readonly<Record<string, DataSet>>;
}

export const elementsOf = (cell: CompactCell): string[] => [...new Set(cell.species.map(String))].sort();

export function stepRequest<S extends CalculationStep>(
  step: S,
  state: SubmissionState,
  { title, preset, dataSets }: RequestContext,
): StepRequest & { readonly step: S } {
  const structure = fromCompactCell(state.cell!);
  return {
    step,
    title,
    structure,
    preset,
    moments: state.moments ?? null,
    isMetal: state.isMetal ?? false,
    dataSets,
    workarounds: state.workarounds ?? [],
    ...(step === 'bands' ? { kPoints: state.kPoints ?? [] } : {}),
    ...(state.fermiEnergy === undefined ? {} : { fermiEnergy: state.fermiEnergy }),
  };
}
