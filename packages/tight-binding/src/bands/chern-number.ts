/**
 * Chern numbers of isolated bands on a grid of the zone: the phases of overlaps around each plaquette add up to 2π
 * times an integer (T. Fukui, Y. Hatsugai, H. Suzuki, J. Phys. Soc. Jpn. 74 (2005) 1674).
 */
import { TightBindingError } from '../tight-binding-error.ts';
import { type BlochSolver, createBlochSolver } from './bloch-solver.ts';
import type { TightBindingModel } from './model.ts';
import { smallestGapNear } from './smallest-gap.ts';

/** Bands that come closer than this (in units of the hoppings) anywhere are not isolated: no grid in use resolves less. */
export const ISOLATION_GAP = 1e-4;
/** Grid minima from which the smallest distance of two bands is sought: touchings come in symmetric copies. */
const GAP_STARTS = 2;

export interface BandChernNumber {
  readonly band: number;
  /** Undefined for a band that touches a neighbour. */
  readonly chern: number | undefined;
  /** Smallest distance to the neighbouring bands at one k. */
  readonly directGap: number;
  /** Smallest distance to the band above alone; infinite for the uppermost. */
  readonly gapAbove: number;
}

/**
 * Chern number of every isolated band on a `divisions` × `divisions` grid (24 is enough for gaps of a few percent of
 * t). Bands may touch between the points of the grid: the smallest distances are refined off it before a band counts
 * as isolated. Without magnetic phases the number of an isolated band is 0 (time reversal), so that another result
 * of the grid tells of a touching that was not resolved; such a band gets none.
 */
export function chernNumbers(model: TightBindingModel, divisions = 24): BandChernNumber[] {
  if (!Number.isInteger(divisions) || divisions < 4 || divisions > 200)
    throw new TightBindingError(
      'invalid-option',
      `the grid has ${divisions} divisions: expected an integer from 4 to 200`,
    );
  const solver = createBlochSolver(model);
  const n = solver.size;
  const energies: Float64Array[] = [];
  const grid = Array.from({ length: divisions * divisions }, (_, index) => {
    const { values, vectorsRe, vectorsIm } = solver.states(gridPoint(index, divisions));
    energies.push(values.slice());
    return { re: vectorsRe.slice(), im: vectorsIm.slice() };
  });
  const gapAbove = Array.from({ length: n }, (_, band) =>
    band + 1 < n ? smallestGap(solver, energies, band, divisions) : Number.POSITIVE_INFINITY,
  );
  const hasTimeReversal = model.hoppings.every(({ im }) => im === 0);
  return gapAbove.map((above, band) => {
    const directGap = Math.min(above, band > 0 ? gapAbove[band - 1] : Number.POSITIVE_INFINITY);
    const number = directGap < ISOLATION_GAP ? undefined : chernNumber(grid, band, n, divisions);
    return {
      band,
      chern: hasTimeReversal && number !== 0 ? undefined : number,
      directGap,
      gapAbove: above,
    };
  });
}

const gridPoint = (index: number, divisions: number): [number, number] => [
  Math.floor(index / divisions) / divisions,
  (index % divisions) / divisions,
];

/** Smallest distance between `band` and the next: the lowest points of the grid, then downhill from them. */
function smallestGap(
  solver: BlochSolver,
  energies: readonly Float64Array[],
  band: number,
  divisions: number,
): number {
  const gapAt = (index: number): number => energies[index][band + 1] - energies[index][band];
  const starts = energies.map((_, index) => index).toSorted((a, b) => gapAt(a) - gapAt(b));
  let smallest = gapAt(starts[0]);
  for (const start of starts.slice(0, GAP_STARTS)) {
    if (smallest < ISOLATION_GAP) break;
    const found = smallestGapNear(solver, band, gridPoint(start, divisions), 0.5 / divisions);
    smallest = Math.min(smallest, found);
  }
  return smallest;
}

function chernNumber(grid: readonly States[], band: number, n: number, divisions: number): number {
  const at = (i: number, j: number) => grid[(i % divisions) * divisions + (j % divisions)];
  let flux = 0;
  for (let i = 0; i < divisions; i++)
    for (let j = 0; j < divisions; j++) {
      const corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      let [re, im] = [1, 0];
      corners.forEach((corner, side) => {
        const [x, y] = overlap(corner, corners[(side + 1) % 4], band, n);
        [re, im] = [re * x - im * y, re * y + im * x];
      });
      flux += Math.atan2(im, re);
    }
  return Math.round(flux / (2 * Math.PI)) + 0;
}

interface States {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** ⟨u(k)|u(k′)⟩ of one band. */
function overlap(a: States, b: States, band: number, n: number): [number, number] {
  let [re, im] = [0, 0];
  for (let place = band * n; place < (band + 1) * n; place++) {
    re += a.re[place] * b.re[place] + a.im[place] * b.im[place];
    im += a.re[place] * b.im[place] - a.im[place] * b.re[place];
  }
  return [re, im];
}
