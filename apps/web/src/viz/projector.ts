/** Parallel projection of drawings in SVG: the position of a point on the page, and its depth. */
import type { Vec3 } from '@unitcell/numerics';

/** The direction from which the drawing is seen. */
export interface Direction {
  /** Degrees about the z axis, from x. */
  readonly azimuth: number;
  /** Degrees above the plane of x and y. */
  readonly elevation: number;
}

export interface ScreenPoint {
  /** To the right, in the unit of the points. */
  readonly x: number;
  /** Downwards, as on screens. */
  readonly y: number;
  /** Towards the viewer. */
  readonly depth: number;
}

export type Projector = (point: Vec3) => ScreenPoint;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** z points up. Lengths parallel to the screen keep their size. */
export function projectorOf({ azimuth, elevation }: Direction): Projector {
  const [ca, sa] = [Math.cos(radians(azimuth)), Math.sin(radians(azimuth))];
  const [ce, se] = [Math.cos(radians(elevation)), Math.sin(radians(elevation))];
  return ([x, y, z]) => {
    const near = x * ca + y * sa;
    return { x: y * ca - x * sa, y: near * se - z * ce, depth: near * ce + z * se };
  };
}
