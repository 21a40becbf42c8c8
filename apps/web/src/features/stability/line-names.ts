/** Positions for the names of lines in a diagram: beside their line, over no other name and few other lines. */
import { textWidth } from '../../viz/plot/rich-text.tsx';

export interface NamedLine {
  readonly text: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** The visible part of the diagram, in units of its axes and in px. */
export interface Frame {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  readonly width: number;
  readonly height: number;
}

export interface NamePlace {
  /** Middle of the name, in units of the axes. */
  readonly x: number;
  readonly y: number;
}

export const NAME_SIZE = 12;
const NAME_HEIGHT = 15;
/** px between a name and the nearest point of its line. */
const CLEARANCE = 3;
/** Number of positions tried along a line, each above and below it. */
const TRIED = 13;
/** Maximum cost of a position. Beyond it the name would cover another name, and is omitted. */
const MOST = 1000;
/** Cost for each tenth of the width of a name that a line crosses: a line with a name, or one of the background. */
const CROSSED = { named: 10, background: 4 } as const;

interface Spot {
  readonly x: number;
  readonly y: number;
}

interface Block {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** y in px of a line at a position x in px; null beyond the ends of the line. */
function heightAt(points: readonly Spot[], x: number): number | null {
  const next = points.findIndex((point) => point.x >= x);
  const [a, b] = [points[Math.max(0, next - 1)], points[next]];
  if (next < 0 || a === undefined || b === undefined || a.x > x) return null;
  return a.x === b.x ? b.y : a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
}

const overlap = (a: Block, b: Block): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/**
 * y in px of a line at eleven positions across the width of a block; positions beyond the ends of the line are omitted.
 */
const heightsAcross = (points: readonly Spot[], { left, right }: Pick<Block, 'left' | 'right'>) =>
  Array.from({ length: 11 }, (_, step) => heightAt(points, left + ((right - left) * step) / 10)).filter(
    (y) => y !== null,
  );

/** Number of these positions at which the line is inside the block. */
const crossing = (points: readonly Spot[], block: Block): number =>
  heightsAcross(points, block).filter((y) => y > block.top && y < block.bottom).length;

/**
 * A position for every name, in the order of the lines; null for a name that would cover another one.
 * @param background further lines that names should not cross
 * @param most maximum cost of a position: 10 for each tenth of the name's width that a named line crosses
 */
export function placeNames(
  lines: readonly NamedLine[],
  frame: Frame,
  background: readonly Pick<NamedLine, 'x' | 'y'>[] = [],
  most = MOST,
): readonly (NamePlace | null)[] {
  const [x0, x1] = frame.x;
  const [y0, y1] = frame.y;
  const toX = (x: number): number => ((x - x0) / (x1 - x0)) * frame.width;
  const toY = (y: number): number => ((y1 - y) / (y1 - y0)) * frame.height;
  const inPixels = ({ x, y }: Pick<NamedLine, 'x' | 'y'>): Spot[] =>
    x.map((at, index) => ({ x: toX(at), y: toY(y[index] ?? 0) }));
  const drawn = lines.map(inPixels);
  const obstacles = [
    ...drawn.map((points) => ({ points, cost: CROSSED.named })),
    ...background.map((each) => ({ points: inPixels(each), cost: CROSSED.background })),
  ];
  const lengthOf = (points: readonly Spot[]): number => (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0);
  const taken: Block[] = [];
  const places: (NamePlace | null)[] = lines.map(() => null);
  // Short lines are placed first, because they have the fewest positions.
  const order = lines
    .map((_, index) => index)
    .sort((a, b) => lengthOf(drawn[a] ?? []) - lengthOf(drawn[b] ?? []));
  for (const index of order) {
    const own = drawn[index] ?? [];
    const width = textWidth(lines[index]?.text ?? '', NAME_SIZE) + 4;
    let best: { readonly cost: number; readonly block: Block } | null = null;
    for (let step = 0; step < TRIED; step++) {
      const x = (own[0]?.x ?? 0) + (lengthOf(own) * (step + 0.5)) / TRIED;
      const middle = Math.min(frame.width - width / 2 - 2, Math.max(width / 2 + 2, x));
      const sides = { left: middle - width / 2, right: middle + width / 2 };
      const heights = heightsAcross(own, sides);
      if (heights.length === 0) continue;
      for (const side of [-1, 1]) {
        const top =
          side < 0 ? Math.min(...heights) - CLEARANCE - NAME_HEIGHT : Math.max(...heights) + CLEARANCE;
        const block = { ...sides, top, bottom: top + NAME_HEIGHT };
        const isOutside = block.top < 0 || block.bottom > frame.height;
        const price =
          (isOutside ? MOST : 0) +
          (taken.some((other) => overlap(block, other)) ? MOST : 0) +
          obstacles.reduce((sum, { points, cost }) => sum + cost * crossing(points, block), 0) +
          (side > 0 ? 2 : 0) +
          step;
        if (best === null || price < best.cost) best = { cost: price, block };
      }
    }
    if (best === null || best.cost >= most) continue;
    const { left, right, top, bottom } = best.block;
    taken.push(best.block);
    places[index] = {
      x: x0 + ((left + right) / 2 / frame.width) * (x1 - x0),
      y: y1 - ((top + bottom) / 2 / frame.height) * (y1 - y0),
    };
  }
  return places;
}
