/** Geometry for drawing nets: the cells that cover a rectangle, and bond paths, in units of the mean edge, y upwards. */
import { type Mat2, type Net, type NetEdge, reciprocalVectors, type Vec2 } from '@unitcell/tight-binding';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const placeOf = ([[ax, ay], [bx, by]]: Mat2, u: number, v: number): Vec2 => [
  u * ax + v * bx,
  u * ay + v * by,
];

/** Fractional coordinates. */
export function fractionOf([[ax, ay], [bx, by]]: Mat2, [x, y]: Vec2): Vec2 {
  const area = ax * by - ay * bx;
  return [(x * by - y * bx) / area, (y * ax - x * ay) / area];
}

/** A rectangle enlarged by `margin` on all sides, because bonds of sites outside reach into the view. */
export const grown = ({ x, y, width, height }: Rect, margin: number): Rect => ({
  x: x - margin,
  y: y - margin,
  width: width + 2 * margin,
  height: height + 2 * margin,
});

/** Cells that overlap the rectangle, row by row. */
export function cellsIn(latticeVectors: Mat2, { x, y, width, height }: Rect): Vec2[] {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map((corner) => fractionOf(latticeVectors, corner as unknown as Vec2));
  const range = (axis: 0 | 1): [number, number] => [
    Math.floor(Math.min(...corners.map((corner) => corner[axis]))) - 1,
    Math.ceil(Math.max(...corners.map((corner) => corner[axis]))),
  ];
  const [[u0, u1], [v0, v1]] = [range(0), range(1)];
  const cells: Vec2[] = [];
  for (let u = u0; u <= u1; u++)
    for (let v = v0; v <= v1; v++) {
      const places = [
        placeOf(latticeVectors, u, v),
        placeOf(latticeVectors, u + 1, v),
        placeOf(latticeVectors, u, v + 1),
        placeOf(latticeVectors, u + 1, v + 1),
      ];
      const [xs, ys] = [places.map(([px]) => px), places.map(([, py]) => py)];
      const isInside =
        Math.max(...xs) >= x &&
        Math.min(...xs) <= x + width &&
        Math.max(...ys) >= y &&
        Math.min(...ys) <= y + height;
      if (isInside) cells.push([u, v]);
    }
  return cells;
}

const short = (value: number): string => String(Math.round(value * 1000) / 1000);
/** The point in SVG coordinates, y downwards. */
const point = ([x, y]: Vec2): string => `${short(x)} ${short(0 - y)}`;

export function sitePlace({ latticeVectors, positions }: Net, site: number, [u, v]: Vec2): Vec2 {
  const [x, y] = positions[site] ?? [0, 0];
  return placeOf(latticeVectors, x + u, y + v);
}

/** The bonds of all cells as one SVG path. */
export const bondsPath = (net: Net, pairs: readonly NetEdge[], cells: readonly Vec2[]): string =>
  cells
    .flatMap(([u, v]) =>
      pairs.map(
        ([from, to, dx, dy]) =>
          `M${point(sitePlace(net, from, [u, v]))}L${point(sitePlace(net, to, [u + dx, v + dy]))}`,
      ),
    )
    .join('');

export const cellPath = (latticeVectors: Mat2): string =>
  `M${[
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ]
    .map(([u, v]) => point(placeOf(latticeVectors, u ?? 0, v ?? 0)))
    .join('L')}Z`;

/** A view that contains about `cells` cells, centred on the first cell. */
export function startView(net: Net, aspect: number, cells = 7): Rect {
  const [[ax, ay], [bx, by]] = net.latticeVectors;
  const area = Math.abs(ax * by - ay * bx);
  // At least five edges wide, so that a single bond of a small cell does not fill the view.
  const height = Math.max(Math.sqrt((cells * area) / aspect), 5.5 / Math.max(1, aspect));
  const width = height * aspect;
  const [x, y] = placeOf(net.latticeVectors, 0.5, 0.5);
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** The rectangle after zooming by `factor` (> 1: in) around a point given in shares of it, y downwards. */
export function zoomed({ x, y, width, height }: Rect, factor: number, shareX: number, shareY: number): Rect {
  const [w, h] = [width / factor, height / factor];
  return { x: x + (width - w) * shareX, y: y + (height - h) * (1 - shareY), width: w, height: h };
}

/** Corners closer than this (relative to the zone) are merged. */
const CORNER_TOLERANCE = 1e-6;

/** Clips a polygon at the perpendicular bisector of `g`. */
function cut(polygon: readonly Vec2[], [gx, gy]: Vec2): Vec2[] {
  const limit = (gx * gx + gy * gy) / 2;
  const over = ([x, y]: Vec2): number => x * gx + y * gy - limit;
  return polygon.flatMap((from, index) => {
    const to = polygon[(index + 1) % polygon.length] ?? from;
    const [a, b] = [over(from), over(to)];
    const kept: Vec2[] = a <= 0 ? [from] : [];
    if (a * b < 0) {
      const share = a / (a - b);
      kept.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
    }
    return kept;
  });
}

/** Corners of the first Brillouin zone, counter-clockwise, in units of one over the mean edge, with the factor 2π. */
export function brillouinZone(latticeVectors: Mat2): Vec2[] {
  const reciprocal = reciprocalVectors(latticeVectors);
  const size = 2 * Math.max(...reciprocal.map(([x, y]) => Math.hypot(x, y)));
  let polygon: Vec2[] = [
    [-size, -size],
    [size, -size],
    [size, size],
    [-size, size],
  ];
  // The cells of the net table are reduced, so these 24 neighbours include all that bound the zone.
  for (let u = -2; u <= 2; u++)
    for (let v = -2; v <= 2; v++) if (u !== 0 || v !== 0) polygon = cut(polygon, placeOf(reciprocal, u, v));
  return polygon.filter((own, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? own;
    return Math.hypot(next[0] - own[0], next[1] - own[1]) > CORNER_TOLERANCE * size;
  });
}
