/**
 * Places for points that would lie under others: polymorphs share their composition, so in a triangle or a tetrahedron
 * they share their point, and in a binary they are a few meV apart. Under another point none could be seen, pointed at
 * or opened. Each such point moves to the nearest free place, and a line leads back to where it belongs.
 */

/** px; z is 0 on a plane. */
export type Spot = readonly [x: number, y: number, z: number];

/**
 * Which way points give way: `aside` keeps their height, which is their energy; `around` and `inSpace` fill a disc about
 * the point, on the plane or facing the viewer.
 */
export type Spreading = 'aside' | 'around' | 'inSpace';

/** px between the centres of two points that can be told apart and hit. */
export const POINT_GAP = 13;
/** A point that finds no place within this many tries stays where it is. */
const MOST_TRIES = 240;
/** Each turn of this angle lands in the widest gap left (phyllotaxis). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

function offset(attempt: number, spreading: Spreading): Spot {
  if (attempt === 0) return [0, 0, 0];
  if (spreading === 'aside') return [POINT_GAP * Math.ceil(attempt / 2) * (attempt % 2 === 1 ? 1 : -1), 0, 0];
  const [radius, angle] = [POINT_GAP * Math.sqrt(attempt), attempt * GOLDEN_ANGLE];
  const [right, up] = [radius * Math.cos(angle), radius * Math.sin(angle)];
  return spreading === 'around' ? [right, up, 0] : [right, 0, up];
}

/** Taken spots, found by the cell of a grid they lie in. */
function takenSpots() {
  const cells = new Map<string, Spot[]>();
  const cellOf = (spot: Spot): number[] => spot.map((value) => Math.floor(value / POINT_GAP));
  const AROUND = [-1, 0, 1];
  return {
    add: (spot: Spot): void => {
      const key = cellOf(spot).join(' ');
      cells.set(key, [...(cells.get(key) ?? []), spot]);
    },
    isFree: (spot: Spot): boolean => {
      const [i = 0, j = 0, k = 0] = cellOf(spot);
      return AROUND.every((di) =>
        AROUND.every((dj) =>
          AROUND.every((dk) =>
            (cells.get(`${i + di} ${j + dj} ${k + dk}`) ?? []).every(
              (other) =>
                Math.hypot(spot[0] - other[0], spot[1] - other[1], spot[2] - other[2]) > POINT_GAP - 1e-6,
            ),
          ),
        ),
      );
    },
  };
}

/**
 * @param fixed spots that stay, px
 * @param moving spots to place, px; earlier ones keep nearer to their own
 * @param isAllowed false for spots outside the drawing
 * @returns a spot for each of `moving`, in their order
 */
export function spreadPoints(
  fixed: readonly Spot[],
  moving: readonly Spot[],
  spreading: Spreading,
  isAllowed: (spot: Spot) => boolean = () => true,
): readonly Spot[] {
  const taken = takenSpots();
  for (const spot of fixed) taken.add(spot);
  return moving.map((own) => {
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const [dx, dy, dz] = offset(attempt, spreading);
      const spot: Spot = [own[0] + dx, own[1] + dy, own[2] + dz];
      if (!isAllowed(spot) || !taken.isFree(spot)) continue;
      taken.add(spot);
      return spot;
    }
    return own;
  });
}
