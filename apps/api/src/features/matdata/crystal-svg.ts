/** A crystal as a picture without text, for previews of links: the server may have no fonts. */
import type { Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';

/** px, the size that sites show beside a link. */
export const PREVIEW = { width: 1200, height: 630 } as const;

const MARGIN = 50;
/** Largest number of drawn atoms; with more, atoms would be too small to see. */
const MOST_ATOMS = 600;
/** Radius of a ball relative to the covalent radius; and radius in Å for elements without a covalent radius. */
const BALL = 0.55;
const USUAL_RADIUS = 1.4;
/**
 * Fractional distance within which an atom counts as on a face of the cell; it is repeated on the opposite
 * face.
 */
const ON_FACE = 0.02;

/** Degrees by which the crystal is turned about c and tilted towards the viewer. */
const [TURN, TILT] = [-28, 16];

interface Point {
  readonly x: number;
  readonly y: number;
  /** Larger is nearer. */
  readonly depth: number;
}

function project([x, y, z]: Vec3): Point {
  const [turn, tilt] = [(TURN * Math.PI) / 180, (TILT * Math.PI) / 180];
  const right = x * Math.cos(turn) - y * Math.sin(turn);
  const back = x * Math.sin(turn) + y * Math.cos(turn);
  return {
    x: right,
    y: -z * Math.cos(tilt) - back * Math.sin(tilt),
    depth: z * Math.sin(tilt) - back * Math.cos(tilt),
  };
}

/** The fractional coordinate within the cell, and its image on the opposite face if the atom is on a face. */
const images = (value: number): readonly number[] => {
  const inside = value - Math.floor(value);
  if (inside < ON_FACE) return [inside, inside + 1];
  return inside > 1 - ON_FACE ? [inside, inside - 1] : [inside];
};

/** @returns an SVG of {@link PREVIEW} with the cell and its atoms, seen from slightly above */
export function crystalSvg({ latticeVectors: [a, b, c], sites }: Structure): string {
  const at = (u: number, v: number, w: number): Point =>
    project([u * a[0] + v * b[0] + w * c[0], u * a[1] + v * b[1] + w * c[1], u * a[2] + v * b[2] + w * c[2]]);
  const corners = [0, 1].flatMap((u) => [0, 1].flatMap((v) => [0, 1].map((w) => [u, v, w] as const)));
  const edges = corners.flatMap((from, i) =>
    corners
      .slice(i + 1)
      .filter((to) => to.filter((value, axis) => value !== from[axis]).length === 1)
      .map((to) => [at(...from), at(...to)] as const),
  );
  const balls = sites
    .flatMap(({ species, fractionalCoords: [x, y, z] }) => {
      const element = species[0]?.element ?? '';
      const radius = BALL * (elementBySymbol(element).covalentRadius ?? USUAL_RADIUS);
      return images(x).flatMap((u) =>
        images(y).flatMap((v) => images(z).map((w) => ({ ...at(u, v, w), element, radius }))),
      );
    })
    .slice(0, MOST_ATOMS)
    .sort((one, other) => one.depth - other.depth);
  const points = edges.flat();
  const largest = Math.max(...balls.map(({ radius }) => radius));
  const [left, right] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const [top, bottom] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
  const { width, height } = PREVIEW;
  const scale = Math.min(
    (width - 2 * MARGIN) / (right - left + 2 * largest),
    (height - 2 * MARGIN) / (bottom - top + 2 * largest),
  );
  const px = (value: number): string => value.toFixed(1);
  const toX = (x: number): string => px(width / 2 + scale * (x - (left + right) / 2));
  const toY = (y: number): string => px(height / 2 + scale * (y - (top + bottom) / 2));
  const elements = [...new Set(balls.map(({ element }) => element))];
  const line = ([from, to]: readonly [Point, Point]): string =>
    `<path d="M${toX(from.x)} ${toY(from.y)}L${toX(to.x)} ${toY(to.y)}"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="#fffefb"/><defs>`,
    ...elements.map((element, index) => {
      const { viewerColor: color } = elementBySymbol(element);
      return `<radialGradient id="e${index}" cx="0.36" cy="0.32" r="0.75"><stop offset="0" stop-color="#fff" stop-opacity="0.85"/><stop offset="0.35" stop-color="${color}"/><stop offset="1" stop-color="${color}"/></radialGradient>`;
    }),
    '</defs>',
    `<g stroke="#6b7280" stroke-width="2.5">${edges.map(line).join('')}</g>`,
    ...balls.map(
      ({ x, y, element, radius }) =>
        `<circle cx="${toX(x)}" cy="${toY(y)}" r="${px(scale * radius)}" fill="url(#e${elements.indexOf(element)})" stroke="#1f2937" stroke-opacity="0.55" stroke-width="1.5"/>`,
    ),
    '</svg>',
  ].join('');
}
