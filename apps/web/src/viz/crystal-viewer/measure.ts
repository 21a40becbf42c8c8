/** Distances and angles between atoms, Å and degrees. */
import { cross3, dot3, norm3, subtract3, type Vec3 } from '@unitcell/numerics';

export const distanceBetween = (a: Vec3, b: Vec3): number => norm3(subtract3(a, b));

/** Angle at `b`, degrees. */
export function angleAt(a: Vec3, b: Vec3, c: Vec3): number {
  const [u, v] = [subtract3(a, b), subtract3(c, b)];
  return (Math.atan2(norm3(cross3(u, v)), dot3(u, v)) * 180) / Math.PI;
}
