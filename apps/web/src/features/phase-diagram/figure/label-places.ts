/**
 * Sides of their points on which labels are written, so that they cover neither each other nor points, and lines as
 * little as can be: greedy, the short ones first (or who `isFirst`), which is good enough for the few dozen labels a drawing can hold. One that would
 * lie over another wherever it stood is left out: pointing at its point names it.
 */

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

interface Box {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** In order of preference, with the corner or edge of the label that touches its point. */
const SIDES: readonly (readonly [Side, horizontal: -1 | 0 | 1, vertical: -1 | 0 | 1])[] = [
  ['top center', 0, 1],
  ['bottom center', 0, -1],
  ['middle right', 1, 0],
  ['middle left', -1, 0],
  ['top right', 1, 1],
  ['top left', -1, 1],
  ['bottom right', 1, -1],
  ['bottom left', -1, -1],
];

/** Pixels of a label of 12 px text. */
const CHARACTER_WIDTH = 6.6;
const LABEL_HEIGHT = 15;
/** Pixels between a point and its label. */
const GAP = 7;
/** Prices: a pixel² of another label or point, a line crossed, one step down the list of sides. */
const COVERED = 1;
const CROSSED = 25;
const UNUSUAL = 1;
/** Share of a label that may lie under another: boxes are a little larger than letters. */
const TOUCHED = 0.12;

function boxAt({ x, y }: Pixel, width: number, horizontal: number, vertical: number): Box {
  const left = x - width / 2 + horizontal * (width / 2 + GAP);
  const bottom = y - LABEL_HEIGHT / 2 + vertical * (LABEL_HEIGHT / 2 + GAP);
  return { left, right: left + width, bottom, top: bottom + LABEL_HEIGHT };
}

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom));

/** Whether a line passes through a box (Liang and Barsky's clipping). */
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

/** The side for each label, null for one without room; `lines` are what is drawn between the points. */
export function placeLabels(
  points: readonly (Pixel & { readonly label: string; readonly isFirst?: boolean })[],
  lines: readonly (readonly [Pixel, Pixel])[],
): readonly (Side | null)[] {
  const markers = points.map(
    (point): Box => ({
      left: point.x - GAP,
      right: point.x + GAP,
      bottom: point.y - GAP,
      top: point.y + GAP,
    }),
  );
  const taken: Box[] = [];
  const sides = points.map((): Side | null => null);
  const rank = ({ isFirst = false, label }: (typeof points)[number]): number => (isFirst ? 0 : label.length);
  for (const [own, point] of [...points.entries()].sort(([, a], [, b]) => rank(a) - rank(b))) {
    const width = point.label.length * CHARACTER_WIDTH;
    let best: { side: Side; box: Box; price: number; covered: number } | undefined;
    for (const [order, [side, horizontal, vertical]] of SIDES.entries()) {
      const box = boxAt(point, width, horizontal, vertical);
      const covered = taken.reduce((sum, other) => sum + overlap(box, other), 0);
      let price = order * UNUSUAL + COVERED * covered;
      for (const [index, marker] of markers.entries())
        if (index !== own) price += COVERED * overlap(box, marker);
      for (const line of lines) if (crosses(line, box)) price += CROSSED;
      if (best === undefined || price < best.price) best = { side, box, price, covered };
    }
    if (!best || best.covered > TOUCHED * width * LABEL_HEIGHT) continue;
    taken.push(best.box);
    sides[own] = best.side;
  }
  return sides;
}
