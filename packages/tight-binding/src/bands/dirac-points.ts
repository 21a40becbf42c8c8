/**
 * Dirac points at the corners of the path: exactly two bands meet and part linearly in every direction.
 */
import { type Mat2, rowTimesMatrix2, inverse2, type Vec2 } from '../periodic-graph.ts';
import { type BlochSolver, createBlochSolver } from './bloch-solver.ts';
import { kPathCorners, reciprocalVectors } from './k-path.ts';
import type { TightBindingModel } from './model.ts';

/** Radius of the larger of two circles on which the slopes are measured, 2π per mean edge. */
export const DIRAC_PROBE = 1e-3;
/** Smallest slope (energy per wave vector) that counts as linear. */
export const DIRAC_MIN_SLOPE = 0.02;
/** Directions, all round so that odd terms cancel, in which the distance of the bands is measured. */
export const DIRAC_DIRECTIONS = 12;
/** Levels closer than this are degenerate. */
export const DEGENERACY_TOLERANCE = 1e-7;

export interface DiracPoint {
  readonly label: string;
  readonly k: Vec2;
  readonly energy: number;
  /** Index of the lower of the two bands. */
  readonly band: number;
}

/** Linear crossings of two bands at the corner points of the net's path.
 *
 * Near a crossing the squared distance of the bands is a quadratic form of k; its smaller eigenvalue is the squared
 * slope in the flattest direction, 0 where the bands stay together along a line (glide lines of p4gm).
 */
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
    const cones = [DIRAC_PROBE, DIRAC_PROBE / 2].map((radius) =>
      flattestSlopes(solver, k, pairs, radius, toFraction),
    );
    return pairs
      .filter((_, index) => {
        // The limit of a small circle, free of the next order: a quadratic touching, however steep, gives 0.
        const [wide, narrow] = [cones[0][index], cones[1][index]];
        return (4 * narrow - wide) / 3 > DIRAC_MIN_SLOPE ** 2;
      })
      .map((band) => ({ label, k, energy: levels[band], band }));
  });
}

/** For every pair the squared slope in the flattest direction, measured on a circle. */
function flattestSlopes(
  solver: BlochSolver,
  k: Vec2,
  pairs: readonly number[],
  radius: number,
  toFraction: Mat2,
): number[] {
  const cones = pairs.map(() => ({ mean: 0, cosine: 0, sine: 0 }));
  for (let step = 0; step < DIRAC_DIRECTIONS; step++) {
    const angle = (2 * Math.PI * step) / DIRAC_DIRECTIONS;
    const [x, y] = rowTimesMatrix2([radius * Math.cos(angle), radius * Math.sin(angle)], toFraction);
    const near = solver.energies([k[0] + x, k[1] + y]);
    pairs.forEach((band, index) => {
      const share = ((near[band + 1] - near[band]) / radius) ** 2 / DIRAC_DIRECTIONS;
      const cone = cones[index];
      cone.mean += share;
      cone.cosine += 2 * share * Math.cos(2 * angle);
      cone.sine += 2 * share * Math.sin(2 * angle);
    });
  }
  return cones.map(({ mean, cosine, sine }) => mean - Math.hypot(cosine, sine));
}
