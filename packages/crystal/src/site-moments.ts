/** Magnetic moments of sites as one number each. */
import { dot3, norm3, scale3, subtract3, type Vec3 } from '@unitcell/numerics';

/** Share of the largest moment that may stand across the common axis: rounding of files with two decimals. */
const ACROSS = 0.02;

/**
 * Moments that all lie along one line as signed lengths along it, towards its largest Cartesian component; any others as lengths.
 * @param moments Cartesian, any unit, which the answer has too; undefined where nothing is known
 */
export function signedMoments(moments: readonly (Vec3 | undefined)[]): readonly (number | undefined)[] {
  const longest = moments.reduce<Vec3>(
    (best, moment) => (moment && norm3(moment) > norm3(best) ? moment : best),
    [0, 0, 0],
  );
  const size = norm3(longest);
  if (size === 0) return moments.map((moment) => moment && 0);
  const lead = longest.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
  const axis = scale3(longest, Math.sign(lead) / size);
  const isCollinear = moments.every(
    (moment) => !moment || norm3(subtract3(moment, scale3(axis, dot3(moment, axis)))) <= ACROSS * size,
  );
  return moments.map((moment) => moment && (isCollinear ? dot3(moment, axis) : norm3(moment)));
}
