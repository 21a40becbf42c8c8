/**
 * Energy, relaxed cell, equation of state, elastic tensor, phonons, expansion and ion hops of a crystal by the interatomic potential,
 * as JSON for programs. Pure and synchronous: from milliseconds to minutes of one core.
 */
import type {
  ElasticModuliJson,
  EquationOfStateJson,
  IonBarriersJson,
  PredictedPhonons,
  PredictedTask,
  ThermalExpansionJson,
} from '@unitcell/contract/run4u';
import { type WorkingIon, WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import {
  compositionOf,
  displayFormula,
  fromPymatgenDict,
  type PymatgenStructure,
  type Structure,
  type SymmetryOperation,
  toRoundedPymatgenDict,
} from '@unitcell/crystal';
import { inverse3, norm3, roundTo, transpose3 } from '@unitcell/numerics';
import {
  averagedElements,
  elasticTensor,
  type Engine,
  engineOfGroup,
  equationOfState,
  type Evaluation,
  forceConstants,
  hopBand,
  hopSupercell,
  isChiral,
  phononSupercell,
  PotentialError,
  relax,
  type Relaxation,
  type RelaxOptions,
  thermalExpansion,
  TIGHT,
  vacancyHops,
  volumeStates,
} from '@unitcell/potential';
import { analyzeSymmetry, kPath, SymmetryError } from '@unitcell/symmetry';
import { elasticModuli } from '@unitcell/tensors';
import { ScienceError } from '@unitcell/errors';
import type { StoredBarriers } from '../../infra/stored-json.ts';
import { type Note, translator } from '../../messages/messages.ts';
import { coarseMesh, phononResults, storedConstants, TEMPERATURES } from './phonon-results.ts';
import { refusalMessage, translatedBarriers } from './refusals.ts';

export const TASKS = [
  'energy',
  'relax',
  'eos',
  'elastic',
  'phonons',
  'expansion',
  'barrier',
] as const satisfies readonly Task[];
export type Task = 'energy' | 'relax' | PredictedTask;

/** Largest number of atoms in a supercell for phonons. */
export const PHONON_ATOMS = 100;

/** Largest number of atoms in a supercell with a vacancy, and of hops whose paths are calculated. */
const HOP_ATOMS = 100;
const HOPS = 3;

export interface EnergyJson {
  /** eV, raw scale of the model. */
  readonly energy_per_atom: number;
  /** eV/Å, in the order of the sites. */
  readonly forces: readonly (readonly number[])[];
  /** eV/Å³, 3×3, positive under tension. */
  readonly stress: readonly (readonly number[])[];
}

export interface ElasticJson {
  /** GPa, 6×6, order xx yy zz yz xz xy, in the axes of the given cell. */
  readonly elastic: number[][];
  readonly elastic_moduli: ElasticModuliJson;
}

export interface CalculationJson extends EnergyJson, Partial<ElasticJson> {
  readonly model: string;
  readonly formula: string;
  readonly warnings: readonly string[];
  /** The relaxed structure, in the order of the given sites. */
  readonly structure?: PymatgenStructure;
  readonly relaxation?: EnergyJson & { readonly steps: number; readonly is_converged: boolean };
  readonly eos?: EquationOfStateJson;
  readonly phonons?: Required<PredictedPhonons>;
  readonly expansion?: ThermalExpansionJson;
  readonly barrier?: IonBarriersJson;
  /** Tasks without a result, each with its reason. */
  readonly failed_tasks?: readonly { readonly task: PredictedTask; readonly reason: string }[];
}

function energyJson({ energy, forces, stress: [xx, yy, zz, yz, xz, xy] }: Evaluation): EnergyJson {
  const atoms = forces.length / 3;
  const value = (number: number): number => roundTo(number, 8);
  return {
    energy_per_atom: value(energy / atoms),
    forces: Array.from({ length: atoms }, (_, atom) =>
      Array.from(forces.subarray(3 * atom, 3 * atom + 3), value),
    ),
    stress: [
      [xx, xy, xz],
      [xy, yy, yz],
      [xz, yz, zz],
    ].map((row) => row.map(value)),
  };
}

/** Symmetry operations that a relaxation keeps; none if the search finds no group. */
export function operationsOf(structure: Structure): readonly SymmetryOperation[] {
  try {
    return analyzeSymmetry(structure).operations;
  } catch (error) {
    if (error instanceof SymmetryError) return [];
    throw error;
  }
}

/** Averages over a chiral crystal and its mirror image, to which the network assigns different energies. */
export const engineFor = (engine: Engine, structure: Structure): Engine =>
  engineOfGroup(engine, operationsOf(structure));

/** Relaxes a crystal to the limits required for comparisons, and keeps its symmetry. */
export const relaxTightly = (
  engine: Engine,
  structure: Structure,
  options: Pick<RelaxOptions, 'onStep' | 'operations' | 'referenceVolume'> = {},
): Relaxation => relax(engine, structure, { ...TIGHT, operations: operationsOf(structure), ...options });

export function eosJson(engine: Engine, relaxed: Structure): EquationOfStateJson {
  const atoms = relaxed.sites.length;
  const eos = equationOfState(engine, relaxed);
  return {
    volumes: eos.points.map(({ volume }) => roundTo(volume / atoms, 6)),
    energies: eos.points.map(({ energy }) => roundTo(energy / atoms, 8)),
    volume_per_atom: roundTo(eos.volume / atoms, 6),
    energy_per_atom: roundTo(eos.energy / atoms, 8),
    bulk_modulus: roundTo(eos.bulkModulus, 4),
    bulk_modulus_derivative: roundTo(eos.bulkModulusDerivative, 4),
  };
}

export function elasticJson(engine: Engine, relaxed: Structure): ElasticJson {
  const tensor = elasticTensor(engine, relaxed);
  const moduli = elasticModuli(tensor);
  const modulus = (number: number): number => roundTo(number, 4);
  return {
    elastic: tensor.map((row) => row.map(modulus)),
    elastic_moduli: {
      bulk_modulus: modulus(moduli.bulk.hill),
      shear_modulus: modulus(moduli.shear.hill),
      young_modulus: modulus(moduli.youngModulus),
      poisson_ratio: modulus(moduli.poissonRatio),
      is_mechanically_stable: moduli.isMechanicallyStable,
    },
  };
}

export function phononsJson(engine: Engine, relaxed: Structure): Required<PredictedPhonons> {
  const { primitiveStandard } = kPath(relaxed);
  const supercell = phononSupercell(primitiveStandard, PHONON_ATOMS);
  const constants = forceConstants(engine, primitiveStandard, supercell, operationsOf(primitiveStandard));
  return {
    ...phononResults(constants, true),
    supercell: [...supercell],
    force_constants: storedConstants(constants),
  };
}

/**
 * The bulk modulus of a crystal falls on heating. If it rises by more than this factor, the crystal has left
 * the range of the potential.
 */
const MOST_HARDENING = 1.5;

/**
 * Thermal expansion up to 1,500 K, with the supercell of the phonons.
 * @throws PotentialError `imaginary-modes`, `no-minimum`
 */
export function expansionJson(engine: Engine, relaxed: Structure): ThermalExpansionJson {
  const { primitiveStandard } = kPath(relaxed);
  const atoms = primitiveStandard.sites.length;
  const supercell = phononSupercell(primitiveStandard, PHONON_ATOMS);
  const states = volumeStates(engine, primitiveStandard, {
    repeats: supercell,
    mesh: coarseMesh(primitiveStandard),
    temperatures: TEMPERATURES,
    operations: operationsOf(primitiveStandard),
  });
  const rows = thermalExpansion(states);
  const end = rows.findIndex(({ bulkModulus }) => bulkModulus > MOST_HARDENING * rows[0]!.bulkModulus);
  return {
    supercell: [...supercell],
    volumes: states.map(({ volume }) => roundTo(volume / atoms, 5)),
    rows: (end < 0 ? rows : rows.slice(0, end)).map((row) => ({
      temperature: row.temperature,
      volume: roundTo(row.volume / atoms, 5),
      expansion: roundTo(row.expansion, 9),
      bulk_modulus: roundTo(row.bulkModulus, 3),
      heat_capacity: roundTo(row.heatCapacity / atoms, 10),
      gruneisen: row.gruneisen && roundTo(row.gruneisen, 4),
    })),
  };
}

/** The path and its barriers, or the reason why the potential refused it. */
function bandJson(...[engine, host, hop, cell]: Parameters<typeof hopBand>) {
  try {
    const found = hopBand(engine, host, hop, cell);
    const energy = (value: number): number => roundTo(value, 5);
    return {
      band: {
        barrier_forward: energy(found.barrier),
        barrier_backward: energy(found.reverseBarrier),
        path: found.images.map((image) => ({
          distance: roundTo(image.distance, 4),
          energy: energy(image.energy),
        })),
        is_converged: found.isConverged,
        has_stable_ends: found.hasStableEnds,
      },
    };
  } catch (error) {
    if (error instanceof PotentialError) return { refusal: refusalMessage(error) };
    throw error;
  }
}

/**
 * Barriers of the shortest hops of an ion into a vacancy.
 * @param ion by default the first working ion that the crystal contains
 * @throws PotentialError `no-ion`, `no-hop`, `hop-too-large`
 */
export function barrierJson(engine: Engine, relaxed: Structure, ion?: WorkingIon): StoredBarriers {
  const composition = compositionOf(relaxed);
  const hopping = ion ?? WORKING_IONS.find((element) => element in composition);
  if (hopping === undefined) {
    const ions = WORKING_IONS.join(', ');
    throw new PotentialError('no-ion', `the crystal contains none of ${ions}`, { ion: ions });
  }
  const hops = vacancyHops(relaxed, hopping, operationsOf(relaxed));
  const cell = hopSupercell(relaxed, HOP_ATOMS);
  const place = (coordinates: readonly number[]): number[] => coordinates.map((x) => roundTo(x, 5));
  return {
    ion: hopping,
    supercell_atoms: cell.structure.sites.length - 1,
    separation: roundTo(cell.separation, 3),
    hops: hops.map((hop, index) => ({
      distance: roundTo(hop.distance, 4),
      multiplicity: hop.multiplicity,
      from: place(hop.from),
      to: place(hop.to),
      ...(index < HOPS && bandJson(engine, relaxed, hop, cell)),
    })),
  };
}

/** Å; the potential's atoms do not interact beyond this distance. */
const CUTOFF = 5;

/** Å; the widest layer parallel to two cell vectors that contains no atom. */
function widestGap({ latticeVectors, sites }: Structure): number {
  const gaps = transpose3(inverse3(latticeVectors)).map((row, axis) => {
    const places = sites
      .map(({ fractionalCoords }) => fractionalCoords[axis]! - Math.floor(fractionalCoords[axis]!))
      .sort((a, b) => a - b);
    const shares = places.map((place, at) => (places[at + 1] ?? places[0]! + 1) - place);
    return Math.max(...shares) / norm3(row);
  });
  return Math.max(...gaps);
}

/** Notes about the limits of the potential's results. */
export function potentialNotes(
  model: string,
  structure: Structure,
  tasks: readonly Task[],
  isMirrorAveraged = false,
): Note[] {
  const magnetic = averagedElements(structure);
  const gap = widestGap(structure);
  const isL3i5 = model === 'SevenNet-l3i5';
  return [
    ['potential.predicted', { model }],
    ['potential.no-dispersion'],
    ...(gap > CUTOFF ? [['potential.gap', { gap: gap.toFixed(1) }] as const] : []),
    ...(tasks.includes('elastic')
      ? [[isL3i5 ? 'potential.soft-shear-l3i5' : 'potential.soft-shear'] as const]
      : []),
    ...(tasks.includes('phonons')
      ? [[isL3i5 ? 'potential.soft-phonons-l3i5' : 'potential.soft-phonons'] as const]
      : []),
    ...(tasks.includes('expansion') ? [['potential.expansion'] as const] : []),
    ...(tasks.includes('barrier') ? [['potential.barrier'] as const] : []),
    ...(isChiral(operationsOf(structure))
      ? [[isMirrorAveraged ? 'potential.mirror-averaged' : 'potential.chiral'] as const]
      : []),
    ...(magnetic.length > 0 ? [['potential.magnetic', { elements: magnetic.join(', ') }] as const] : []),
  ];
}

const inEnglish = translator('en');

/**
 * Calculates all requested tasks. All but the energy start from the relaxed crystal. A task without a result
 * does not stop the others.
 * @param options.isFree whether the relaxation may break the symmetry
 * @param options.ion the ion that hops
 * @param options.isMirrorAveraged whether the engine averages over mirror images
 * @throws PotentialError when the crystal cannot be evaluated or relaxed
 */
export function calculate(
  engine: Engine,
  model: string,
  structure: Structure,
  tasks: readonly Task[],
  options: {
    readonly isFree?: boolean;
    readonly isMirrorAveraged?: boolean;
    readonly ion?: WorkingIon | undefined;
  } = {},
): CalculationJson {
  // This is first because it refuses crystals that are too large for the symmetry search.
  const evaluated = energyJson(engine.evaluate(structure));
  const warnings = potentialNotes(model, structure, tasks, options.isMirrorAveraged).map(
    ([key, parameters]) => inEnglish(key, parameters),
  );
  const given = { model, formula: displayFormula(compositionOf(structure)), warnings, ...evaluated };
  if (tasks.every((task) => task === 'energy')) return given;
  const relaxation = relaxTightly(engine, structure, options.isFree ? { operations: [] } : {});
  const printed = toRoundedPymatgenDict(relaxation.structure);
  // A site stores the rounded cell before it calculates the other tasks. Rounding here gives the same digits.
  const relaxed = fromPymatgenDict(printed);
  const failed: { task: PredictedTask; reason: string }[] = [];
  const resultOf = <Result extends object>(task: PredictedTask, run: () => Result): Partial<Result> => {
    if (!tasks.includes(task)) return {};
    try {
      return run();
    } catch (error) {
      if (!(error instanceof ScienceError)) throw error;
      failed.push({ task, reason: error.message });
      return {};
    }
  };
  const results = {
    ...resultOf('eos', () => ({ eos: eosJson(engine, relaxed) })),
    ...resultOf('elastic', () => elasticJson(engine, relaxed)),
    ...resultOf('phonons', () => ({ phonons: phononsJson(engine, relaxed) })),
    ...resultOf('expansion', () => ({ expansion: expansionJson(engine, relaxed) })),
    ...resultOf('barrier', () => ({
      barrier: translatedBarriers(barrierJson(engine, relaxed, options.ion), inEnglish),
    })),
  };
  return {
    ...given,
    ...(relaxation.isConverged
      ? {}
      : {
          warnings: [
            ...warnings,
            `The relaxation did not converge in ${relaxation.steps} steps: start again from \`structure\`, which --json prints.`,
          ],
        }),
    structure: printed,
    relaxation: {
      ...energyJson(relaxation.evaluation),
      steps: relaxation.steps,
      is_converged: relaxation.isConverged,
    },
    ...results,
    ...(failed.length > 0 && { failed_tasks: failed }),
  };
}
