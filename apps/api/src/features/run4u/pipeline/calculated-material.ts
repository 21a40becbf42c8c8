/** Converts the results of all steps into a material. */
import {
  type BandsResult,
  type DosResult,
  electronicStructure,
  type Eigenvalues,
  PRESETS,
  type StaticResult,
} from '@unitcell/calculators';
import type { BandStructure, DensityOfStates } from '@unitcell/material';
import { fromCompactCell } from '@unitcell/crystal';
import { readableLabel } from '@unitcell/symmetry';
import { type Mat3, roundTo, type Vec3 } from '@unitcell/numerics';
import type { Engine } from '../engines/engine.ts';
import type { Run4uSettings } from '../run4u-settings.ts';
import type { Submission, SubmissionState } from '../submission.ts';
import type { CalculatedMaterial } from '../../../catalogue/calculated-materials.ts';
import { elementsOf } from './calculate.ts';

/** Name of the functional in band structures and densities of states. */
const FUNCTIONAL = 'PBE';
/**
 * Stored energy window in eV around the Fermi energy, between semicore states and poorly converged bands.
 */
const WINDOW = { below: 20, above: 12 } as const;

const roundedVector = ([x, y, z]: Vec3): Vec3 => [roundTo(x, 6), roundTo(y, 6), roundTo(z, 6)];
const roundedRows = ([a, b, c]: Mat3): Mat3 => [roundedVector(a), roundedVector(b), roundedVector(c)];

/** Indices of bands that enter the window in some spin channel. */
function keptBands(channels: readonly Eigenvalues[], fermiEnergy: number): number[] {
  const count = channels[0]?.energies[0]?.length ?? 0;
  return Array.from({ length: count }, (_, band) => band).filter((band) =>
    channels.some(({ energies }) => {
      const values = energies.map((row) => row[band]!);
      return (
        Math.max(...values) > fermiEnergy - WINDOW.below && Math.min(...values) < fermiEnergy + WINDOW.above
      );
    }),
  );
}

function bandStructure(
  { eigenvalues }: BandsResult,
  fermiEnergy: number,
  state: SubmissionState,
): BandStructure {
  const kept = keptBands(eigenvalues, fermiEnergy);
  const channel = ({ energies }: Eigenvalues): number[][] =>
    energies.map((row) => kept.map((band) => roundTo(row[band]!, 4)));
  const [up, down] = eigenvalues;
  return {
    functional: FUNCTIONAL,
    kPoints: (state.kPoints ?? []).map(roundedVector),
    labels: (state.kLabels ?? []).map(({ index, label }) => ({ index, label: readableLabel(label) })),
    kDistance: (state.kDistance ?? []).map((distance) => roundTo(distance, 5)),
    spinUp: up ? channel(up) : [],
    ...(down ? { spinDown: channel(down) } : {}),
    fermiEnergy: roundTo(fermiEnergy, 4),
    ...(state.reciprocalLattice ? { reciprocalLattice: roundedRows(state.reciprocalLattice) } : {}),
  };
}

function densityOfStates({ energies, total, projected }: DosResult, fermiEnergy: number): DensityOfStates {
  return {
    functional: FUNCTIONAL,
    energies: [...energies],
    total: [...(total[0] ?? [])],
    ...(total[1] ? { totalDown: [...total[1]] } : {}),
    projected: Object.fromEntries(Object.entries(projected).map(([key, values]) => [key, [...values]])),
    fermiEnergy: roundTo(fermiEnergy, 4),
  };
}

export interface Results {
  readonly static: StaticResult;
  readonly bands: BandsResult;
  readonly dos: DosResult;
}

export function calculatedMaterial(
  submission: Pick<Submission, 'id'>,
  state: SubmissionState,
  results: Results,
  {
    engine,
    settings,
    dataSets,
  }: {
    readonly engine: Engine;
    readonly settings: Run4uSettings;
    readonly dataSets: Readonly<Record<string, { readonly fileName: string; readonly sha256: string }>>;
  },
): CalculatedMaterial {
  const { fermiEnergy, energy, magnetization, localMoments, maxForce, pressureGpa } = results.static;
  const structure = fromCompactCell(state.cell!);
  const electronic = electronicStructure(
    [...results.static.eigenvalues, ...results.bands.eigenvalues],
    fermiEnergy,
  );
  const runs = state.runs ?? [];
  const elements = elementsOf(state.cell!);
  return {
    structId: state.reservedId!,
    structure,
    energyScale: engine.energyScale,
    energyPerAtom: energy / structure.sites.length,
    given: {
      bandGap: roundTo(electronic.gap, 4),
      bandGapType: electronic.isMetal ? 'metal' : electronic.isDirect ? 'direct' : 'indirect',
      fermiEnergy: roundTo(fermiEnergy, 4),
      totalMagnetization: magnetization === null ? null : roundTo(magnetization, 3),
    },
    bands: bandStructure(results.bands, fermiEnergy, state),
    dos: densityOfStates(results.dos, fermiEnergy),
    provenance: {
      engine: engine.calculator.name,
      engine_version: `${engine.calculator.name} ${engine.version}`,
      functional: FUNCTIONAL,
      potcar_symbols: elements.map((element) => dataSets[element]?.fileName ?? element),
      data_sets: Object.fromEntries(elements.map((element) => [element, dataSets[element]])),
      preset: settings.preset,
      preset_settings: PRESETS[settings.preset],
      steps: state.settings ?? {},
      energy_per_atom: roundTo(energy / structure.sites.length, 6),
      max_force_ev_per_angstrom: roundTo(maxForce, 5),
      pressure_gpa: roundTo(pressureGpa, 4),
      ...(magnetization === null ? {} : { local_moments: localMoments }),
      wall_seconds: roundTo(
        runs.reduce((sum, run) => sum + run.wallSeconds, 0),
        1,
      ),
      cpu_seconds: roundTo(
        runs.reduce((sum, run) => sum + run.cpuSeconds, 0),
        1,
      ),
      peak_mb: Math.max(0, ...runs.map((run) => run.peakMb)),
      warnings: state.warnings ?? [],
      submission: submission.id,
    },
    sourceId: `run4u-${submission.id}`,
  };
}
