/** The crystal without a graphics card: the same scene from back to front, as SVG. */
import { add3, scale3, type Vec3 } from '@unitcell/numerics';
import classes from './crystal-viewer.module.css';
import { place, type Stage, type View } from './view.ts';
import { type DrawnAtom, halvesOf, type Visible } from './visible.ts';

interface StillProps {
  readonly visible: Visible;
  readonly view: View;
  readonly stage: Stage;
}

/** Towards the upper left, in front: as in the renderer. */
const LIGHT: Vec3 = [-0.41, 0.56, 0.72];

const round = (value: number): string => value.toFixed(1);

interface StillAtomProps extends Pick<DrawnAtom, 'sectors'> {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** A ball; what shares its site as sectors, clockwise from the top. */
function StillAtom({ x, y, radius, sectors }: StillAtomProps) {
  const rim = (turn: number): string =>
    `${round(x + radius * Math.sin(2 * Math.PI * turn))} ${round(y - radius * Math.cos(2 * Math.PI * turn))}`;
  const circle = (fill: string | undefined) => (
    <circle cx={round(x)} cy={round(y)} r={round(radius)} className={classes.stillAtom} fill={fill} />
  );
  if (sectors.length === 1) return circle(sectors[0]?.color);
  const starts = sectors.map((_, at) => sectors.slice(0, at).reduce((sum, { share }) => sum + share, 0));
  return (
    <g>
      {sectors.map(({ color, share }, at) => {
        const start = starts[at] ?? 0;
        const arc = `A${round(radius)} ${round(radius)} 0 ${share > 0.5 ? 1 : 0} 1 ${rim(start + share)}`;
        return <path key={start} d={`M${round(x)} ${round(y)}L${rim(start)}${arc}Z`} fill={color} />;
      })}
      {circle('none')}
    </g>
  );
}

export function Still({ visible, view, stage }: StillProps) {
  const { width, height } = stage;
  const at = (point: Vec3) => {
    const { x, y, depth, scale } = place(view, point);
    return { x: width / 2 + x, y: height / 2 - y, depth, scale };
  };
  const middle = (a: Vec3, b: Vec3): number => at(scale3(add3(a, b), 0.5)).depth;
  const line = (key: string, from: Vec3, to: Vec3, className: string | undefined, stroke?: string) => {
    const [a, b] = [at(from), at(to)];
    return {
      depth: middle(from, to),
      node: (
        <line
          key={key}
          x1={round(a.x)}
          y1={round(a.y)}
          x2={round(b.x)}
          y2={round(b.y)}
          className={className}
          stroke={stroke}
        />
      ),
    };
  };
  const shapes = [
    ...visible.cell.map(([from, to], key) => line(`c${key}`, from, to, classes.stillCell)),
    ...visible.sticks
      .flatMap(halvesOf)
      .map(({ from, to, color }, key) => line(`s${key}`, from, to, classes.stillStick, color)),
    ...visible.faces.map(({ corners, normal, color }, key) => {
      const points = corners.map(at);
      const facing = view.turn.map((row) => row[0] * normal[0] + row[1] * normal[1] + row[2] * normal[2]);
      const key_ = LIGHT.reduce((sum, x, axis) => sum + x * (facing[axis] ?? 0), 0);
      return {
        depth: points.reduce((sum, { depth }) => sum + depth, 0) / points.length,
        node: (
          // A face has no name but its place.
          // oxlint-disable-next-line react/no-array-index-key
          <polygon
            key={`f${key}`}
            points={points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')}
            className={classes.stillFace}
            fill={`color-mix(in srgb, ${color} ${Math.round(62 + 38 * Math.max(0, key_))}%, #1b1f24)`}
          />
        ),
      };
    }),
    ...visible.atoms.map(({ index, position, radius, sectors }) => {
      const { x, y, depth, scale } = at(position);
      return {
        depth,
        node: <StillAtom key={`a${index}`} x={x} y={y} radius={radius * scale} sectors={sectors} />,
      };
    }),
  ].sort((one, two) => one.depth - two.depth);
  return (
    <svg className={classes.still} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {shapes.map(({ node }) => node)}
    </svg>
  );
}
