/**
 * Sides of their points on which labels are written, so that they cover neither each other nor points, and lines as
 * little as can be: greedy, in the order given, which is good enough for the few dozen labels a drawing can hold.
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

/** The side for each label; `lines` are what is drawn between the points. */
export function placeLabels(
  points: readonly (Pixel & { readonly label: string })[],
  lines: readonly (readonly [Pixel, Pixel])[],
): readonly Side[] {
  const markers = points.map(
    (point): Box => ({
      left: point.x - GAP,
      right: point.x + GAP,
      bottom: point.y - GAP,
      top: point.y + GAP,
    }),
  );
  const taken: Box[] = [];
  return points.map((point, own) => {
    const width = point.label.length * CHARACTER_WIDTH;
    let best: { side: Side; box: Box; price: number } | undefined;
    for (const [order, [side, horizontal, vertical]] of SIDES.entries()) {
      const box = boxAt(point, width, horizontal, vertical);
      let price = order * UNUSUAL;
      for (const other of taken) price += COVERED * overlap(box, other);
      for (const [index, marker] of markers.entries())
        if (index !== own) price += COVERED * overlap(box, marker);
      for (const line of lines) if (crosses(line, box)) price += CROSSED;
      if (best === undefined || price < best.price) best = { side, box, price };
    }
    if (best) taken.push(best.box);
    return best?.side ?? 'top center';
  });
}
