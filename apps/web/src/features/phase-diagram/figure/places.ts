/** Where the points of a phase diagram are drawn: its ranges, and room for what would lie under something else. */
import type { Pixel } from './label-places.ts';
import { type Spot, spreadPoints } from './spread-points.ts';
import type { Diagram, Phase } from '../view-model.ts';
import type { PhaseFigureInput, Place } from './input.ts';

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
