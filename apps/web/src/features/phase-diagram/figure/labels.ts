/** Which phases of a diagram are named, and where. */
import type { Annotations, PlotData } from 'plotly.js';
import { formulaText } from '../../../components/formula.tsx';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { type Away, type Pixel, placeLabels, type Side } from './label-places.ts';
import type { Diagram, Phase } from '../view-model.ts';
import type { PhaseFigureInput, Place } from './input.ts';
import { pixelsPerUnit } from './places.ts';

// A tetrahedron of dozens of phases is a hair-ball: its edges are drawn, and the tie lines of one phase, with the names of what it
// is in equilibrium with.

interface Spot3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Places this near each other are one, in units of the edge. */
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

/** The tie lines that end at a phase, and the stable phases at their other ends. */
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

/** With more labels than this the names hide the points: on a plane, in space. */
export const MOST_LABELS = { 2: 40, 3: 24 } as const;

/**
 * The stable phases that are named: all where there is room; else the own one and those about the pointed or the own one, but for
 * the corners, which bear their own names then.
 */
export function named({ diagram, highlighted, own }: PhaseFigureInput, is3d: boolean): readonly Phase[] {
  if (diagram.stable.length <= MOST_LABELS[is3d ? 3 : 2]) return diagram.stable;
  const isCorner = (phase: Phase): boolean =>
    diagram.corners.some(({ x, y, z = 0 }) => Math.hypot(x - phase.x, y - phase.y, z - phase.z) < 1e-6);
  const focus = highlighted ?? own;
  if (focus === null) return [];
  const about = is3d ? tiesOf(diagram, focus).partners : nearestTo(diagram.stable, focus);
  return [...new Set([own, focus, ...about])]
    .filter((phase) => phase !== null)
    .filter((phase) => phase.isStable && !isCorner(phase));
}

/** Of more than can be named in the plane, so many about the pointer are. */
const NAMED_ABOUT = 12;

const nearestTo = (phases: readonly Phase[], { x, y }: Place): readonly Phase[] =>
  phases
    .toSorted((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))
    .slice(0, NAMED_ABOUT);

/** Where a place stands in the drawing, px, y upwards. */
export type Projected = (place: Place) => Pixel;

/** Places of the plane, in the drawing as it is before anybody zooms. */
export function onPlane(input: PhaseFigureInput): Projected {
  const per = pixelsPerUnit(input);
  return ({ x, y }) => ({ x: x * per.x, y: y * per.y });
}

/** Places of the labels, null for those without room: of the stable phases in their order, then of the own one where that is none of them. */
export function labelPlaces(
  { diagram, own, highlighted }: PhaseFigureInput,
  names: ReadonlySet<Phase>,
  ownPlace: Place | null,
  lines: readonly (Place | null)[],
  pixel: Projected,
  canBeAway: boolean,
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
  return placeLabels([...stable, ...last], drawn, canBeAway);
}

/** A side per label: plotly.js takes a list, its types do not say so. */
export const sidesOf = (places: readonly (Side | Away | null)[]): Partial<PlotData> => ({
  textposition: places.map((place) => (typeof place === 'string' ? place : 'top center')) as unknown as Side,
});

/** Labels that stand away from their points, each at the end of a thin line. */
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
