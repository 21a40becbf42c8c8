/** Where the points of a phase diagram are drawn: its ranges, and room for what would lie under something else. */
import type { Pixel } from './label-places.ts';
import type { Diagram, Phase } from '../view-model.ts';
import type { PhaseFigureInput, Place } from './input.ts';

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
type Spreading = 'aside' | 'around' | 'inSpace';

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

/** Ranges of the axes of a triangle, in its coordinates. */
export const TRIANGLE_X = [-0.1, 1.1] as const;
export const TRIANGLE_Y = [-0.09, 0.97] as const;
/** eV/atom: a hull without depth is drawn as wide as this. */
export const SMALLEST_RANGE = 0.1;
export const LINE_X = [-0.03, 1.03] as const;

/** Energies a binary shows, with room for the labels above and below: all that is drawn. */
export function energyRange({
  diagram,
  unstable,
  isUnstableShown,
  placed,
}: PhaseFigureInput): readonly [number, number] {
  const drawn = [...diagram.stable, ...(isUnstableShown ? unstable : []), ...(placed ? [placed] : [])];
  const energies = drawn.map(({ y }) => y);
  const [low, high] = [Math.min(0, ...energies), Math.max(0, ...energies)];
  const room = 0.12 * Math.max(high - low, SMALLEST_RANGE);
  return [low - room, high + room];
}

/** Of the height of the drawing: an edge of the tetrahedron, about; and how much less of it a narrow one takes (eye.ts). */
const TETRAHEDRON = 0.82;
/** px: a narrower drawing is looked at from further away, or the corners would lie outside. */
const NARROW = 400;

/** How far away the eye is, against where it is for a wide drawing. */
export const awayOf = ({ frame }: Pick<PhaseFigureInput, 'frame'>): number =>
  frame.width < NARROW ? 1.3 : 1;

/** px per unit of either axis, for the drawing as it is before anybody zooms. */
export function pixelsPerUnit(input: PhaseFigureInput): Pixel {
  const { diagram, frame } = input;
  const { length } = diagram.components;
  if (length === 4) {
    const edge = (TETRAHEDRON * frame.height) / awayOf(input);
    return { x: edge, y: edge };
  }
  const isTriangle = length === 3;
  const [bottom, top] = isTriangle ? TRIANGLE_Y : energyRange(input);
  const [left, right] = isTriangle ? TRIANGLE_X : LINE_X;
  const per = { x: frame.width / (right - left), y: frame.height / (top - bottom) };
  return isTriangle ? { x: Math.min(per.x, per.y), y: Math.min(per.x, per.y) } : per;
}

/** The unstable phases where they are drawn: beside what they would lie under. Nearest to the hull first. */
export function drawnUnstable(input: PhaseFigureInput): readonly Phase[] {
  const { diagram, unstable } = input;
  const per = pixelsPerUnit(input);
  const spotOf = ({ x, y, z }: Place): Spot => [x * per.x, y * per.y, z * per.x];
  const nearest = [...unstable].sort((a, b) => a.aboveHull - b.aboveHull);
  const { length } = diagram.components;
  const spots = spreadPoints(
    diagram.stable.map(spotOf),
    nearest.map(spotOf),
    length === 2 ? 'aside' : length === 3 ? 'around' : 'inSpace',
    length === 2 ? ([x]) => x > -1 && x < per.x + 1 : undefined,
  );
  return nearest.map((phase, index) => {
    const [x, y, z] = spots[index] ?? spotOf(phase);
    return { ...phase, x: x / per.x, y: y / per.y, z: z / per.x };
  });
}

/** From where a point is drawn to where it belongs, for those that gave way. */
export function leaders(drawn: readonly Phase[], unstable: readonly Phase[]): (Place | null)[] {
  const own = new Map(unstable.map((phase) => [phase.key, phase]));
  return drawn.flatMap((phase) => {
    const home = own.get(phase.key);
    const hasMoved = home && (home.x !== phase.x || home.y !== phase.y || home.z !== phase.z);
    return hasMoved ? [home, phase, null] : [];
  });
}

/** All hull lines as one: a gap after each. */
export const linePlaces = ({ lines }: Diagram): (Place | null)[] =>
  lines.flatMap(({ x, y, z }) => [
    ...x.map((value, i) => ({ x: value, y: y[i] ?? 0, z: z?.[i] ?? 0 })),
    null,
  ]);
