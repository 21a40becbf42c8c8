/** The refined background: Chebyshev's polynomials of the first kind over the range, and broad Gaussian humps. */
import type { ParameterLayout } from './parameters.ts';

const HUMP_EXPONENT = 4 * Math.LN2;

/** Adds the background to `sum`, and its derivatives to the columns of free parameters. */
export function addBackground(
  x: Float64Array,
  { background, humps }: ParameterLayout,
  values: Float64Array,
  sum: Float64Array,
  column: (parameter: number) => Float64Array | undefined,
): void {
  const middle = (x[0] + x[x.length - 1]) / 2;
  const half = (x[x.length - 1] - x[0]) / 2;
  const t = x.map((value) => (value - middle) / half);
  // T₋₁ = T₁
  let previous = t;
  let current = new Float64Array(x.length).fill(1);
  for (let term = background.first; term < background.first + background.count; term++) {
    const next = new Float64Array(x.length);
    for (let i = 0; i < x.length; i++) {
      sum[i] += values[term] * current[i];
      next[i] = 2 * t[i] * current[i] - previous[i];
    }
    column(term)?.set(current);
    previous = current;
    current = next;
  }
  for (let hump = 0; hump < humps.count; hump++) {
    const at = humps.first + 3 * hump;
    const [height, position, width] = [values[at], values[at + 1], values[at + 2]];
    const [byHeight, byPosition, byWidth] = [column(at), column(at + 1), column(at + 2)];
    for (let i = 0; i < x.length; i++) {
      const u = (x[i] - position) / width;
      const bell = Math.exp(-HUMP_EXPONENT * u * u);
      sum[i] += height * bell;
      if (byHeight) byHeight[i] = bell;
      if (byPosition) byPosition[i] = (2 * HUMP_EXPONENT * height * u * bell) / width;
      if (byWidth) byWidth[i] = (2 * HUMP_EXPONENT * height * u * u * bell) / width;
    }
  }
}
