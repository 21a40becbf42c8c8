/**
 * Finds the site at a position of the periodic cell in constant time, using boxes at least a few tolerances
 * wide.
 */
import { type Mat3, norm3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { reciprocalLattice } from '../lattice.ts';

/** Limit on the boxes along one axis, so that keys remain small integers. */
const MAX_BOXES = 1024;

const nearest = (difference: number): number => difference - Math.round(difference);

/** Difference b − a to the nearest image of b (fractional), for positions much closer than the cell edges. */
export const shortestDifference = (a: Vec3, b: Vec3): Vec3 => [
  nearest(b[0] - a[0]),
  nearest(b[1] - a[1]),
  nearest(b[2] - a[2]),
];

export interface SiteIndex {
  /** Adds a position; positions are numbered from 0 in the order they are added. */
  add(position: Vec3): number;
  /** Number of the closest position within the tolerance; −1 if there is none. */
  find(position: Vec3): number;
}

/**
 * An index of positions in a cell.
 * @param tolerance Å; positions at most this far apart are the same
 */
export function createSiteIndex(latticeVectors: Mat3, tolerance: number): SiteIndex {
  const positions: Vec3[] = [];
  const boxes = new Map<number, number[]>();
  // A sphere of radius `tolerance` extends by |a*| · tolerance along a, whatever the angles of the cell.
  const reach = reciprocalLattice(latticeVectors).map((row) => norm3(row) * tolerance);
  const counts = reach.map((share) => Math.max(1, Math.min(MAX_BOXES, Math.floor(1 / (4 * share)))));
  const keyOf = (i: number, j: number, k: number): number => (i * MAX_BOXES + j) * MAX_BOXES + k;
  /**
   * First and last box that an interval around the coordinate touches, counted across the images of the cell.
   */
  const lowBox = (coordinate: number, axis: number): number =>
    counts[axis] < 3 ? 0 : Math.floor((coordinate - reach[axis]) * counts[axis]);
  const highBox = (coordinate: number, axis: number): number =>
    counts[axis] < 3 ? counts[axis] - 1 : Math.floor((coordinate + reach[axis]) * counts[axis]);
  const wrapBox = (box: number, axis: number): number => ((box % counts[axis]) + counts[axis]) % counts[axis];
  const boxOf = (coordinate: number, axis: number): number =>
    wrapBox(Math.floor(coordinate * counts[axis]), axis);
  return {
    add(position) {
      const key = keyOf(boxOf(position[0], 0), boxOf(position[1], 1), boxOf(position[2], 2));
      const box = boxes.get(key);
      if (box) box.push(positions.length);
      else boxes.set(key, [positions.length]);
      return positions.push(position) - 1;
    },
    find(position) {
      let found = -1;
      let closest = tolerance;
      const [x, y, z] = position;
      const [lastI, lastJ, lastK] = [highBox(x, 0), highBox(y, 1), highBox(z, 2)];
      for (let i = lowBox(x, 0); i <= lastI; i++)
        for (let j = lowBox(y, 1); j <= lastJ; j++)
          for (let k = lowBox(z, 2); k <= lastK; k++) {
            const box = boxes.get(keyOf(wrapBox(i, 0), wrapBox(j, 1), wrapBox(k, 2)));
            if (box === undefined) continue;
            for (const candidate of box) {
              const difference = shortestDifference(positions[candidate], position);
              const distance = norm3(rowTimesMatrix3(difference, latticeVectors));
              if (distance > closest) continue;
              closest = distance;
              found = candidate;
            }
          }
      return found;
    },
  };
}
