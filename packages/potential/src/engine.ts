import type { Structure, SymmetryOperation } from '@unitcell/crystal';
import { determinant3, norm3 } from '@unitcell/numerics';
import type { Graph } from './graph.ts';
import { harmonicsGradient } from './harmonics.ts';

/** Components in the order xx, yy, zz, yz, xz, xy. */
export type Voigt = readonly [number, number, number, number, number, number];

export interface Evaluation {
  /** Energy of the cell, eV. */
  readonly energy: number;
  /** Energy of each atom, eV; their sum is `energy`. */
  readonly energies: Float64Array;
  /** Forces x, y, z on each atom in sequence, eV/Å. */
  readonly forces: Float64Array;
  /** (1/V) ∂E/∂ε in eV/Å³; positive under tension. The pressure is minus a third of its trace. */
  readonly stress: Voigt;
}

/**
 * A method that calculates energies and forces; used by relaxation, equation of state, elastic tensor and
 * phonons.
 */
export interface Engine {
  /** @throws PotentialError when the structure cannot be evaluated */
  evaluate(structure: Structure): Evaluation;
}

/** The largest force on an atom, eV/Å. */
export function largestForce(forces: Float64Array): number {
  let max = 0;
  for (let at = 0; at < forces.length; at += 3)
    max = Math.max(max, norm3([forces[at], forces[at + 1], forces[at + 2]]));
  return max;
}

/** Subtracts the mean force, because rounding must not make the crystal drift. */
export function withoutDrift(forces: Float64Array): Float64Array {
  const atoms = forces.length / 3;
  const mean: [number, number, number] = [0, 0, 0];
  forces.forEach((value, i) => {
    mean[i % 3] += value / atoms;
  });
  return forces.map((value, i) => value - mean[i % 3]);
}

/**
 * Forces and stress from the derivatives of the energy with respect to each pair's harmonics and distance.
 * @param byHarmonic (maxDegree + 1)² numbers per pair
 */
export function forcesAndStress(
  graph: Graph,
  maxDegree: number,
  byHarmonic: Float64Array,
  byDistance: Float64Array,
): Pick<Evaluation, 'forces' | 'stress'> {
  const forces = new Float64Array(3 * graph.atoms);
  const stress: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];
  const stride = (maxDegree + 1) ** 2;
  for (let pair = 0; pair < graph.pairs; pair++) {
    const [x, y, z] = graph.directions.subarray(3 * pair, 3 * pair + 3);
    const r = graph.distances[pair];
    const [hx, hy, hz] = harmonicsGradient([x, y, z], maxDegree, byHarmonic, stride * pair);
    // The direction is a unit vector, so only the perpendicular part of the gradient counts.
    const along = hx * x + hy * y + hz * z;
    const radial = byDistance[pair];
    const fx = (hx - along * x) / r + radial * x;
    const fy = (hy - along * y) / r + radial * y;
    const fz = (hz - along * z) / r + radial * z;
    const [i, j] = [3 * graph.first[pair], 3 * graph.second[pair]];
    forces[i] += fx;
    forces[i + 1] += fy;
    forces[i + 2] += fz;
    forces[j] -= fx;
    forces[j + 1] -= fy;
    forces[j + 2] -= fz;
    stress[0] += r * x * fx;
    stress[1] += r * y * fy;
    stress[2] += r * z * fz;
    stress[3] += (r * (y * fz + z * fy)) / 2;
    stress[4] += (r * (x * fz + z * fx)) / 2;
    stress[5] += (r * (x * fy + y * fx)) / 2;
  }
  const per = (value: number): number => value / graph.volume;
  return {
    forces,
    stress: [per(stress[0]), per(stress[1]), per(stress[2]), per(stress[3]), per(stress[4]), per(stress[5])],
  };
}

/** The structure inverted by r → −r. */
const inverted = (structure: Structure): Structure => ({
  ...structure,
  sites: structure.sites.map((site) => {
    const [x, y, z] = site.fractionalCoords;
    return { ...site, fractionalCoords: [-x, -y, -z] };
  }),
});

/**
 * The mean over a crystal and its mirror image, at twice the cost. The network has no parity, so without the mean the
 * two forms of a chiral crystal differ by up to 2 meV/atom.
 */
export const mirrorAverage = (engine: Engine): Engine => ({
  evaluate(structure) {
    const [here, mirror] = [engine.evaluate(structure), engine.evaluate(inverted(structure))];
    const mean = (value: number, other: number): number => (value + other) / 2;
    return {
      energy: mean(here.energy, mirror.energy),
      energies: here.energies.map((value, i) => mean(value, mirror.energies[i])),
      forces: here.forces.map((value, i) => mean(value, -mirror.forces[i])),
      stress: here.stress.map((value, i) => mean(value, mirror.stress[i])) as unknown as Voigt,
    };
  },
});

/** Whether a crystal differs from its mirror image: all its operations are proper, or none are known. */
export const isChiral = (operations: readonly SymmetryOperation[]): boolean =>
  operations.every(({ rotation }) => determinant3(rotation) > 0);

/** The engine for a crystal with these operations: averages over both mirror images of a chiral crystal. */
export const engineOfGroup = (engine: Engine, operations: readonly SymmetryOperation[]): Engine =>
  isChiral(operations) ? mirrorAverage(engine) : engine;
