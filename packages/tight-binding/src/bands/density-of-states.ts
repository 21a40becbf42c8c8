/**
 * Density of states and filling by the linear triangle method: the zone is divided into triangles, and energies are
 * linear in each (the two-dimensional form of G. Lehmann, M. Taut, Phys. Status Solidi B 54 (1972) 469). The count of
 * states up to an energy is exact for the interpolated bands, so a flat band fills one bin and is not lost.
 */
import { TightBindingError } from '../tight-binding-error.ts';
import { createBlochSolver } from './bloch-solver.ts';
import type { TightBindingModel } from './model.ts';

/** Margin on both sides of a spectrum that is a single level, in units of the hoppings. */
const SMALLEST_MARGIN = 1e-3;
/** Relative precision of the bisection for the Fermi level, in units of the width of the spectrum. */
const LEVEL_PRECISION = 1e-12;

/** Band energies on a regular grid over the whole reciprocal cell. */
export interface EnergyGrid {
  readonly divisions: number;
  readonly bandCount: number;
  /** Entry (i · divisions + j) · bandCount + n is band n at k = (i, j) / divisions. */
  readonly energies: Float64Array;
}

export const MAX_GRID_DIVISIONS = 400;

/** Energies on a `divisions` × `divisions` grid; E(−k) = E(k) halves the work of models without flux. */
export function energyGrid(model: TightBindingModel, divisions: number): EnergyGrid {
  if (!Number.isInteger(divisions) || divisions < 2 || divisions > MAX_GRID_DIVISIONS)
    throw new TightBindingError(
      'invalid-option',
      `the grid has ${divisions} divisions: expected an integer from 2 to ${MAX_GRID_DIVISIONS}`,
    );
  const solver = createBlochSolver(model);
  const bandCount = solver.size;
  const energies = new Float64Array(divisions * divisions * bandCount);
  const isReal = model.hoppings.every(({ im }) => im === 0);
  for (let i = 0; i < divisions; i++)
    for (let j = 0; j < divisions; j++) {
      const place = (i * divisions + j) * bandCount;
      const mirror = (((divisions - i) % divisions) * divisions + ((divisions - j) % divisions)) * bandCount;
      if (isReal && mirror < place) energies.copyWithin(place, mirror, mirror + bandCount);
      else energies.set(solver.energies([i / divisions, j / divisions]), place);
    }
  return { divisions, bandCount, energies };
}

/** Share of a triangle with corner energies a ≤ b ≤ c that is below `energy`. */
function shareBelow(a: number, b: number, c: number, energy: number): number {
  if (energy < a) return 0;
  if (energy >= c) return 1;
  if (energy < b) return (energy - a) ** 2 / ((b - a) * (c - a));
  return 1 - (c - energy) ** 2 / ((c - a) * (c - b));
}

/** Calls `visit` with the sorted corner energies of every triangle of every band. */
function eachTriangle(
  { divisions, bandCount, energies }: EnergyGrid,
  visit: (band: number, a: number, b: number, c: number) => void,
): void {
  const at = (i: number, j: number, band: number) =>
    energies[((i % divisions) * divisions + (j % divisions)) * bandCount + band];
  for (let i = 0; i < divisions; i++)
    for (let j = 0; j < divisions; j++)
      for (let band = 0; band < bandCount; band++) {
        const [p, q, r, s] = [at(i, j, band), at(i + 1, j, band), at(i, j + 1, band), at(i + 1, j + 1, band)];
        for (const corner of [p, s]) {
          const low = Math.min(corner, q, r);
          const high = Math.max(corner, q, r);
          visit(band, low, corner + q + r - low - high, high);
        }
      }
}

/** States per cell with energies up to `energy` (spinless: 0 … number of bands). */
export function integratedStates(grid: EnergyGrid, energy: number): number {
  let sum = 0;
  eachTriangle(grid, (_, a, b, c) => (sum += shareBelow(a, b, c, energy)));
  return sum / (2 * grid.divisions ** 2);
}

export interface DensityOfStates {
  /** Centre of every bin. */
  readonly energies: readonly number[];
  /** States per cell and unit of energy, averaged over the bin. */
  readonly density: readonly number[];
  /** States per cell below the upper end of every bin. */
  readonly integrated: readonly number[];
}

/**
 * Density of states in `binCount` equal bins over the bands.
 * @example densityOfStates(energyGrid(createModel({ net: netById('kgm') }), 60), 300)
 */
export function densityOfStates(grid: EnergyGrid, binCount: number): DensityOfStates {
  if (!Number.isInteger(binCount) || binCount < 1 || binCount > 100_000)
    throw new TightBindingError(
      'invalid-option',
      `the number of bins is ${binCount}: expected an integer from 1 to 100000`,
    );
  let [low, high] = extent(grid.energies);
  // Adds a small margin, so that a flat band at the edge keeps its whole bin.
  const margin = Math.max((high - low) * 0.01, SMALLEST_MARGIN);
  [low, high] = [low - margin, high + margin];
  const width = (high - low) / binCount;
  const counts = new Float64Array(binCount);
  eachTriangle(grid, (_, a, b, c) => {
    const first = Math.floor((a - low) / width);
    const last = Math.min(binCount - 1, Math.floor((c - low) / width));
    let done = 0;
    for (let bin = first; bin <= last; bin++) {
      const share = shareBelow(a, b, c, low + (bin + 1) * width);
      // Rounding may put the top of a triangle on the edge of a bin; the last bin takes the rest.
      const upTo = bin === last && last < binCount - 1 ? 1 : share;
      counts[bin] += upTo - done;
      done = upTo;
    }
  });
  const perTriangle = 1 / (2 * grid.divisions ** 2);
  let sum = 0;
  const integrated = Array.from(counts, (count) => (sum += count * perTriangle));
  return {
    energies: Array.from(counts, (_, bin) => low + (bin + 0.5) * width),
    density: Array.from(counts, (count) => (count * perTriangle) / width),
    integrated,
  };
}

function extent(values: Float64Array): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Energies that differ by less than this count as equal in the search for a gap. */
export const GAP_TOLERANCE = 1e-9;

export interface FermiLevel {
  readonly energy: number;
  /** Width of the gap around the Fermi level, 0 for a metal. */
  readonly gap: number;
}

/**
 * Energy up to which `filling` states per cell (spinless, 0 … number of bands) are occupied; the middle of
 * the gap if whole bands are filled and do not overlap the next.
 */
export function fermiLevel(grid: EnergyGrid, filling: number): FermiLevel {
  const { bandCount, energies } = grid;
  if (!(filling >= 0 && filling <= bandCount))
    throw new TightBindingError(
      'invalid-option',
      `the filling is ${filling}: expected 0 to ${bandCount} states per cell`,
    );
  const [low, high] = extent(energies);
  if (filling === 0) return { energy: low, gap: 0 };
  if (filling === bandCount) return { energy: high, gap: 0 };
  if (Number.isInteger(filling)) {
    let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let place = 0; place < energies.length; place += bandCount) {
      top = Math.max(top, energies[place + filling - 1]);
      bottom = Math.min(bottom, energies[place + filling]);
    }
    if (bottom - top > GAP_TOLERANCE) return { energy: (top + bottom) / 2, gap: bottom - top };
  }
  let [left, right] = [low, high];
  for (let step = 0; step < 60 && right - left > LEVEL_PRECISION * (high - low); step++) {
    const middle = (left + right) / 2;
    if (integratedStates(grid, middle) < filling) left = middle;
    else right = middle;
  }
  return { energy: right, gap: 0 };
}
