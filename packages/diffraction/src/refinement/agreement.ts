/**
 * How well a calculated pattern agrees with the measured one. R factors as defined by R. A. Young (ed.), The
 * Rietveld Method (Oxford University Press 1993).
 */
import type { MeasuredPoints } from './measured-points.ts';
import type { Agreement } from './types.ts';

export function agreement(
  { y, weights, used }: MeasuredPoints,
  calculated: Float64Array,
  background: Float64Array,
  parameters: number,
): Agreement {
  let residual = 0;
  let total = 0;
  let peaks = 0;
  let absolute = 0;
  let observed = 0;
  for (let i = 0; i < y.length; i++) {
    if (weights[i] === 0) continue;
    residual += weights[i] * (y[i] - calculated[i]) ** 2;
    total += weights[i] * y[i] ** 2;
    peaks += weights[i] * (y[i] - background[i]) ** 2;
    absolute += Math.abs(y[i] - calculated[i]);
    observed += Math.abs(y[i]);
  }
  const degrees = Math.max(1, used - parameters);
  return {
    rwp: Math.sqrt(residual / total),
    rp: absolute / observed,
    rexp: Math.sqrt(degrees / total),
    rwpPeaks: Math.sqrt(residual / peaks),
    chiSquared: residual / degrees,
  };
}

/**
 * Expected value of Σ (Σ |z|)², summed over runs of equal sign and divided by the number of points, for
 * independent normal residuals z: 1 + 4/π.
 */
const INDEPENDENT = 1 + 4 / Math.PI;

/**
 * Factor by which serial correlation of the residuals increases the e.s.d.: J.-F. Bérar and P. Lelann, J. Appl.
 * Cryst. 24, 1 (1991), doi:10.1107/S0021889890008391. Consecutive residuals of equal sign count as one
 * observation. The factor is normalised so that independent residuals give 1, and it is never below 1.
 */
export function berarFactor({ y, weights }: MeasuredPoints, calculated: Float64Array): number {
  let runs = 0;
  let squares = 0;
  let run = 0;
  for (let i = 0; i < y.length; i++) {
    if (weights[i] === 0) continue;
    const z = Math.sqrt(weights[i]) * (y[i] - calculated[i]);
    if (z * run < 0) {
      runs += run * run;
      run = 0;
    }
    run += z;
    squares += z * z;
  }
  runs += run * run;
  return squares > 0 ? Math.max(1, Math.sqrt(runs / squares / INDEPENDENT)) : 1;
}
