/**
 * What the pattern search finds, the slow way: a reference drawn on the grid of a query, its Euclidean distance, and
 * exact dynamic time warping (DTW).
 *
 * DTW: H. Sakoe and S. Chiba, IEEE Trans. ASSP 26, 43 (1978), doi:10.1109/TASSP.1978.1163055. Steps (1,0), (0,1) and
 * (1,1) have equal weight, both ends are fixed, and there is no division by the path length.
 * A band w means |i − j| ≤ max(w, |n − m|).
 */
import { DiffractionError } from '../diffraction-error.ts';
import { GRID_MARGIN, type PatternQuery, SHAPE_ROW } from '../pattern-query.ts';

/** `absolute`: Σ |aᵢ − bⱼ|. `squared`: √ Σ (aᵢ − bⱼ)². They give different rankings, so a result states its cost. */
export type DtwCost = 'absolute' | 'squared';

export interface DtwOptions {
  readonly cost?: DtwCost;
  /** Sakoe–Chiba half width; without it there is no band. */
  readonly band?: number;
  /** Stops as soon as the distance is known to exceed this; the result is then Infinity. */
  readonly abandonAbove?: number;
}

function checkLengths(a: ArrayLike<number>, b: ArrayLike<number>, equal: boolean): void {
  if (a.length === 0 || b.length === 0 || (equal && a.length !== b.length))
    throw new DiffractionError(
      'bad-pattern',
      `cannot compare sequences of ${a.length} and ${b.length} points: expected ${equal ? 'equal lengths' : 'at least one point each'}`,
    );
}

/** √ Σ (aᵢ − bᵢ)². @throws DiffractionError `bad-pattern` for unequal lengths. */
export function euclideanDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  checkLengths(a, b, true);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return Math.sqrt(sum);
}

/**
 * Exact DTW distance. Time O(n · band), memory O(m).
 * @throws DiffractionError `bad-pattern` for an empty sequence.
 * @example dtwDistance([0, 0, 1, 2, 1, 0], [0, 1, 2, 1, 0, 0]) // 0
 */
export function dtwDistance(a: ArrayLike<number>, b: ArrayLike<number>, options: DtwOptions = {}): number {
  checkLengths(a, b, false);
  const {
    cost = 'absolute',
    band = Number.POSITIVE_INFINITY,
    abandonAbove = Number.POSITIVE_INFINITY,
  } = options;
  const n = a.length;
  const m = b.length;
  const width = Math.max(band, Math.abs(n - m));
  const squared = cost === 'squared';
  const limit = squared ? abandonAbove * abandonAbove : abandonAbove;
  // One row of the table, shifted by one so that index 0 is the border; `diagonal` keeps the value that is overwritten.
  const row = new Float64Array(m + 1).fill(Number.POSITIVE_INFINITY);
  row[0] = 0;
  for (let i = 0; i < n; i++) {
    const from = Math.max(0, i - width);
    const to = Math.min(m - 1, i + width);
    let diagonal = row[from];
    // Cells to the left of the band are unreachable; the border cell is reachable only from the first point.
    row[from] = Number.POSITIVE_INFINITY;
    let best = Number.POSITIVE_INFINITY;
    for (let j = from; j <= to; j++) {
      const difference = a[i] - b[j];
      const above = row[j + 1];
      const step = Math.min(diagonal, above, row[j]);
      diagonal = above;
      const value = step + (squared ? difference * difference : Math.abs(difference));
      row[j + 1] = value;
      if (value < best) best = value;
    }
    if (best > limit) return Number.POSITIVE_INFINITY;
  }
  const total = row[m];
  if (total > limit) return Number.POSITIVE_INFINITY;
  return squared ? Math.sqrt(total) : total;
}

/** Column of a row of shapes that holds the cell of the line itself. */
const MIDDLE = (SHAPE_ROW - 1) / 2;

/**
 * The amplitudes of a reference on the padded grid of a query at zero strain, scaled to unit length, or undefined when
 * it has no visible line in the measured range. It computes by brute force what the search computes from the lines.
 */
export function renderedReference(
  query: PatternQuery,
  cells: ArrayLike<number>,
  amplitudes: ArrayLike<number>,
): Float64Array | undefined {
  const result = new Float64Array(query.amplitudes.length);
  let any = false;
  for (let k = 0; k < cells.length; k++) {
    const row = cells[k] - query.from;
    if (row < 0 || row >= query.length) continue;
    any ||= query.visible[amplitudes[k]] > 0;
    const reach = query.reach[row];
    for (let j = -reach; j <= reach; j++)
      result[GRID_MARGIN + row + j] +=
        query.visible[amplitudes[k]] * query.shapes[row * SHAPE_ROW + MIDDLE + j];
  }
  if (!any) return undefined;
  const length = Math.hypot(...result);
  return result.map((value) => value / length);
}
