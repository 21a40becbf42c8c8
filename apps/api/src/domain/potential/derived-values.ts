/**
 * Predictions of the interatomic potential for a stored crystal: forces on the original structure, and elasticity,
 * phonons and heat capacity of the relaxed cell. Pure and synchronous: a second to minutes of one core.
 */
import { cellVolume, type CompactCell, fromCompactCell, type Structure } from '@unitcell/crystal';
import { ScienceError } from '@unitcell/errors';
import { roundTo } from '@unitcell/numerics';
import {
  IMAGINARY,
  type Engine,
  elasticTensor,
  forceConstants,
  largestForce,
  meshFrequencies,
  outOfScope,
  phononDensity,
  phononSupercell,
  thermalProperties,
} from '@unitcell/potential';
import { kPath } from '@unitcell/symmetry';
import { elasticModuli, elasticThermal } from '@unitcell/tensors';
import { builtInPotential } from './built-in-potential.ts';
import { engineFor, operationsOf, PHONON_ATOMS, relaxTightly } from './calculate.ts';
import { coarseMesh, TEMPERATURES } from './phonon-results.ts';
import { type DerivedValues, NO_VALUES } from './stored-values.ts';

/** Largest number of atoms in a primitive cell. Larger cells take many minutes. */
const MAX_DERIVED_ATOMS = 60;
/** Temperature of the heat capacity for screening, K. */
const ROOM_TEMPERATURE = 300;
/** J/(mol·K) for 1 eV/K: 96485.33212. */
const JOULE_PER_MOLE = 96_485.332_12;
/** Points and width (THz) of the stored density of states. */
const [DENSITY_POINTS, DENSITY_WIDTH] = [101, 0.15];

/** A result, or the code of the reason why there is none. */
type Attempt<T> =
  | { readonly result: T; readonly refusal: '' }
  | { readonly result: null; readonly refusal: string };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { result: work(), refusal: '' };
  } catch (error) {
    if (error instanceof ScienceError) return { result: null, refusal: error.code };
    throw error;
  }
}

function elasticity(engine: Engine, relaxed: Structure) {
  const tensor = elasticTensor(engine, relaxed);
  const moduli = elasticModuli(tensor);
  if (!moduli.isMechanicallyStable)
    throw new ScienceError('potential', 'mechanically-unstable', 'a strain lowers the energy of the crystal');
  const thermal = elasticThermal(moduli, relaxed);
  return {
    tensor: tensor.map((row) => row.map((value) => roundTo(value, 2))),
    bulk_modulus: roundTo(moduli.bulk.hill, 2),
    shear_modulus: roundTo(moduli.shear.hill, 2),
    debye_temperature: thermal && roundTo(thermal.debyeTemperature, 1),
  };
}

/** The lowest frequency of a mesh whose first point is Γ, without the three acoustic modes at Γ. */
function lowestFrequency(frequencies: Float64Array, atoms: number): number {
  const atGamma = [...frequencies.subarray(0, 3 * atoms)].sort((a, b) => Math.abs(a) - Math.abs(b));
  return [...atGamma.slice(3), ...frequencies.subarray(3 * atoms)].reduce((a, b) => Math.min(a, b), Infinity);
}

function vibrations(engine: Engine, relaxed: Structure) {
  const { primitiveStandard } = kPath(relaxed);
  const atoms = primitiveStandard.sites.length;
  const supercell = phononSupercell(primitiveStandard, PHONON_ATOMS);
  const constants = forceConstants(engine, primitiveStandard, supercell, operationsOf(primitiveStandard));
  const lowest = lowestFrequency(meshFrequencies(constants, supercell).frequencies, atoms);
  // The mesh is shifted by half a step from Γ, where acoustic modes are zero except for rounding.
  const mesh = meshFrequencies(constants, coarseMesh(primitiveStandard), 0.5);
  const { frequencies, total } = phononDensity(
    { ...mesh, shares: [new Float64Array(mesh.frequencies.length).fill(1)] },
    DENSITY_WIDTH,
    DENSITY_POINTS,
  );
  const isStable = lowest >= IMAGINARY;
  const each = (value: number, digits: number): number => roundTo(value / atoms, digits);
  const [room] = thermalProperties(mesh, [ROOM_TEMPERATURE]);
  return {
    // Null if the primitive cell has one atom and is also the supercell: then all modes are acoustic modes at
    // Γ.
    lowest_frequency: Number.isFinite(lowest) ? roundTo(lowest, 3) : null,
    heat_capacity: isStable && room ? each(JOULE_PER_MOLE * room.heatCapacity, 3) : null,
    phonons: {
      supercell: [...supercell],
      frequencies: frequencies.map((value) => roundTo(value, 3)),
      density: total.map((value) => roundTo(value, 3)),
      thermal: isStable
        ? thermalProperties(mesh, TEMPERATURES).map((entry) => ({
            temperature: entry.temperature,
            free_energy: each(entry.freeEnergy, 6),
            entropy: each(entry.entropy, 9),
            heat_capacity: each(entry.heatCapacity, 9),
          }))
        : [],
    },
  };
}

export interface DeriveRequest {
  /** The original structure, whose forces are compared. */
  readonly given: CompactCell;
  /** The idealised primitive cell, which is relaxed. */
  readonly primitive: CompactCell;
}

/** @returns the calculated values, and the code of the first failure that left a value out */
export function derivePotentialValues({ given, primitive }: DeriveRequest): DerivedValues {
  const structure = fromCompactCell(primitive);
  const scope = outOfScope(structure, MAX_DERIVED_ATOMS);
  if (scope) return { ...NO_VALUES, refusal: scope.code };
  const { name: model, engine: plain } = builtInPotential();
  const engine = engineFor(plain, structure);
  const stored = attempt(() => engine.evaluate(fromCompactCell(given)));
  if (stored.result === null) return { ...NO_VALUES, model, refusal: stored.refusal };
  const { forces } = stored.result;
  const known = { ...NO_VALUES, model, max_force: roundTo(largestForce(forces), 4) };
  const { result: relaxation, refusal } = attempt(() => relaxTightly(engine, structure));
  if (relaxation === null) return { ...known, refusal };
  if (!relaxation.isConverged) return { ...known, refusal: 'not-converged' };
  const relaxed = relaxation.structure;
  const change = cellVolume(relaxed.latticeVectors) / cellVolume(structure.latticeVectors) - 1;
  const elastic = attempt(() => elasticity(engine, relaxed));
  const vibrating = attempt(() => vibrations(engine, relaxed));
  const { tensor = null, ...moduli } = elastic.result ?? {};
  const { phonons = null, ...frequencies } = vibrating.result ?? {};
  return {
    ...known,
    volume_change: roundTo(100 * change, 3),
    ...moduli,
    ...frequencies,
    details: { elastic_tensor: tensor, phonons },
    refusal: elastic.refusal || vibrating.refusal,
  };
}
