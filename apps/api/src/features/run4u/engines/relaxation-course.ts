/** The course of a relaxation, in memory that the thread writes and the worker reads while it runs. */
import type { RelaxationCourse } from '@unitcell/contract/run4u';
import { roundTo } from '@unitcell/numerics';

const MAX_STEPS = 1000;
/** Layout: number of steps so far, then energy and largest force of each step. */
const BYTES = 8 * (1 + 2 * MAX_STEPS);

export const emptyCourse = (): SharedArrayBuffer => new SharedArrayBuffer(BYTES);

/** Returns a function that adds a step. The count is written last, so that the worker never reads half a step. */
export function courseWriter(buffer: SharedArrayBuffer): (energy: number, force: number) => void {
  const counter = new Int32Array(buffer, 0, 1);
  const values = new Float64Array(buffer, 8);
  return (energy, force) => {
    const count = counter[0]!;
    if (count === MAX_STEPS) return;
    values[2 * count] = energy;
    values[2 * count + 1] = force;
    Atomics.store(counter, 0, count + 1);
  };
}

export function readCourse(buffer: SharedArrayBuffer): RelaxationCourse {
  const count = Atomics.load(new Int32Array(buffer, 0, 1), 0);
  const values = new Float64Array(buffer, 8);
  const every = (offset: 0 | 1, decimals: number): number[] =>
    Array.from({ length: count }, (_, step) => roundTo(values[2 * step + offset]!, decimals));
  return { energies: every(0, 6), forces: every(1, 5) };
}
