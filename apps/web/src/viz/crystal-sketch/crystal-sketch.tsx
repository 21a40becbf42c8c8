/** A crystal drawn in SVG that turns slowly and follows the pointer, for pages that do not need the full viewer. */
import type { Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';
import { type PointerEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { prefersReducedMotion } from '../../lib/motion.ts';
import { ballRadius, buildScene, type Scene } from '../crystal-viewer/scene.ts';
import classes from '../figure.module.css';
import { type Direction, projectorOf } from '../projector.ts';

interface Placed {
  /** Larger is nearer. */
  readonly depth: number;
}

type Shape = Placed &
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

/** Mean position of the atoms inside the drawn cells. */
function centreOf(scene: Scene): Vec3 {
  const drawn = scene.atoms.filter((atom) => !atom.completes);
  const sum = drawn.reduce<Vec3>(
    (total, { position: [x, y, z] }) => [total[0] + x, total[1] + y, total[2] + z],
    [0, 0, 0],
  );
  const count = Math.max(1, drawn.length);
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

interface SketchOptions {
  /** Elements whose polyhedra are drawn. */
  readonly polyhedraOf: ReadonlySet<string>;
}

/** Shapes of the scene seen from a direction, sorted from back to front. */
function sketchShapes(scene: Scene, direction: Direction, { polyhedraOf }: SketchOptions): readonly Shape[] {
  const [cx, cy, cz] = centreOf(scene);
  const look = projectorOf(direction);
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

interface CrystalSketchProps {
  readonly structure: Structure;
  readonly label: string;
  readonly polyhedraOf?: readonly string[];
  /** CSS colours for elements whose usual colours clash with the page. */
  readonly colors?: Readonly<Record<string, string>>;
}

const DEGREES_PER_SECOND = 7;
const FRAME_MS = 33;

/** To save battery, the crystal turns on phones only while it is dragged. */
const turnsByItself = (): boolean =>
  !prefersReducedMotion() && window.matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Turns the crystal while it is visible, unless the visitor prefers reduced motion or is dragging it. */
function useRotation(
  host: RefObject<Element | null>,
  isHeld: boolean,
  rotateBy: (degrees: number) => void,
): void {
  useEffect(() => {
    const element = host.current;
    if (!element || isHeld || !turnsByItself()) return undefined;
    let isSeen = false;
    const observer = new IntersectionObserver(([entry]) => {
      isSeen = entry?.isIntersecting ?? false;
    });
    observer.observe(element);
    const timer = setInterval(() => {
      if (isSeen && !document.hidden) rotateBy((DEGREES_PER_SECOND * FRAME_MS) / 1000);
    }, FRAME_MS);
    return () => {
      clearInterval(timer);
      observer.disconnect();
    };
  }, [host, isHeld, rotateBy]);
}

const clamped = (elevation: number): number => Math.max(-80, Math.min(80, elevation));

export function CrystalSketch({ structure, label, polyhedraOf, colors = {} }: CrystalSketchProps) {
  const host = useRef<SVGSVGElement>(null);
  const [direction, setDirection] = useState<Direction>({ azimuth: -114, elevation: -20 });
  const [isHeld, setHeld] = useState(false);
  const scene = useMemo(() => {
    const { cellEdges } = buildScene(structure, [1, 1, 1]);
    return { ...buildScene(structure, [2, 2, 2]), cellEdges };
  }, [structure]);
  const shown = useMemo(() => new Set(polyhedraOf), [polyhedraOf]);
  const shapes = sketchShapes(scene, direction, { polyhedraOf: shown });
  const radius = useMemo(() => extent(scene.atoms.filter((atom) => !atom.completes)), [scene]);
  const rotateBy = useMemo(
    () => (degrees: number) => setDirection((now) => ({ ...now, azimuth: now.azimuth - degrees })),
    [],
  );
  useRotation(host, isHeld, rotateBy);

  const drag = (event: PointerEvent): void => {
    if (!isHeld) return;
    setDirection((now) => ({
      azimuth: now.azimuth - event.movementX * 0.5,
      elevation: clamped(now.elevation - event.movementY * 0.4),
    }));
  };
  const colorOf = (element: string): string => colors[element] ?? elementBySymbol(element).viewerColor;
  const elements = [...new Set(scene.atoms.map((atom) => atom.element))];
  return (
    <svg
      ref={host}
      className={classes.sketch}
      viewBox={[-radius, -radius, 2 * radius, 2 * radius].map((x) => x.toFixed(2)).join(' ')}
      role="img"
      aria-label={label}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld(true);
      }}
      onPointerMove={drag}
      onPointerUp={() => setHeld(false)}
      onPointerCancel={() => setHeld(false)}
    >
      <defs>
        {elements.map((element) => (
          <radialGradient key={element} id={`ball-${element}`} cx="0.36" cy="0.32" r="0.75">
            <stop offset="0" stopColor="#fff" stopOpacity="0.85" />
            <stop offset="0.32" stopColor={colorOf(element)} />
            <stop offset="1" stopColor={`color-mix(in srgb, ${colorOf(element)} 52%, #000)`} />
          </radialGradient>
        ))}
      </defs>
      {shapes.map((shape, index) => (
        // Shapes are sorted again for every direction; only their index identifies them.
        // oxlint-disable-next-line react/no-array-index-key
        <Drawn key={index} shape={shape} />
      ))}
    </svg>
  );
}

/** Half the width of a square that holds the crystal in any rotation. */
function extent(atoms: readonly { readonly position: readonly number[] }[]): number {
  const ranges = [0, 1, 2].map((axis) => {
    const values = atoms.map((atom) => atom.position[axis] ?? 0);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.hypot(...ranges) / 2 + 0.7;
}

function Drawn({ shape }: { readonly shape: Shape }) {
  if (shape.kind === 'ball')
    return <circle cx={shape.x} cy={shape.y} r={shape.r} fill={`url(#ball-${shape.element})`} />;
  if (shape.kind === 'line')
    return (
      <line
        x1={shape.from.x}
        y1={shape.from.y}
        x2={shape.to.x}
        y2={shape.to.y}
        className={shape.role === 'cell' ? classes.cell : classes.bond}
      />
    );
  return (
    <polygon
      points={shape.points}
      className={classes.sketchFace}
      fill={`color-mix(in srgb, var(--uc-facet), #fff ${Math.round(shape.light * 45)}%)`}
    />
  );
}
