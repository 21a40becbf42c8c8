/** A plane through periodic data, in its true shape. */
import { dot3, norm3, type Mat3 } from '@unitcell/numerics';
import { type Grid, valueAt } from './isosurface.ts';

export const AXES = ['a', 'b', 'c'] as const;
export type Axis = (typeof AXES)[number];

export const AXIS_NUMBERS = { a: 0, b: 1, c: 2 } as const;
/** The plane across an axis, in the order that keeps the hand of the cell. */
const PLANES = { a: ['b', 'c'], b: ['c', 'a'], c: ['a', 'b'] } as const;

export interface Slice {
  /** Å from the origin, along the first vector of the plane and perpendicular to it. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Rows by y; null outside of the cell. */
  readonly values: readonly (readonly (number | null)[])[];
  readonly min: number;
  readonly max: number;
  /** Percentiles 2 and 98: a few points near the nuclei would take all colours. */
  readonly colors: readonly [number, number];
  /** The vectors the plane is spanned by. */
  readonly axes: readonly [Axis, Axis];
}

/** Points along the longer side. */
const POINTS = 160;
const EDGE = 1e-9;

/** @param fraction where the plane crosses `across`, 0 to 1 */
export function sliceOf(grid: Grid, cell: Mat3, across: Axis, fraction: number): Slice {
  const axes = PLANES[across];
  const [normal, first, second] = [AXIS_NUMBERS[across], AXIS_NUMBERS[axes[0]], AXIS_NUMBERS[axes[1]]];
  const [u, v] = [cell[first], cell[second]];
  const width = norm3(u);
  // v in the plane: along u, and perpendicular to it.
  const along = dot3(u, v) / width;
  const height = Math.sqrt(Math.max(0, dot3(v, v) - along * along));
  const left = Math.min(0, along);
  const span = Math.max(width, width + along) - left;
  const step = Math.max(span, height) / POINTS;
  const count = (length: number): number => Math.max(2, Math.round(length / step) + 1);
  const x = Array.from({ length: count(span) }, (_, i, all = count(span)) => left + (span * i) / (all - 1));
  const y = Array.from({ length: count(height) }, (_, i, all = count(height)) => (height * i) / (all - 1));
  const inside: number[] = [];
  const isIn = (part: number): boolean => part > -EDGE && part < 1 + EDGE;
  const values = y.map((down) =>
    x.map((right) => {
      const ofV = down / height;
      const ofU = (right - ofV * along) / width;
      if (!isIn(ofU) || !isIn(ofV)) return null;
      const place: [number, number, number] = [0, 0, 0];
      place[normal] = fraction;
      place[first] = ofU;
      place[second] = ofV;
      const value = valueAt(grid, place);
      inside.push(value);
      return value;
    }),
  );
  inside.sort((a, b) => a - b);
  const at = (part: number): number => inside[Math.round(part * (inside.length - 1))] ?? 0;
  return {
    x,
    y,
    values,
    min: at(0),
    max: at(1),
    colors: [at(0.02), at(0.98)],
    axes,
  };
}
