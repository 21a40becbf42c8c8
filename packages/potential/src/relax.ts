import { cellVolume, type Structure, type SymmetryOperation } from '@unitcell/crystal';
import { add3, inverse3, type Mat3, multiply3, rowTimesMatrix3, transpose3 } from '@unitcell/numerics';
import { type Engine, type Evaluation, largestForce, withoutDrift } from './engine.ts';
import { PotentialError } from './potential-error.ts';
import {
  fullStress,
  type SiteOperation,
  siteOperations,
  symmetricForces,
  symmetricTensor,
} from './site-symmetry.ts';

export interface RelaxOptions {
  /** Whether the cell is also relaxed; default true. */
  readonly cell?: boolean;
  /** Largest force at the end, eV/Å; default 0.005. */
  readonly force?: number;
  /** Largest component of the stress at the end, eV/Å³; default 2e-4 (0.03 GPa). */
  readonly stress?: number;
  /** Default 300. */
  readonly maxSteps?: number;
  /** A group of symmetry operations of the structure that must be preserved; it includes the identity. */
  readonly operations?: readonly SymmetryOperation[];
  /** Å³; the volume may not differ from this by more than 30 %. Default: that of the start. */
  readonly referenceVolume?: number | undefined;
  /** Called with the start and with every accepted structure after it. */
  readonly onStep?: (step: RelaxationStep) => void;
}

/** Limits for relaxations whose results are compared with others. */
export const TIGHT: Pick<RelaxOptions, 'force' | 'stress'> = { force: 0.001, stress: 5e-5 };

export interface RelaxationStep {
  readonly structure: Structure;
  /** Evaluation of `structure`. */
  readonly evaluation: Evaluation;
  /** eV/Å */
  readonly largestForce: number;
  /** Number of evaluations after the first. */
  readonly steps: number;
}

export interface Relaxation {
  readonly structure: Structure;
  /** Evaluation of `structure`. */
  readonly evaluation: Evaluation;
  /** Number of evaluations after the first. */
  readonly steps: number;
  /** Whether forces and stress are below the limits. */
  readonly isConverged: boolean;
}

/** eV/Å; the training data contain no larger forces. */
const LARGEST_FORCE = 50;
/** Largest share of its volume that a crystal may gain or lose. */
const LARGEST_VOLUME_CHANGE = 0.3;
/** Å; largest coordinate of a step. */
const LONGEST_STEP = 0.2;
/** eV/Å²; curvature used until one has been estimated. */
const FIRST_CURVATURE = 40;
/** Å; a strain of 1 counts as a displacement of each atom by this much. */
const STRAIN_LENGTH = 2;
/** Number of past steps used for the estimate of the curvature. */
const MEMORY = 30;
/** eV per atom; a rise of the energy below this counts as rounding. */
const ENERGY_NOISE = 5e-6;
/** A step that raises the energy is halved this many times before the curvature estimate is discarded. */
const MAX_HALVINGS = 4;

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);

/**
 * Coordinates of a relaxation: Cartesian displacements in the start cell, and a symmetric deformation of that cell. The
 * deformation is scaled so that all coordinates have similar curvatures.
 */
class Coordinates {
  private readonly scale: number;
  private readonly start: Structure;
  private readonly toFractional: Mat3;
  private readonly cell: boolean;
  readonly size: number;

  constructor(start: Structure, cell: boolean) {
    this.start = start;
    this.cell = cell;
    this.scale = STRAIN_LENGTH * Math.sqrt(start.sites.length);
    this.toFractional = inverse3(start.latticeVectors);
    this.size = 3 * start.sites.length + (cell ? 6 : 0);
  }

  /** The unit matrix plus the symmetric deformation. */
  private deformation(x: Float64Array): Mat3 {
    if (!this.cell)
      return [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
    const [xx, yy, zz, yz, xz, xy] = x.subarray(this.size - 6).map((value) => value / this.scale);
    const half = Math.SQRT1_2;
    return [
      [1 + xx, half * xy, half * xz],
      [half * xy, 1 + yy, half * yz],
      [half * xz, half * yz, 1 + zz],
    ];
  }

  structure(x: Float64Array): Structure {
    const { latticeVectors, sites } = this.start;
    return {
      latticeVectors: multiply3(latticeVectors, this.deformation(x)),
      sites: sites.map((site, index) => ({
        ...site,
        fractionalCoords: add3(
          site.fractionalCoords,
          rowTimesMatrix3([x[3 * index], x[3 * index + 1], x[3 * index + 2]], this.toFractional),
        ),
      })),
    };
  }

  /** Minus the gradient of the energy. */
  downhill(x: Float64Array, forces: Float64Array, stress: Mat3, volume: number): Float64Array {
    const result = new Float64Array(this.size);
    const deformation = this.deformation(x);
    const transposed = transpose3(deformation);
    for (let at = 0; at < forces.length; at += 3)
      result.set(rowTimesMatrix3([forces[at], forces[at + 1], forces[at + 2]], transposed), at);
    if (!this.cell) return result;
    const gradient = multiply3(transpose3(inverse3(deformation)), stress);
    const pairs = [
      [0, 0],
      [1, 1],
      [2, 2],
      [1, 2],
      [0, 2],
      [0, 1],
    ];
    pairs.forEach(([i, j], k) => {
      const share = (gradient[i][j] + gradient[j][i]) / 2;
      result[this.size - 6 + k] = (-volume * share * (i === j ? 1 : Math.SQRT2)) / this.scale;
    });
    return result;
  }
}

interface Remembered {
  readonly step: Float64Array;
  readonly change: Float64Array;
}

/** Quasi-Newton step in a descent direction, by the two loops of the limited-memory BFGS method. */
function newtonStep(downhill: Float64Array, memory: readonly Remembered[]): Float64Array {
  const direction = downhill.slice();
  const factors = memory.map(() => 0);
  for (let k = memory.length - 1; k >= 0; k--) {
    const { step, change } = memory[k];
    factors[k] = dot(step, direction) / dot(step, change);
    direction.forEach((_, i) => {
      direction[i] -= factors[k] * change[i];
    });
  }
  const last = memory.at(-1);
  const curvature = last ? dot(last.change, last.change) / dot(last.step, last.change) : FIRST_CURVATURE;
  direction.forEach((_, i) => {
    direction[i] /= curvature;
  });
  memory.forEach(({ step, change }, k) => {
    const back = dot(change, direction) / dot(step, change);
    direction.forEach((_, i) => {
      direction[i] += step[i] * (factors[k] - back);
    });
  });
  const longest = direction.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return longest > LONGEST_STEP ? direction.map((value) => (value * LONGEST_STEP) / longest) : direction;
}

const largest = (values: Iterable<number>): number => {
  let max = 0;
  for (const value of values) max = Math.max(max, Math.abs(value));
  return max;
};

/**
 * Moves the atoms, and the cell, to the nearest minimum of the energy by the limited-memory BFGS method (Nocedal, Math. Comp. 35, 773
 * (1980)); steps that raise the energy are halved.
 * @returns the last structure, even if `maxSteps` was not sufficient
 * @throws PotentialError errors of the engine; `large-force`, `volume-change`, `symmetry`
 */
export function relax(engine: Engine, start: Structure, options: RelaxOptions = {}): Relaxation {
  const { cell = true, force = 0.005, stress = 2e-4, maxSteps = 300, onStep } = options;
  const operations: readonly SiteOperation[] = siteOperations(start, options.operations ?? []);
  const coordinates = new Coordinates(start, cell);
  const startVolume = options.referenceVolume ?? cellVolume(start.latticeVectors);
  const noise = ENERGY_NOISE * start.sites.length;

  const look = (x: Float64Array) => {
    const structure = coordinates.structure(x);
    const volume = cellVolume(structure.latticeVectors);
    const change = volume / startVolume - 1;
    if (Math.abs(change) > LARGEST_VOLUME_CHANGE)
      throw new PotentialError(
        'volume-change',
        `the volume changed by ${(100 * change).toFixed(0)} %: this is not the crystal that was given; start from a better cell`,
        { change },
      );
    const evaluation = engine.evaluate(structure);
    const forces = symmetricForces(operations, withoutDrift(evaluation.forces));
    const strongest = largestForce(forces);
    if (strongest > LARGEST_FORCE)
      throw new PotentialError(
        'large-force',
        `a force of ${strongest.toFixed(0)} eV/Å is beyond what the potential was trained for; move the atoms apart`,
        { force: strongest, limit: LARGEST_FORCE },
      );
    const tensor = symmetricTensor(operations, fullStress(evaluation.stress));
    return {
      x,
      structure,
      evaluation,
      largestForce: strongest,
      downhill: coordinates.downhill(x, forces, tensor, volume),
      isConverged: strongest <= force && (!cell || largest(tensor.flat()) <= stress),
    };
  };

  let here = look(new Float64Array(coordinates.size));
  let memory: Remembered[] = [];
  let steps = 0;
  const tell = ({ structure, evaluation, largestForce: strongest }: typeof here): void =>
    onStep?.({ structure, evaluation, largestForce: strongest, steps });
  tell(here);
  while (!here.isConverged && steps < maxSteps) {
    let step = newtonStep(here.downhill, memory);
    if (dot(step, here.downhill) <= 0) {
      memory = [];
      step = newtonStep(here.downhill, memory);
    }
    let next = here;
    for (let halvings = 0; steps < maxSteps; halvings++) {
      next = look(here.x.map((value, i) => value + step[i]));
      steps++;
      if (next.evaluation.energy <= here.evaluation.energy + noise) break;
      if (halvings === MAX_HALVINGS) {
        memory = [];
        break;
      }
      step = step.map((value) => value / 2);
    }
    const change = here.downhill.map((value, i) => value - next.downhill[i]);
    if (dot(step, change) > 0) memory = [...memory, { step, change }].slice(-MEMORY);
    here = next;
    tell(here);
  }
  const { structure, evaluation, isConverged } = here;
  return { structure, evaluation, steps, isConverged };
}

/**
 * Moves the atoms to the nearest minimum of the energy at fixed cell.
 * @throws PotentialError as `relax`; `not-converged`
 */
export function relaxAtoms(
  engine: Engine,
  start: Structure,
  options: Pick<RelaxOptions, 'force' | 'operations'> = {},
): Relaxation {
  const relaxation = relax(engine, start, { ...options, cell: false });
  if (!relaxation.isConverged)
    throw new PotentialError(
      'not-converged',
      `the atoms did not come to rest in ${relaxation.steps} steps; relax the crystal first, or use a larger cell`,
    );
  return relaxation;
}
