/** Converts the results of all steps into a material. */
import {
  type BandsResult,
  type DosResult,
  type Eigenvalues,
  type ElasticResult,
  electronicStructure,
  hasKeptOrder,
  type MagneticOrdering,
  magneticOrderings,
  orderReached,
  type PhononsResult,
  PRESETS,
  startingMoments,
  type StaticResult,
} from '@unitcell/calculators';
import { fromCompactCell, toRoundedPymatgenDict } from '@unitcell/crystal';
import { type BandStructure, type DensityOfStates, NO_PROPERTIES, type Phonons } from '@unitcell/material';
import { type Mat3, roundTo, type Vec3 } from '@unitcell/numerics';
import { type ForceConstants, modeDisplacements, phononSolver, readAbinitDdb } from '@unitcell/potential';
import { readableLabel } from '@unitcell/symmetry';
import type { CalculatedMaterial } from '../../../catalogue/calculated-materials.ts';
import { crystalTools } from '../../../catalogue/import/draft/draft-from-phonons.ts';
import { hasImaginary } from '../../../domain/potential/phonon-results.ts';
import type { SubmissionState } from '../../../infra/stored-json.ts';
import type { Engine } from '../engines/engine.ts';
import type { Run4uSettings } from '../run4u-settings.ts';
import type { Submission } from '../submission.ts';
import { elementsOf, hubbardOf, standardGeometry } from './calculate.ts';

/**
 * The functional with its additions (Hubbard U, dispersion). It is part of the energy scale, and it labels
 * the bands and other results.
 */
export const functionalOf = (state: SubmissionState): string =>
  [
    'PBE',
    Object.keys(hubbardOf(state, state.cell!)).length > 0 ? '+U' : '',
    state.physics?.includes('dispersion') ? '-D3(BJ)' : '',
  ].join('');

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
    functional: functionalOf(state),
    kPoints: (state.kPoints ?? []).map(roundedVector),
    labels: (state.kLabels ?? []).map(({ index, label }) => ({ index, label: readableLabel(label) })),
    kDistance: (state.kDistance ?? []).map((distance) => roundTo(distance, 5)),
    spinUp: up ? channel(up) : [],
    ...(down ? { spinDown: channel(down) } : {}),
    fermiEnergy: roundTo(fermiEnergy, 4),
    ...(state.reciprocalLattice ? { reciprocalLattice: roundedRows(state.reciprocalLattice) } : {}),
  };
}

function densityOfStates(
  { energies, total, projected }: DosResult,
  fermiEnergy: number,
  functional: string,
): DensityOfStates {
  return {
    functional,
    energies: [...energies],
    total: [...(total[0] ?? [])],
    ...(total[1] ? { totalDown: [...total[1]] } : {}),
    projected: Object.fromEntries(Object.entries(projected).map(([key, values]) => [key, [...values]])),
    fermiEnergy: roundTo(fermiEnergy, 4),
  };
}

/** Vibrations at Γ without the macroscopic electric field, so without LO–TO splitting. */
function gammaPhonons(constants: ForceConstants, functional: string): Phonons {
  const { structure, masses = [] } = constants;
  const { frequencies, vectorsRe, vectorsIm } = phononSolver(constants)([0, 0, 0]);
  const size = frequencies.length;
  const partsOf = (mode: number, atom: number): number[] => {
    const at = mode * size + 3 * atom;
    return [...vectorsRe.slice(at, at + 3), ...vectorsIm.slice(at, at + 3)];
  };
  return {
    functional,
    structure: toRoundedPymatgenDict(structure),
    supercell: [1, 1, 1],
    bands: [{ q: [0, 0, 0], label: 'Γ', frequencies: Array.from(frequencies, (one) => roundTo(one, 4)) }],
    has_imaginary_modes: hasImaginary(frequencies),
    modes: [
      {
        q: [0, 0, 0],
        displacements: Array.from({ length: size }, (_unused, mode) =>
          modeDisplacements(
            structure.sites.map((_site, atom) => partsOf(mode, atom)),
            masses,
          ).map((parts) => parts.map((part) => roundTo(part, 5))),
        ),
      },
    ],
  };
}

/** Results of the tasks; absent if the task was not requested or failed. */
interface Responses {
  readonly elastic: ElasticResult | undefined;
  readonly phonons: PhononsResult | undefined;
}

/** Elastic tensor, electronic dielectric tensor and Γ phonons, in the axes of the calculated cell. @throws PotentialError */
function responsesOf({ elastic, phonons }: Responses, functional: string) {
  const constants = phonons ? readAbinitDdb(phonons.derivatives, crystalTools) : null;
  return {
    phonons: constants ? [gammaPhonons(constants, functional)] : [],
    tensors: {
      ...NO_PROPERTIES.tensors,
      elastic: elastic?.tensor.map((row) => row.map((value) => roundTo(value, 2))) ?? null,
      dielectric: constants?.charges ? { electronic: constants.charges.dielectric } : null,
    },
  };
}

/**
 * The magnetic order of the result, and for each magnetic start the energy and moments that it reached or the
 * reason why it failed. If no orders were compared, the only start is the ferromagnetic start of the
 * calculation itself.
 */
function magneticOrder(
  { structure }: Pick<Submission, 'structure'>,
  { orderings, orderingMoments, cell, moments }: SubmissionState,
  { energy, localMoments }: StaticResult,
) {
  const atoms = fromCompactCell(cell!);
  const given = moments ?? startingMoments(atoms);
  if (!given) return {};
  // Without spin, all moments are zero. Some engines do not write the moments of sites.
  const reached = moments ? localMoments : atoms.sites.map(() => 0);
  const magnetic_order = orderReached(given, reached.length > 0 ? reached : given);
  const outcome = (
    { order, wave, moments: starts }: Pick<MagneticOrdering, 'order' | 'wave' | 'moments'>,
    energyPerAtom: number | string,
    end: readonly number[] = [],
  ) => ({
    order,
    wave,
    ...(typeof energyPerAtom === 'string'
      ? { failure: energyPerAtom }
      : { energy_per_atom: roundTo(energyPerAtom, 6) }),
    ...(end.length > 0 && { local_moments: end, is_order_kept: hasKeptOrder(starts, end) }),
  });
  if (!orderings || orderings.length === 0) {
    const only = { order: 'ferromagnetic', wave: [0, 0, 0], moments: given } as const;
    return { magnetic_order, magnetic_orderings: [outcome(only, energy / atoms.sites.length, reached)] };
  }
  const start = fromCompactCell(standardGeometry(fromCompactCell(structure), 'ci').cell);
  return {
    magnetic_order,
    magnetic_orderings: magneticOrderings(start).map((ordering, at) =>
      outcome(ordering, orderings[at]!, orderingMoments?.[at]),
    ),
    magnetic_cell: cell,
  };
}

interface Results extends Responses {
  readonly static: StaticResult;
  readonly bands: BandsResult;
  readonly dos: DosResult;
}

export function calculatedMaterial(
  submission: Pick<Submission, 'id' | 'structure'>,
  state: SubmissionState,
  results: Results,
  {
    engine,
    settings,
    dataSets,
    hasDensity,
  }: {
    readonly engine: Engine;
    /** Whether the charge density is kept. */
    readonly hasDensity: boolean;
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
  const functional = functionalOf(state);
  const hubbard = hubbardOf(state, state.cell!);
  const elements = elementsOf(state.cell!);
  return {
    structId: state.reservedId!,
    structure,
    energyScale: engine.energyScale(functional),
    energyPerAtom: energy / structure.sites.length,
    given: {
      bandGap: roundTo(electronic.gap, 4),
      bandGapType: electronic.isMetal ? 'metal' : electronic.isDirect ? 'direct' : 'indirect',
      fermiEnergy: roundTo(fermiEnergy, 4),
      isHubbard: Object.keys(hubbard).length > 0,
      totalMagnetization: magnetization === null ? null : roundTo(magnetization, 3),
    },
    bands: bandStructure(results.bands, fermiEnergy, state),
    dos: densityOfStates(results.dos, fermiEnergy, functional),
    ...responsesOf(results, functional),
    provenance: {
      engine: engine.calculator.name,
      engine_version: `${engine.calculator.name} ${engine.version}`,
      functional,
      potcar_symbols: elements.map((element) => dataSets[element]?.fileName ?? element),
      data_sets: Object.fromEntries(elements.map((element) => [element, dataSets[element]])),
      preset: settings.preset,
      preset_settings: PRESETS[settings.preset],
      steps: state.settings ?? {},
      energy_per_atom: roundTo(energy / structure.sites.length, 6),
      max_force_ev_per_angstrom: roundTo(maxForce, 5),
      pressure_gpa: roundTo(pressureGpa, 4),
      ...(state.moments ? { local_moments: localMoments } : {}),
      wall_seconds: roundTo(
        runs.reduce((sum, run) => sum + run.wallSeconds, 0),
        1,
      ),
      cpu_seconds: roundTo(
        runs.reduce((sum, run) => sum + run.cpuSeconds, 0),
        1,
      ),
      peak_mb: Math.max(0, ...runs.map((run) => run.peakMb)),
      ...(Object.keys(hubbard).length > 0 ? { hubbards: hubbard } : {}),
      ...magneticOrder(submission, state, results.static),
      ...(state.failedTasks?.length ? { failed_tasks: state.failedTasks } : {}),
      warnings: state.warnings ?? [],
      ...(hasDensity ? { density: true } : {}),
      submission: submission.id,
    },
    sourceId: `run4u-${submission.id}`,
  };
}
