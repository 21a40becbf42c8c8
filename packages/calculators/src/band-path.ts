/**
 * Sampling of a path through the Brillouin zone.
 */
import { type Mat3, norm3, rowTimesMatrix3, subtract3, type Vec3 } from '@unitcell/numerics';

/** The parts of a path that sampling needs; `kPath` of the symmetry package provides them. */
export interface LabelledPath {
  /** Fractional coordinates by label. */
  readonly points: Readonly<Record<string, Vec3>>;
  /** Labels along each unbroken branch. */
  readonly path: readonly (readonly string[])[];
  /** Rows of the reciprocal lattice, 1/Å with 2π. */
  readonly reciprocalLattice: Mat3;
}

export interface SampledPath {
  readonly kPoints: readonly Vec3[];
  /** Distance from the start, 1/Å; both ends of a discontinuity have the same distance. */
  readonly kDistance: readonly number[];
  readonly labels: readonly { readonly index: number; readonly label: string }[];
}

/** Minimum number of points per segment, including its start. */
export const MINIMUM_SEGMENT_POINTS = 3;

/**
 * Returns k-points distributed evenly over each segment.
 * @param density points per 1/Å
 */
export function sampleBandPath(
  { points, path, reciprocalLattice }: LabelledPath,
  density: number,
): SampledPath {
  const kPoints: Vec3[] = [];
  const kDistance: number[] = [];
  const labels: { index: number; label: string }[] = [];
  let distance = 0;
  const add = (point: Vec3, at: number): void => {
    kPoints.push(point);
    kDistance.push(at);
  };
  for (const branch of path) {
    labels.push({ index: kPoints.length, label: branch[0] });
    add(points[branch[0]], distance);
    for (let corner = 1; corner < branch.length; corner++) {
      const from = points[branch[corner - 1]];
      const step = subtract3(points[branch[corner]], from);
      const length = norm3(rowTimesMatrix3(step, reciprocalLattice));
      const pieces = Math.max(MINIMUM_SEGMENT_POINTS - 1, Math.round(length * density));
      for (let i = 1; i <= pieces; i++) {
        const share = i / pieces;
        add(
          [from[0] + share * step[0], from[1] + share * step[1], from[2] + share * step[2]],
          distance + share * length,
        );
      }
      distance += length;
      labels.push({ index: kPoints.length - 1, label: branch[corner] });
    }
  }
  return { kPoints, kDistance, labels };
}
