/**
 * Places labels so that they overlap neither each other nor points, and as few lines as possible. A greedy algorithm, short
 * labels first (or those with `isFirst`), is good enough for the few dozen labels of a drawing. A label without room beside
 * its point goes further away with a leader line, if the drawing allows that; otherwise it is omitted and its point shows
 * the name on hover.
 */
import { textWidth } from '../../../viz/plot/rich-text.tsx';

/** Pixels, y upwards. */
export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export type Side =
  | 'top center'
  | 'bottom center'
  | 'middle right'
  | 'middle left'
  | 'top right'
  | 'top left'
  | 'bottom right'
  | 'bottom left';

/** A label with a leader line: px from the point to the centre of the label, y upwards. */
export interface Away {
  readonly dx: number;
  readonly dy: number;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

type Direction = readonly [horizontal: -1 | 0 | 1, vertical: -1 | 0 | 1];

/** Sides of a point on which a label may be, in order of preference, with the direction from the point to the label. */
const SIDES: readonly (readonly [Side, ...Direction])[] = [
  ['top center', 0, 1],
  ['bottom center', 0, -1],
  ['middle right', 1, 0],
  ['middle left', -1, 0],
  ['top right', 1, 1],
  ['top left', -1, 1],
  ['bottom right', 1, -1],
  ['bottom left', -1, -1],
];

/** Font size and height of a label, px. */
const TEXT_SIZE = 12;
const LABEL_HEIGHT = 15;
/** Distances in px from the centre of a point to its label and to the edge of its marker. */
export interface Room {
  readonly beside: number;
  readonly above: number;
  readonly below: number;
  readonly marker: number;
  /** Allowed overlap as a share of the label. */
  readonly touched: number;
}

/** In the plane. The box of a label is slightly larger than its text, so labels may overlap a little. */
const IN_PLANE: Room = { beside: 7, above: 7, below: 7, marker: 5, touched: 0.12 };
/** Costs: a pixel² of overlap with a label or point, a crossed line, and one step down the list of sides. */
const COVERED = 1;
const CROSSED = 25;
const UNUSUAL = 1;
/** Cost of a pixel outside the frame, where a label would cover the frame and the axis labels. */
const OUTSIDE = 5;
/** Directions and distances in px tried for a label without room beside its point. */
const DIRECTIONS = 16;
const REACHES = [20, 30, 46, 64];

function boxAt({ x, y }: Pixel, width: number, [horizontal, vertical]: Direction, room: Room): Box {
  const left = x - width / 2 + horizontal * (width / 2 + room.beside);
  const gap = vertical > 0 ? room.above : room.below;
  const bottom = y - LABEL_HEIGHT / 2 + vertical * (LABEL_HEIGHT / 2 + gap);
  return { left, right: left + width, bottom, top: bottom + LABEL_HEIGHT };
}

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom));

/** True if a line passes through a box (Liang–Barsky clipping). */
function crosses([from, to]: readonly [Pixel, Pixel], box: Box): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [enter, leave] = [0, 1];
  for (const [step, distance] of [
    [-dx, from.x - box.left],
    [dx, box.right - from.x],
    [-dy, from.y - box.bottom],
    [dy, box.top - from.y],
  ] as const) {
    if (step === 0 && distance < 0) return false;
    if (step < 0) enter = Math.max(enter, distance / step);
    if (step > 0) leave = Math.min(leave, distance / step);
  }
  return enter < leave;
}

interface Choice {
  readonly at: Side | Away;
  readonly box: Box;
  readonly price: number;
  /** px² of overlap with other labels and points. */
  readonly covered: number;
}

const cheapest = (choices: readonly Choice[]): Choice | undefined =>
  choices.reduce<Choice | undefined>(
    (best, each) => (best && best.price <= each.price ? best : each),
    undefined,
  );

interface LabelOptions {
  /** Whether leader lines are allowed. */
  readonly canBeAway?: boolean;
  /** Left and right side of the frame, px; labels stay inside if they can. */
  readonly frame?: readonly [left: number, right: number] | undefined;
  readonly room?: Room;
  /** Other texts of the drawing. */
  readonly taken?: readonly Box[];
}

/** @param lines lines between the points */
export function placeLabels(
  points: readonly (Pixel & { readonly label: string; readonly isFirst?: boolean })[],
  lines: readonly (readonly [Pixel, Pixel])[],
  { canBeAway = false, frame, room = IN_PLANE, taken: texts = [] }: LabelOptions = {},
): readonly (Side | Away | null)[] {
  const markers = points.map(
    (point): Box => ({
      left: point.x - room.marker,
      right: point.x + room.marker,
      bottom: point.y - room.marker,
      top: point.y + room.marker,
    }),
  );
  const taken = [...texts];
  const placed = points.map((): Side | Away | null => null);
  const rank = ({ isFirst = false, label }: (typeof points)[number]): number => (isFirst ? 0 : label.length);
  for (const [own, point] of [...points.entries()].sort(([, a], [, b]) => rank(a) - rank(b))) {
    if (point.label === '') continue;
    const width = textWidth(point.label, TEXT_SIZE);
    const others = markers.filter((_, index) => index !== own);
    const choice = (at: Side | Away, box: Box, order: number): Choice => {
      const covered = [...taken, ...others].reduce((sum, other) => sum + overlap(box, other), 0);
      const crossed = lines.filter((line) => crosses(line, box)).length;
      const outside =
        frame === undefined ? 0 : Math.max(0, frame[0] - box.left) + Math.max(0, box.right - frame[1]);
      const price = order * UNUSUAL + COVERED * covered + CROSSED * crossed + OUTSIDE * outside;
      return { at, box, covered, price };
    };
    const hasRoom = ({ covered }: Choice): boolean => covered <= room.touched * width * LABEL_HEIGHT;
    const beside = SIDES.map(([side, horizontal, vertical], order) =>
      choice(side, boxAt(point, width, [horizontal, vertical], room), order),
    );
    const away = (): Choice[] =>
      REACHES.flatMap((reach) =>
        Array.from({ length: DIRECTIONS }, (_, i) => {
          const angle = (2 * Math.PI * i) / DIRECTIONS;
          const [dx, dy] = [(reach + width / 2) * Math.cos(angle), reach * Math.sin(angle)];
          const middle = { x: point.x + dx, y: point.y + dy };
          return choice({ dx, dy }, boxAt(middle, width, [0, 0], room), reach);
        }),
      );
    const best = cheapest([...beside, ...(canBeAway ? away() : [])].filter(hasRoom));
    if (!best) continue;
    taken.push(best.box);
    placed[own] = best.at;
  }
  return placed;
}
