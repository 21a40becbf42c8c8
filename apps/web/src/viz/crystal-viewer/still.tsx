/**
 * The crystal before the first interaction, and without a graphics card: the same scene as SVG from back to front, with
 * the light and haze of the renderer.
 */
import { add3, dot3, scale3, subtract3, type Vec3 } from '@unitcell/numerics';
import { memo, useId } from 'react';
import { channels } from './colors.ts';
import classes from './crystal-viewer.module.css';
import { extentOf, middleOf, place, type Stage, type View } from './view.ts';
import { ballsOf, BOND_RADIUS, type DrawnAtom, halvesOf, type Visible } from './visible.ts';

/** Maximum number of atoms of a static drawing. Larger crystals start in 3D at once. */
export const MOST_STILL_ATOMS = 1500;

interface StillProps {
  readonly visible: Visible;
  readonly view: View;
  readonly stage: Stage;
  readonly colors: { readonly ground: string };
}

/** Towards the upper left and the front, as in the renderer. */
const LIGHT: Vec3 = [-0.41, 0.56, 0.72];
/** Share of the atom's own colour in its outline; the rest is black. */
const RIM = 0.34;

const round = (value: number): string => value.toFixed(1);

/** Mixes a share of another colour into a colour. */
function mixed(color: string, other: string, share: number): string {
  const to = channels(other);
  const parts = channels(color).map((from, at) => Math.round(from + share * ((to[at] ?? 0) - from)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** An edge of the cell may be behind some bodies and in front of others, so it is drawn in pieces. */
const PIECES = 6;
const piecesOf = ([from, to]: readonly [Vec3, Vec3]): readonly (readonly [Vec3, Vec3])[] => {
  const along = (piece: number): Vec3 => add3(from, scale3(subtract3(to, from), piece / PIECES));
  return Array.from({ length: PIECES }, (_, piece) => [along(piece), along(piece + 1)] as const);
};

interface StillAtomProps extends Pick<DrawnAtom, 'sectors'> {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly hazy: (color: string) => string;
  /** Fill that adds light and shade to the ball. */
  readonly shade: string;
}

/** A ball. The species of a shared site are sectors, clockwise from the top. */
function StillAtom({ x, y, radius, sectors, hazy, shade }: StillAtomProps) {
  const rim = (share: number): string =>
    `${round(x + radius * Math.sin(2 * Math.PI * share))} ${round(y - radius * Math.cos(2 * Math.PI * share))}`;
  const colors = sectors.map(({ color }) => hazy(color));
  const starts = sectors.map((_, at) => sectors.slice(0, at).reduce((sum, { share }) => sum + share, 0));
  const body = { cx: round(x), cy: round(y), r: round(radius) };
  return (
    <>
      {sectors.length === 1 && <circle {...body} fill={colors[0]} />}
      {sectors.length > 1 &&
        sectors.map(({ share }, at) => {
          const start = starts[at] ?? 0;
          const arc = `A${round(radius)} ${round(radius)} 0 ${share > 0.5 ? 1 : 0} 1 ${rim(start + share)}`;
          return <path key={start} d={`M${round(x)} ${round(y)}L${rim(start)}${arc}Z`} fill={colors[at]} />;
        })}
      <circle {...body} fill={shade} stroke={mixed(colors[0] ?? '', '#000000', 1 - RIM)} />
    </>
  );
}

export const Still = memo(function Still({ visible, view, stage, colors }: StillProps) {
  const shadeId = `shade${useId()}`;
  const { width, height } = stage;
  const balls = ballsOf(visible);
  const range = extentOf(balls, middleOf(balls));
  const at = (point: Vec3) => {
    const { x, y, depth, scale } = place(view, point);
    return { x: width / 2 + x, y: height / 2 - y, depth, scale };
  };
  /** Paler towards the back. */
  const hazyAt = (depth: number) => {
    const back = Math.min(1, Math.max(0, 0.5 - depth / (1.3 * range)));
    return (color: string): string => mixed(color, colors.ground, 0.42 * back * back);
  };
  /** True for faces that point away: in parallel projection, other faces of the same closed polyhedron hide them. */
  const isHidden = (normal: Vec3): boolean =>
    view.distance === Infinity && dot3(view.rotation[2], normal) < 0;
  const radii = new Map(visible.atoms.map(({ position, radius }) => [position, radius]));
  const shapes = [
    ...visible.cell.flatMap(piecesOf).map(([from, to], key) => {
      const [a, b] = [at(from), at(to)];
      const ends = { x1: round(a.x), y1: round(a.y), x2: round(b.x), y2: round(b.y) };
      return {
        depth: (a.depth + b.depth) / 2,
        // Lines are identified only by their index.
        // oxlint-disable-next-line react/no-array-index-key
        node: <line key={`c${key}`} {...ends} className={classes.stillCell} />,
      };
    }),
    ...visible.sticks.flatMap(halvesOf).map(({ from, to, color }, key) => {
      // A bond starts at the surface of its ball, so that it is not hidden by the ball.
      const arm = subtract3(to, from);
      const [a, b] = [
        at(add3(from, scale3(arm, Math.min(0.9, (0.9 * (radii.get(from) ?? 0)) / Math.hypot(...arm))))),
        at(to),
      ];
      const depth = (a.depth + b.depth) / 2;
      const ends = { x1: round(a.x), y1: round(a.y), x2: round(b.x), y2: round(b.y) };
      const tint = hazyAt(depth)(mixed(color, '#9e9e9e', 0.12));
      const thick = 2 * BOND_RADIUS * b.scale;
      return {
        depth,
        node: (
          // oxlint-disable-next-line react/no-array-index-key
          <g key={`s${key}`}>
            <line {...ends} stroke={mixed(tint, '#000000', 0.6)} strokeWidth={round(thick)} />
            <line {...ends} stroke={mixed(tint, '#000000', 0.12)} strokeWidth={round(0.66 * thick)} />
          </g>
        ),
      };
    }),
    ...visible.faces.flatMap(({ corners, normal, color }, key) => {
      if (isHidden(normal)) return [];
      const points = corners.map(at);
      const depth = points.reduce((sum, point) => sum + point.depth, 0) / points.length;
      const facing = view.rotation.map((row) => row[0] * normal[0] + row[1] * normal[1] + row[2] * normal[2]);
      const light = LIGHT.reduce((sum, x, axis) => sum + x * (facing[axis] ?? 0), 0);
      const fill = hazyAt(depth)(mixed(color, '#1b1f24', 0.38 * (1 - Math.max(0, light))));
      return {
        depth,
        node: (
          <polygon
            // oxlint-disable-next-line react/no-array-index-key
            key={`f${key}`}
            points={points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')}
            className={classes.stillFace}
            fill={fill}
          />
        ),
      };
    }),
    ...visible.atoms.map(({ index, position, radius, sectors }) => {
      const { x, y, depth, scale } = at(position);
      const ball = { x, y, radius: radius * scale, sectors, shade: `url(#${shadeId})` };
      return { depth, node: <StillAtom key={`a${index}`} {...ball} hazy={hazyAt(depth)} /> };
    }),
  ].sort((one, two) => one.depth - two.depth);
  return (
    <svg className={classes.still} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <defs>
        <radialGradient id={shadeId} cx="0.38" cy="0.335" r="0.704">
          <stop offset="0" stopColor="#fff" stopOpacity="0.42" />
          <stop offset="0.12" stopColor="#fff" stopOpacity="0.21" />
          <stop offset="0.25" stopColor="#fff" stopOpacity="0" />
          <stop offset="0.26" stopColor="#000" stopOpacity="0.05" />
          <stop offset="0.645" stopColor="#000" stopOpacity="0.3" />
          <stop offset="0.8" stopColor="#000" stopOpacity="0.46" />
          <stop offset="1" stopColor="#000" stopOpacity="0.48" />
        </radialGradient>
      </defs>
      {shapes.map(({ node }) => node)}
    </svg>
  );
});
