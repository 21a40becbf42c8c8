/** The course of a relaxation, in memory that the thread writes and the worker reads while it runs. */
import type { RelaxationCourse } from '@unitcell/contract/run4u';
import { roundTo } from '@unitcell/numerics';
import type { RelaxationStep } from '@unitcell/potential';

const MAX_STEPS = 400;
/** Limits of the path that is stored: frames, and coordinates of all frames. */
export const MAX_FRAMES = 60;
const MAX_COORDINATES = 12_000;

/** Of each step: energy per atom, largest force, cell vectors, fractional coordinates. */
const numbersPerStep = (atoms: number): number => 2 + 9 + 3 * atoms;

/**
 * A buffer for the course, which begins with the number of steps so far. The operating system allocates memory only for
 * the part that is written.
 */
export const emptyCourse = (atoms: number): SharedArrayBuffer =>
  new SharedArrayBuffer(8 * (1 + MAX_STEPS * numbersPerStep(atoms)));

/** Returns a function that adds a step. The count is written last, so that the worker never reads half a step. */
export function courseWriter(buffer: SharedArrayBuffer, atoms: number): (step: RelaxationStep) => void {
  const counter = new Int32Array(buffer, 0, 1);
  const values = new Float64Array(buffer, 8);
  return ({ structure, evaluation, largestForce }) => {
    const count = counter[0]!;
    if (count === MAX_STEPS) return;
    const coordinates = structure.sites.flatMap(({ fractionalCoords }) => fractionalCoords);
    values.set(
      [evaluation.energy / atoms, largestForce, ...structure.latticeVectors.flat(), ...coordinates],
      count * numbersPerStep(atoms),
    );
    Atomics.store(counter, 0, count + 1);
  };
}

/** Indices of at most `limit` steps: the last, the first, and others evenly between. */
function framesOf(count: number, limit: number): number[] {
  const frames = Math.min(count, limit);
  if (frames < 2) return count > 0 ? [count - 1] : [];
  return Array.from({ length: frames }, (_, k) => Math.round((k * (count - 1)) / (frames - 1)));
}

/** @param maxFrames 1 reads only the last structure. */
export function readCourse(buffer: SharedArrayBuffer, atoms: number, maxFrames: number): RelaxationCourse {
  const count = Atomics.load(new Int32Array(buffer, 0, 1), 0);
  const size = numbersPerStep(atoms);
  const values = new Float64Array(buffer, 8);
  const every = (offset: 0 | 1, decimals: number): number[] =>
    Array.from({ length: count }, (_, step) => roundTo(values[size * step + offset]!, decimals));
  const numbers = (step: number, from: number, to: number): number[] =>
    Array.from(values.subarray(size * step + from, size * step + to), (value) => roundTo(value, 5));
  const limit = Math.min(maxFrames, Math.max(2, Math.floor(MAX_COORDINATES / (3 * atoms))));
  return {
    energies: every(0, 6),
    forces: every(1, 5),
    frames: framesOf(count, limit).map((step) => ({
      step,
      lattice: numbers(step, 2, 11),
      positions: numbers(step, 11, size),
    })),
  };
}
