/** A scene as flat shapes, farthest first: the painter's way of drawing without a graphics card. */
import type { Vec3 } from '@unitcell/numerics';
import { ballRadius, type Scene } from '../crystal-viewer/scene.ts';

export interface Turn {
  /** Degrees about the vertical axis of the screen. */
  readonly azimuth: number;
  /** Degrees the crystal is tipped towards the viewer. */
  readonly tilt: number;
}

interface Placed {
  /** Larger is nearer. */
  readonly depth: number;
}

export type Shape = Placed &
  (
    | {
        readonly kind: 'ball';
        readonly element: string;
        readonly x: number;
        readonly y: number;
        readonly r: number;
      }
    | { readonly kind: 'face'; readonly points: string; readonly light: number; readonly element: string }
    | { readonly kind: 'line'; readonly from: Point; readonly to: Point; readonly role: 'bond' | 'cell' }
  );

interface Point {
  readonly x: number;
  readonly y: number;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Screen coordinates (x right, y down, in Å) and depth of a point; z of the crystal points up. */
function projection({ azimuth, tilt }: Turn): (p: Vec3) => Point & Placed {
  const [ca, sa] = [Math.cos(radians(azimuth)), Math.sin(radians(azimuth))];
  const [ct, st] = [Math.cos(radians(tilt)), Math.sin(radians(tilt))];
  return ([x, y, z]) => {
    const along = x * sa + y * ca;
    return { x: x * ca - y * sa, y: -(z * ct) + along * st, depth: along * ct * -1 + z * st };
  };
}

function centreOf(scene: Scene): Vec3 {
  const drawn = scene.atoms.filter((atom) => !atom.completes);
  const sum = drawn.reduce<Vec3>(
    (total, { position: [x, y, z] }) => [total[0] + x, total[1] + y, total[2] + z],
    [0, 0, 0],
  );
  const count = Math.max(1, drawn.length);
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

export interface SketchOptions {
  /** Elements whose polyhedra are drawn. */
  readonly polyhedraOf: ReadonlySet<string>;
}

/** Shapes of the scene seen from a direction, sorted from back to front. */
export function sketchShapes(scene: Scene, turn: Turn, { polyhedraOf }: SketchOptions): readonly Shape[] {
  const [cx, cy, cz] = centreOf(scene);
  const look = projection(turn);
  const place = ([x, y, z]: Vec3) => look([x - cx, y - cy, z - cz]);
  const shapes: Shape[] = [];
  for (const atom of scene.atoms) {
    if (atom.completes) continue;
    const { x, y, depth } = place(atom.position);
    shapes.push({ kind: 'ball', element: atom.element, x, y, r: ballRadius(atom.element), depth });
  }
  for (const { element, vertices, faces } of scene.polyhedra) {
    if (!polyhedraOf.has(element)) continue;
    const points = vertices.map(place);
    for (const { corners, normal } of faces) {
      const facing = look(normal);
      const at = corners.flatMap((corner) => points[corner] ?? []);
      const depth = at.reduce((sum, point) => sum + point.depth, 0) / at.length;
      shapes.push({
        kind: 'face',
        element,
        points: at.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' '),
        // Lit from the upper left behind the viewer.
        light: 0.55 + 0.45 * Math.max(-1, (-facing.x - 1.4 * facing.y + 1.2 * facing.depth) / 2.2),
        depth,
      });
    }
  }
  for (const [start, end] of scene.cellEdges) {
    const [from, to] = [place(start), place(end)];
    shapes.push({ kind: 'line', from, to, role: 'cell', depth: (from.depth + to.depth) / 2 });
  }
  return shapes.sort((a, b) => a.depth - b.depth);
}
