/**
 * Where two neighbouring bands come closest. Next to a conical touching the *square* of their distance is a smooth
 * function of k (the discriminant of the two states), so fitting a paraboloid to it converges in a few steps where the
 * distance itself has a kink.
 */
import type { Vec2 } from '../periodic-graph.ts';
import type { BlochSolver } from './bloch-solver.ts';

const MAX_STEPS = 30;
/** Squares below this are rounding of the eigenvalues. */
const SQUARE_NOISE = 1e-16;
const SMALLEST_RADIUS = 1e-6;

/**
 * Smallest distance between `band` and the next one near `start`.
 * @param start k in fractions of the reciprocal vectors
 * @param radius how far from `start` a first step may go: half a division of the grid that found it
 * @returns an upper bound of the local minimum, never above the distance at `start`
 */
export function smallestGapNear(
  solver: Pick<BlochSolver, 'energies'>,
  band: number,
  start: Vec2,
  radius: number,
): number {
  const square = ([kx, ky]: Vec2): number => {
    const energies = solver.energies([kx, ky]);
    return (energies[band + 1] - energies[band]) ** 2;
  };
  let at = start;
  let best = square(at);
  let h = radius;
  for (let step = 0; step < MAX_STEPS && best > SQUARE_NOISE && h > SMALLEST_RADIUS; step++) {
    const [x, y] = at;
    const [east, west] = [square([x + h, y]), square([x - h, y])];
    const [north, south] = [square([x, y + h]), square([x, y - h])];
    const corner = square([x + h, y + h]);
    const move = paraboloidStep(best, east, west, north, south, corner, h);
    const candidates: [Vec2, number][] = [
      [[x + h, y], east],
      [[x - h, y], west],
      [[x, y + h], north],
      [[x, y - h], south],
      [[x + h, y + h], corner],
    ];
    if (move) {
      const to: Vec2 = [x + move[0], y + move[1]];
      candidates.push([to, square(to)]);
    }
    const [to, value] = candidates.reduce((low, next) => (next[1] < low[1] ? next : low));
    // The next fit looks as closely as the last step went far; a fit that gained nothing was made too coarsely.
    h = value < best ? Math.min(h, Math.max(Math.hypot(to[0] - x, to[1] - y) / 2, h / 8)) : h / 4;
    if (value < best) [at, best] = [to, value];
  }
  return Math.sqrt(best);
}

/** Step to the lowest point of the paraboloid through six points, at most 2h long; undefined where it has none. */
function paraboloidStep(
  centre: number,
  east: number,
  west: number,
  north: number,
  south: number,
  corner: number,
  h: number,
): Vec2 | undefined {
  const [gx, gy] = [(east - west) / 2, (north - south) / 2];
  const [xx, yy] = [east + west - 2 * centre, north + south - 2 * centre];
  const xy = corner - east - north + centre;
  const determinant = xx * yy - xy * xy;
  if (!(xx > 0 && determinant > 0)) return undefined;
  const [u, v] = [(xy * gy - yy * gx) / determinant, (xy * gx - xx * gy) / determinant];
  const shorten = Math.min(1, 2 / Math.hypot(u, v));
  return [u * shorten * h, v * shorten * h];
}
