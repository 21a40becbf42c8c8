/** The camera of a tetrahedron, chosen so that corners and phases overlap as little as possible. */
import type { Diagram } from '../view-model.ts';
import { awayOf, type PhaseFigureInput, pixelsPerUnit, type Place } from './places.ts';
import type { Projected } from './labels.ts';

/** Distance of the camera from the centre, and height above the base, both in edge lengths. */
const DISTANCE = 1.79;
const HEIGHT = 0.5;
const DIRECTIONS = 24;
/** Squared distance in units of the edge length; points closer than this overlap. */
const NEAR = 4e-3;
/** Penalty for an overlapping corner, relative to that for an overlapping phase. */
const CORNER = 6;

/** Projection for a camera rotated by an angle about the vertical: right and up, in edge lengths. */
function seenFrom(angle: number): Projected {
  const tilt = Math.asin(HEIGHT / DISTANCE);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return ({ x, y, z }) => ({
    x: c * y - s * x,
    y: Math.cos(tilt) * z - Math.sin(tilt) * (c * x + s * y),
  });
}

function crowding({ stable, corners }: Diagram, angle: number): number {
  const project = seenFrom(angle);
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
            all + (one.weight * two.weight) / ((one.x - two.x) ** 2 + (one.y - two.y) ** 2 + NEAR),
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

/** The camera position for plotly.js. */
export function eyeOf(input: PhaseFigureInput): Place {
  const { angle } = input;
  const away = awayOf(input);
  const flat = Math.sqrt(DISTANCE ** 2 - HEIGHT ** 2) * away;
  return { x: flat * Math.cos(angle), y: flat * Math.sin(angle), z: HEIGHT * away };
}

/** Approximate screen positions for this camera. */
export function inSpace(input: PhaseFigureInput): Projected {
  const project = seenFrom(input.angle);
  const per = pixelsPerUnit(input);
  return (place) => {
    const { x, y } = project(place);
    return { x: per.x * x, y: per.y * y };
  };
}
