/** Which phases of a diagram get a label, and where. */
import type { Annotations, PlotData } from 'plotly.js';
import { formulaText } from '../../../components/formula.tsx';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { textWidth } from '../../../viz/plot/rich-text.tsx';
import { type Away, type Box, type Pixel, placeLabels, type Side } from './label-places.ts';
import type { Diagram, Phase } from '../view-model.ts';
import { LINE_X, type PhaseFigureInput, pixelsPerUnit, type Place } from './places.ts';

// A tetrahedron with dozens of phases is unreadable with all tie lines: draw its edges, the tie lines of one phase, and the names of
// the phases in equilibrium with it.

interface Spot3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Positions closer than this count as equal, in units of the edge length. */
const SAME_PLACE = 1e-6;

const isAt = (a: Spot3, b: Spot3): boolean =>
  Math.abs(a.x - b.x) + Math.abs(a.y - b.y) + Math.abs(a.z - b.z) < SAME_PLACE;

const endsOf = ({ x, y, z }: Diagram['lines'][number]): readonly [Spot3, Spot3] => {
  const at = (i: number): Spot3 => ({ x: x.at(i) ?? 0, y: y.at(i) ?? 0, z: z?.at(i) ?? 0 });
  return [at(0), at(-1)];
};

/** The six edges, corner to corner. */
export function edges({ corners }: Diagram): (Spot3 | null)[] {
  const spots = corners.map(({ x, y, z }): Spot3 => ({ x, y, z: z ?? 0 }));
  return spots.flatMap((from, i) => spots.slice(i + 1).flatMap((to) => [from, to, null]));
}

/** The tie lines of a phase, and the stable phases at their other ends. */
export function tiesOf(
  { lines, stable }: Diagram,
  phase: Phase | null,
): { readonly lines: (Spot3 | null)[]; readonly partners: readonly Phase[] } {
  if (phase === null) return { lines: [], partners: [] };
  const ties = lines.map(endsOf).filter((ends) => ends.some((end) => isAt(end, phase)));
  const others = ties.map(([from, to]) => (isAt(from, phase) ? to : from));
  return {
    lines: ties.flatMap(([from, to]) => [from, to, null]),
    partners: stable.filter((other) => others.some((end) => isAt(end, other))),
  };
}

/** Up to this number of phases in the plane and in space, every stable phase can have a label. */
export const MOST_LABELS = { 2: 40, 3: 24 } as const;

/**
 * The stable phases that get a label: all if they are few; otherwise the phase of the page and the neighbours of the
 * highlighted phase or, without one, of the page's phase. In a tetrahedron without either, all phases that have room.
 * Corners are excluded, because their names are drawn separately.
 */
export function named({ diagram, highlighted, own }: PhaseFigureInput, is3d: boolean): readonly Phase[] {
  if (diagram.stable.length <= MOST_LABELS[is3d ? 3 : 2]) return diagram.stable;
  const isCorner = (phase: Phase): boolean =>
    diagram.corners.some(({ x, y, z = 0 }) => Math.hypot(x - phase.x, y - phase.y, z - phase.z) < 1e-6);
  const focus = highlighted ?? own;
  if (focus === null) return is3d ? diagram.stable.filter((phase) => !isCorner(phase)) : [];
  const about = is3d ? tiesOf(diagram, focus).partners : nearestTo(diagram.stable, focus);
  return [...new Set([own, focus, ...about])]
    .filter((phase) => phase !== null)
    .filter((phase) => phase.isStable && !isCorner(phase));
}

/** Number of phases near the pointer that are labelled if a diagram in the plane has no room for all labels. */
const NAMED_ABOUT = 12;

const nearestTo = (phases: readonly Phase[], { x, y }: Place): readonly Phase[] =>
  phases
    .toSorted((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))
    .slice(0, NAMED_ABOUT);

/** Position in the drawing, px, y upwards. */
export type Projected = (place: Place) => Pixel;

/** Positions in the plane, in the drawing before zooming. */
export function onPlane(input: PhaseFigureInput): Projected {
  const per = pixelsPerUnit(input);
  return ({ x, y }) => ({ x: x * per.x, y: y * per.y });
}

/** Label positions, null for labels without room: the stable phases in order, then the own phase if it is not stable. */
export function labelPlaces(
  { diagram, own, highlighted }: PhaseFigureInput,
  names: ReadonlySet<Phase>,
  ownPlace: Place | null,
  lines: readonly (Place | null)[],
  pixel: Projected,
  options: NonNullable<Parameters<typeof placeLabels>[2]>,
): readonly (Side | Away | null)[] {
  const drawn = lines.flatMap((from, i) => {
    const to = lines[i + 1];
    return from && to ? [[pixel(from), pixel(to)] as const] : [];
  });
  const stable = diagram.stable.map((phase) => ({
    ...pixel(phase),
    label: names.has(phase) ? formulaText(phase.formula) : '',
    isFirst: phase === own || phase === highlighted,
  }));
  const last =
    own && ownPlace ? [{ ...pixel(ownPlace), label: formulaText(own.formula), isFirst: true }] : [];
  return placeLabels([...stable, ...last], drawn, options);
}

/** Distance of a label from the axis, px. */
const AXIS_GAP = 4;

/** Leader lines, and in a binary diagram the frame in which labels stay. */
export function planeOptions({ diagram }: PhaseFigureInput, pixel: Projected) {
  const [left = 0, right = 0] = LINE_X.map((x) => pixel({ x, y: 0, z: 0 }).x);
  return {
    canBeAway: true,
    frame: diagram.components.length === 2 ? ([left + AXIS_GAP, right - AXIS_GAP] as const) : undefined,
  };
}

/** Size of a point in a tetrahedron; its radius on the page is one and a half times that. */
export const sizeInSpace = ({ isCompact }: PhaseFigureInput): number => (isCompact ? 3 : 5);

export const CORNER_SIZE = 15;

/** Names of the corners in a tetrahedron whose phases cannot all be labelled: the lowest one is below its corner. */
export function cornerSides({ diagram }: PhaseFigureInput, pixel: Projected): readonly Side[] {
  const heights = diagram.corners.map(({ x, y, z = 0 }) => pixel({ x, y, z }).y);
  const lowest = Math.min(...heights);
  return heights.map((height) => (height === lowest ? 'bottom center' : 'top center'));
}

/**
 * No leader lines, because they would not turn with the body. Labels in space are farther from their points than in the
 * plane, and do not overlap: neither each other nor the names of the corners or the provenance.
 */
export function spaceOptions(input: PhaseFigureInput, pixel: Projected, hasCornerNames: boolean) {
  const { diagram, frame, texts } = input;
  const sides = hasCornerNames ? cornerSides(input, pixel) : [];
  const corners = sides.map((side, i): Box => {
    const { x = 0, y = 0, z = 0, text = '' } = diagram.corners[i] ?? {};
    const at = pixel({ x, y, z });
    const half = textWidth(`<b>${formulaText(text)}</b>`, CORNER_SIZE) / 2;
    const bottom = at.y + (side === 'top center' ? 10 : -29);
    return { left: at.x - half, right: at.x + half, bottom, top: bottom + 19 };
  });
  const provenance: Box = {
    left: frame.width - textWidth(texts.provenance, 11) - 8,
    right: frame.width + 8,
    bottom: -24,
    top: -4,
  };
  return {
    frame: [0, frame.width] as const,
    taken: [...corners, provenance],
    room: { beside: 12, above: 7, below: 10, marker: 1.5 * sizeInSpace(input), touched: 0 },
  };
}

/** One side per label: plotly.js accepts a list, but its types do not. */
export const sidesOf = (places: readonly (Side | Away | null)[]): Partial<PlotData> => ({
  textposition: places.map((place) => (typeof place === 'string' ? place : 'top center')) as unknown as Side,
});

/** Labels away from their points, each with a leader line. */
export const awayNames = (
  phases: readonly Phase[],
  places: readonly (Side | Away | null)[],
  nameOf: (phase: Phase) => string,
  colors: ChartColors,
): Partial<Annotations>[] =>
  phases.flatMap((phase, i) => {
    const place = places[i];
    if (!place || typeof place === 'string') return [];
    return [
      {
        text: nameOf(phase),
        x: phase.x,
        y: phase.y,
        ax: place.dx,
        ay: -place.dy,
        showarrow: true,
        arrowhead: 0,
        arrowwidth: 0.8,
        arrowcolor: colors.faint,
        standoff: 5,
        borderpad: 0,
        font: { size: 12, color: colors.ink },
      },
    ];
  });
