import type { Cloud } from './draw-points.ts';
import { type Extent, placeOf } from './scales.ts';

/** Pixels from the pointer within which a point is meant. */
const REACH = 10;

/**
 * The point nearest to a place of the plot.
 * @param at shares of width and height, from the upper left
 * @param size of the plot, px
 * @returns its index; null where none is within reach
 */
export function nearestPoint(
  { x, y }: Pick<Cloud, 'x' | 'y'>,
  extents: { readonly x: Extent; readonly y: Extent },
  [left, top]: readonly [number, number],
  { width, height }: { readonly width: number; readonly height: number },
): number | null {
  let [nearest, least]: [number | null, number] = [null, REACH * REACH];
  for (let index = 0; index < x.length; index++) {
    const across = (placeOf(extents.x, x[index]!) - left) * width;
    if (across > REACH || across < -REACH) continue;
    const down = (1 - placeOf(extents.y, y[index]!) - top) * height;
    const distance = across * across + down * down;
    if (distance <= least) [nearest, least] = [index, distance];
  }
  return nearest;
}
