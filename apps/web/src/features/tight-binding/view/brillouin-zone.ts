/** The first Brillouin zone of a plane lattice. */
import { type Mat2, reciprocalVectors, type Vec2 } from '@unitcell/tight-binding';
import { placeOf } from './plane.ts';

/** Corners closer than this (relative to the zone) are merged. */
const CORNER_TOLERANCE = 1e-6;

/** Clips a polygon at the perpendicular bisector of `g`. */
function cut(polygon: readonly Vec2[], [gx, gy]: Vec2): Vec2[] {
  const limit = (gx * gx + gy * gy) / 2;
  const over = ([x, y]: Vec2): number => x * gx + y * gy - limit;
  return polygon.flatMap((from, index) => {
    const to = polygon[(index + 1) % polygon.length] ?? from;
    const [a, b] = [over(from), over(to)];
    const kept: Vec2[] = a <= 0 ? [from] : [];
    if (a * b < 0) {
      const share = a / (a - b);
      kept.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
    }
    return kept;
  });
}

/** Corners of the zone, counter-clockwise, in units of 2π per mean edge. */
export function brillouinZone(latticeVectors: Mat2): Vec2[] {
  const reciprocal = reciprocalVectors(latticeVectors);
  const size = 2 * Math.max(...reciprocal.map(([x, y]) => Math.hypot(x, y)));
  let polygon: Vec2[] = [
    [-size, -size],
    [size, -size],
    [size, size],
    [-size, size],
  ];
  // The cells of the table are reduced, so the bounding neighbours are among these.
  for (let u = -2; u <= 2; u++)
    for (let v = -2; v <= 2; v++) if (u !== 0 || v !== 0) polygon = cut(polygon, placeOf(reciprocal, u, v));
  return polygon.filter((own, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? own;
    return Math.hypot(next[0] - own[0], next[1] - own[1]) > CORNER_TOLERANCE * size;
  });
}
