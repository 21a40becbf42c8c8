/** The camera of a tetrahedron, chosen so that corners and phases overlap as little as possible. */
import type { Layout } from 'plotly.js';
import { eyeOn, pageOf } from '../../../viz/plot/space.ts';
import type { Diagram } from '../view-model.ts';
import { awayOf, type PhaseFigureInput } from './places.ts';
import type { Projected } from './labels.ts';

/** Distance of the camera from the centre, and height above the base, both in edge lengths. */
const DISTANCE = 1.79;
const HEIGHT = 0.5;
/** Height at which the camera looks, so that the name of the lowest corner is above the provenance. */
const MIDDLE = -0.16;
const DIRECTIONS = 24;
/** Size in px of the drawing for which cameras are compared, and the distance in it below which points overlap. */
const TRIAL = { width: 600, height: 600 } as const;
const NEAR = 30;
/** Penalty for an overlapping corner, relative to that for an overlapping phase. */
const CORNER = 6;

type View = Pick<PhaseFigureInput, 'diagram' | 'angle' | 'frame'>;

function crowding(diagram: Diagram, angle: number): number {
  const { stable, corners } = diagram;
  const project = inSpace({ diagram, angle, frame: TRIAL });
  const points = [
    ...stable.map((phase) => ({ ...project(phase), weight: 1 })),
    ...corners.map(({ x, y, z = 0 }) => ({ ...project({ x, y, z }), weight: CORNER })),
  ];
  return points.reduce(
    (sum, one, i) =>
      sum +
      points
        .slice(i + 1)
        .reduce(
          (all, two) =>
            all + (one.weight * two.weight) / ((one.x - two.x) ** 2 + (one.y - two.y) ** 2 + NEAR ** 2),
          0,
        ),
    0,
  );
}

/** The angle about the vertical, in radians, at which the points of a quaternary overlap least. */
export function bestAngle(diagram: Diagram): number {
  const angles = Array.from({ length: DIRECTIONS }, (_, i) => (2 * Math.PI * i) / DIRECTIONS);
  const prices = angles.map((angle) => crowding(diagram, angle));
  return angles[prices.indexOf(Math.min(...prices))] ?? 0;
}

/** The scene for plotly.js: no axes, and the camera. */
export function sceneOf(input: Pick<View, 'angle' | 'frame'>): Partial<Layout['scene']> {
  const { angle } = input;
  const away = awayOf(input);
  const flat = Math.sqrt(DISTANCE ** 2 - HEIGHT ** 2) * away;
  return {
    aspectmode: 'data',
    camera: {
      eye: { x: flat * Math.cos(angle), y: flat * Math.sin(angle), z: HEIGHT * away },
      center: { x: 0, y: 0, z: MIDDLE },
    },
  };
}

/** Positions on the screen for this camera, px from the lower left. */
export function inSpace(input: View): Projected {
  const { diagram, frame } = input;
  const axis = (letter: 'x' | 'y' | 'z') => diagram.corners.map((corner) => corner[letter] ?? 0);
  const data = [{ type: 'scatter3d' as const, x: axis('x'), y: axis('y'), z: axis('z') }];
  const { eye } = eyeOn({ data, layout: { scene: sceneOf(input) } });
  const onPage = pageOf(frame);
  return ({ x, y, z }) => {
    const [right, down] = onPage(eye([x, y, z]));
    return { x: right, y: frame.height - down };
  };
}
