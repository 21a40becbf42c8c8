/**
 * Chern numbers of isolated bands on a grid of the zone: the phases of overlaps around each plaquette add up to 2π
 * times an integer (T. Fukui, Y. Hatsugai, H. Suzuki, J. Phys. Soc. Jpn. 74 (2005) 1674).
 */
import { TightBindingError } from '../tight-binding-error.ts';
import { type BlochSolver, createBlochSolver } from './bloch-solver.ts';
import type { TightBindingModel } from './model.ts';
import type { Vec2 } from '../periodic-graph.ts';

// The closest approach of two neighbouring bands. Near a conical touching the *square* of their distance is a
// smooth function of k (the discriminant of the two states), so fitting a paraboloid to it converges in a few
// steps, while the distance itself has a kink.

const MAX_STEPS = 30;
/** Squared distances smaller than this are rounding errors of the eigenvalues. */
const SQUARE_NOISE = 1e-16;
const SMALLEST_RADIUS = 1e-6;

/**
 * Smallest distance between `band` and the next one near `start`.
 * @param start k in fractions of the reciprocal vectors
 * @param radius maximum length of the first step: half a division of the grid that found `start`
 * @returns an upper bound of the local minimum, never above the distance at `start`
 */
export function smallestGapNear(
  solver: Pick<BlochSolver, 'energies'>,
  band: number,
  start: Vec2,
  radius: number,
): number {
  const square = ([kx, ky]: Vec2): number => {
    const energies = solver.energies([kx, ky]);
    return (energies[band + 1] - energies[band]) ** 2;
  };
  let at = start;
  let best = square(at);
  let h = radius;
  for (let step = 0; step < MAX_STEPS && best > SQUARE_NOISE && h > SMALLEST_RADIUS; step++) {
    const [x, y] = at;
    const [east, west] = [square([x + h, y]), square([x - h, y])];
    const [north, south] = [square([x, y + h]), square([x, y - h])];
    const corner = square([x + h, y + h]);
    const move = paraboloidStep(best, east, west, north, south, corner, h);
    const candidates: [Vec2, number][] = [
      [[x + h, y], east],
      [[x - h, y], west],
      [[x, y + h], north],
      [[x, y - h], south],
      [[x + h, y + h], corner],
    ];
    if (move) {
      const to: Vec2 = [x + move[0], y + move[1]];
      candidates.push([to, square(to)]);
    }
    const [to, value] = candidates.reduce((low, next) => (next[1] < low[1] ? next : low));
    // The next fit uses the length of the last step as its scale. If a fit does not improve the minimum, its
    // scale was too coarse.
    h = value < best ? Math.min(h, Math.max(Math.hypot(to[0] - x, to[1] - y) / 2, h / 8)) : h / 4;
    if (value < best) [at, best] = [to, value];
  }
  return Math.sqrt(best);
}

/**
 * Step to the lowest point of the paraboloid through six points, at most 2h long; undefined if there is none.
 */
function paraboloidStep(
  centre: number,
  east: number,
  west: number,
  north: number,
  south: number,
  corner: number,
  h: number,
): Vec2 | undefined {
  const [gx, gy] = [(east - west) / 2, (north - south) / 2];
  const [xx, yy] = [east + west - 2 * centre, north + south - 2 * centre];
  const xy = corner - east - north + centre;
  const determinant = xx * yy - xy * xy;
  if (!(xx > 0 && determinant > 0)) return undefined;
  const [u, v] = [(xy * gy - yy * gx) / determinant, (xy * gx - xx * gy) / determinant];
  const shorten = Math.min(1, 2 / Math.hypot(u, v));
  return [u * shorten * h, v * shorten * h];
}

/**
 * Bands whose distance anywhere is smaller than this (in units of the hoppings) are not isolated. The grids in
 * use resolve only larger distances.
 */
export const ISOLATION_GAP = 1e-4;
/**
 * Number of grid minima that are refined to find the smallest distance of two bands. A few suffice, because
 * touchings occur in symmetric copies.
 */
const GAP_STARTS = 2;

export interface BandChernNumber {
  readonly band: number;
  /** Undefined for a band that touches another band. */
  readonly chern: number | undefined;
  /** Smallest distance to the neighbouring bands at one k. */
  readonly directGap: number;
  /** Smallest distance to the band above; infinite for the uppermost band. */
  readonly gapAbove: number;
}

/**
 * Chern number of every isolated band on a `divisions` × `divisions` grid (24 is enough for gaps of a few
 * percent of t). Bands may touch between the grid points, so the smallest distances are refined off the grid
 * before a band counts as isolated. Without magnetic phases the Chern number of an isolated band is 0 (time
 * reversal). Any other result means that a touching was not resolved, and the band gets no number.
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

/** Smallest distance between `band` and the next band, refined from the lowest points of the grid. */
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

/** The overlap ⟨u(k)|u(k′)⟩ of one band. */
function overlap(a: States, b: States, band: number, n: number): [number, number] {
  let [re, im] = [0, 0];
  for (let place = band * n; place < (band + 1) * n; place++) {
    re += a.re[place] * b.re[place] + a.im[place] * b.im[place];
    im += a.re[place] * b.im[place] - a.im[place] * b.re[place];
  }
  return [re, im];
}
