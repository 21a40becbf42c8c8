/** From where a tetrahedron is looked at: so that its corners and phases hide each other as little as they can. */
import type { Diagram } from '../view-model.ts';
import type { PhaseFigureInput, Place } from './input.ts';
import type { Projected } from './labels.ts';
import { awayOf, pixelsPerUnit } from './places.ts';

/** Of the eye from the middle of the drawing, in its edges; and how far above the base it looks down. */
const DISTANCE = 1.79;
const HEIGHT = 0.5;
const DIRECTIONS = 24;
/** Squares of edges: points nearer than this hide each other. */
const NEAR = 4e-3;
/** A hidden corner weighs as much as so many phases. */
const CORNER = 6;

/** What an eye at an angle about the vertical sees: to the right and up, in edges. */
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

/** The angle about the vertical, in radians, from which the points of a quaternary are the least crowded. */
export function bestAngle(diagram: Diagram): number {
  const angles = Array.from({ length: DIRECTIONS }, (_, i) => (2 * Math.PI * i) / DIRECTIONS);
  const prices = angles.map((angle) => crowding(diagram, angle));
  return angles[prices.indexOf(Math.min(...prices))] ?? 0;
}

/** The eye of plotly.js. */
export function eyeOf(input: PhaseFigureInput): Place {
  const angle = bestAngle(input.diagram);
  const away = awayOf(input);
  const flat = Math.sqrt(DISTANCE ** 2 - HEIGHT ** 2) * away;
  return { x: flat * Math.cos(angle), y: flat * Math.sin(angle), z: HEIGHT * away };
}

/** Where places stand for that eye, about. */
export function inSpace(input: PhaseFigureInput): Projected {
  const project = seenFrom(bestAngle(input.diagram));
  const per = pixelsPerUnit(input);
  return (place) => {
    const { x, y } = project(place);
    return { x: per.x * x, y: per.y * y };
  };
}
