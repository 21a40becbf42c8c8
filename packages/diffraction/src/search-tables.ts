/**
 * What a search computes once per query: scalar products, overlaps and envelopes looked up per line and shift.
 */
import { envelope } from './distances.ts';
import { GRID_MARGIN, MAX_STRAIN_CELLS, type PatternQuery, SHAPE_ROW } from './pattern-query.ts';

/**
 * Half width of the Sakoe–Chiba band in cells: after the isotropic strain each axis of a cell may still be off by
 * ± 0.4 %, the spread of cells computed with PBE. A band of two cells finds fewer of the measured patterns: rich
 * patterns then warp onto anything.
 */
export const DTW_BAND_CELLS = 1;

/** DTW is computed at every DTW_SHIFT_STEP-th shift: the bands of neighbouring ones meet. */
export const DTW_SHIFT_STEP = 2;

/** Cells of the query, the highest first, in which the sparse lower bound looks for missing lines. */
const LANDMARKS = 12;

/** For every line position, which landmarks (at which shift) it can raise, and by how much. */
export interface LandmarkTables {
  /** Query amplitudes at the landmarks. */
  readonly heights: Float64Array;
  /** Entries of row r are start[r] … start[r + 1] − 1. */
  readonly start: Uint32Array;
  /** landmark · dtwShifts.length + n. */
  readonly slot: Uint16Array;
  /** Highest value of a unit line within the DTW band of the landmark. */
  readonly value: Float64Array;
}

export interface SearchTables {
  /** Shifts −shifts … +shifts are tried. */
  readonly shifts: number;
  /** Number of shifts, 2 · shifts + 1. */
  readonly columns: number;
  /** [row · columns + shift]: scalar product of the query with a unit line of the row, shifted. */
  readonly products: Float64Array;
  /** [row · overlapColumns + t]: scalar product of unit lines of rows row and row + t. */
  readonly overlaps: Float64Array;
  readonly overlapColumns: number;
  /** [row]: largest t with an overlap. */
  readonly overlapReach: Uint8Array;
  /** Query envelope over the DTW band. */
  readonly upper: Float64Array;
  /** Shifts at which DTW is computed. */
  readonly dtwShifts: Int8Array;
  readonly landmarks: LandmarkTables;
}

function landmarkTables(query: PatternQuery, dtwShifts: Int8Array): LandmarkTables {
  const { amplitudes, length, shapes, reach } = query;
  const middle = (SHAPE_ROW - 1) / 2;
  const cells = Array.from(amplitudes.keys())
    .sort((a, b) => amplitudes[b] - amplitudes[a])
    .slice(0, LANDMARKS);
  const start = new Uint32Array(length + 1);
  const slot: number[] = [];
  const value: number[] = [];
  for (let row = 0; row < length; row++) {
    const own = reach[row];
    for (const [m, cell] of cells.entries())
      for (const [n, shift] of dtwShifts.entries()) {
        const distance = cell - shift - GRID_MARGIN - row;
        if (Math.abs(distance) > own + DTW_BAND_CELLS) continue;
        let highest = 0;
        for (let j = -DTW_BAND_CELLS; j <= DTW_BAND_CELLS; j++)
          if (Math.abs(distance + j) <= own)
            highest = Math.max(highest, shapes[row * SHAPE_ROW + middle + distance + j]);
        slot.push(m * dtwShifts.length + n);
        value.push(highest);
      }
    start[row + 1] = slot.length;
  }
  const heights = Float64Array.from(cells, (cell) => amplitudes[cell]);
  return { heights, start, slot: Uint16Array.from(slot), value: Float64Array.from(value) };
}

/** Tables of a query for isotropic strains up to `shifts` cells to either side. */
export function searchTables(query: PatternQuery, shifts: number): SearchTables {
  const { length, shapes, reach, amplitudes } = query;
  const columns = 2 * shifts + 1;
  const middle = (SHAPE_ROW - 1) / 2;
  const { upper } = envelope(amplitudes, DTW_BAND_CELLS);
  const evenMost = shifts - (shifts % DTW_SHIFT_STEP);
  const dtwShifts = Int8Array.from(
    { length: (2 * evenMost) / DTW_SHIFT_STEP + 1 },
    (_, n) => n * DTW_SHIFT_STEP - evenMost,
  );
  const products = new Float64Array(length * columns);
  const overlapColumns = 2 * middle + 1;
  const overlaps = new Float64Array(length * overlapColumns);
  const overlapReach = new Uint8Array(length);
  for (let row = 0; row < length; row++) {
    const own = reach[row];
    const shape = row * SHAPE_ROW + middle;
    for (let shift = -shifts; shift <= shifts; shift++) {
      const centre = GRID_MARGIN + row + shift;
      let sum = 0;
      for (let j = -own; j <= own; j++) sum += shapes[shape + j] * amplitudes[centre + j];
      products[row * columns + shift + shifts] = sum;
    }
    for (let t = 0; t < overlapColumns && row + t < length; t++) {
      const other = reach[row + t];
      const otherShape = (row + t) * SHAPE_ROW + middle;
      const [from, to] = [Math.max(-own, t - other), Math.min(own, t + other)];
      if (from > to) break;
      let sum = 0;
      for (let j = from; j <= to; j++) sum += shapes[shape + j] * shapes[otherShape + j - t];
      overlaps[row * overlapColumns + t] = sum;
      overlapReach[row] = t;
    }
  }
  const landmarks = landmarkTables(query, dtwShifts);
  return { shifts, columns, products, overlaps, overlapColumns, overlapReach, upper, dtwShifts, landmarks };
}

/** The widest strain, in cells, that a range of relative strains allows (at most MAX_STRAIN_CELLS). */
export const shiftsForStrain = (maxStrain: number, gridStep: number): number =>
  Math.min(MAX_STRAIN_CELLS, Math.max(0, Math.floor(Math.log1p(maxStrain) / gridStep + 0.06)));
