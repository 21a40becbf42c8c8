/** Which phases of a diagram are named, and on which side of their points. */
import type { PlotData } from 'plotly.js';
import { formulaText } from '../../../components/formula.tsx';
import { type Pixel, placeLabels, type Side } from './label-places.ts';
import { tiesOf } from './quaternary.ts';
import type { Phase } from '../view-model.ts';
import type { PhaseFigureInput, Place } from './input.ts';
import { pixelsPerUnit } from './places.ts';

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

/** Sides of the labels, null for those without room: of the stable phases in their order, then of the own one where that is none of them. */
export function labelSides(
  { diagram, own, highlighted }: PhaseFigureInput,
  names: ReadonlySet<Phase>,
  ownPlace: Place | null,
  lines: readonly (Place | null)[],
  pixel: Projected,
): readonly (Side | null)[] {
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
  return placeLabels([...stable, ...last], drawn);
}

/** A side per label: plotly.js takes a list, its types do not say so. */
export const sidesOf = (sides: readonly (Side | null)[]): Partial<PlotData> => ({
  textposition: sides.map((side) => side ?? 'top center') as unknown as Side,
});
