/**
 * Dirac points at the corners of the path: exactly two bands meet and part linearly in every direction.
 */
import { type Mat2, rowTimesMatrix2, inverse2, type Vec2 } from '../nets/periodic-graph.ts';
import { createBlochSolver } from './bloch-solver.ts';
import { kPathCorners, reciprocalVectors } from './k-path.ts';
import type { TightBindingModel } from './model.ts';

/** Radius of the circle on which the slopes are measured, 2π per mean edge. */
export const DIRAC_PROBE = 1e-3;
/** Smallest slope (energy per wave vector) that counts as linear; a quadratic touching has about the probe itself. */
export const DIRAC_MIN_SLOPE = 0.02;
/** Levels closer than this are degenerate. */
export const DEGENERACY_TOLERANCE = 1e-7;

export interface DiracPoint {
  readonly label: string;
  readonly k: Vec2;
  readonly energy: number;
  /** Index of the lower of the two bands. */
  readonly band: number;
}

/** Linear crossings of two bands at the corner points of the net's path. */
export function diracPoints(model: TightBindingModel): DiracPoint[] {
  const { planeGroup, latticeVectors } = model.net;
  const solver = createBlochSolver(model);
  const toFraction: Mat2 = inverse2(reciprocalVectors(latticeVectors));
  const corners = kPathCorners(planeGroup, latticeVectors).slice(0, -1);
  return corners.flatMap(({ label, k }) => {
    const levels = Array.from(solver.energies(k));
    const pairs = levels.flatMap((energy, band) => {
      const isPair = band + 1 < levels.length && levels[band + 1] - energy < DEGENERACY_TOLERANCE;
      const isMore =
        (band > 0 && energy - levels[band - 1] < DEGENERACY_TOLERANCE) ||
        (band + 2 < levels.length && levels[band + 2] - energy < DEGENERACY_TOLERANCE);
      return isPair && !isMore ? [band] : [];
    });
    if (pairs.length === 0) return [];
    const slopes = new Map(pairs.map((band) => [band, Number.POSITIVE_INFINITY]));
    for (let step = 0; step < 12; step++) {
      const angle = 0.1 + (Math.PI * step) / 12;
      const [x, y] = rowTimesMatrix2(
        [DIRAC_PROBE * Math.cos(angle), DIRAC_PROBE * Math.sin(angle)],
        toFraction,
      );
      const near = solver.energies([k[0] + x, k[1] + y]);
      for (const band of pairs)
        slopes.set(band, Math.min(slopes.get(band)!, (near[band + 1] - near[band]) / DIRAC_PROBE));
    }
    return pairs
      .filter((band) => slopes.get(band)! > DIRAC_MIN_SLOPE)
      .map((band) => ({ label, k, energy: levels[band], band }));
  });
}
