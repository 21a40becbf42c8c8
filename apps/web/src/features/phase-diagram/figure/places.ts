/** Positions of the points of a phase diagram, always at their own composition and energy. */
import type { Pixel } from './label-places.ts';
import type { Diagram, Phase } from '../view-model.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface PhaseFigureInput {
  readonly diagram: Diagram;
  /** Unstable phases to draw. */
  readonly unstable: readonly Phase[];
  readonly isUnstableShown: boolean;
  /** On a phone: smaller points in space, and no colour scale, whose values the table has. */
  readonly isCompact?: boolean;
  readonly highlighted: Phase | null;
  /** The material of the page, or the material from whose page the visitor came. */
  readonly own: Phase | null;
  /** Size of the drawing without its margins, px. */
  readonly frame: { readonly width: number; readonly height: number };
  readonly placed: (Place & { readonly label: string }) | null;
  /** Angle of the camera about the vertical, radians; only a tetrahedron uses it. */
  readonly angle: number;
  readonly texts: {
    readonly stable: string;
    readonly unstable: string;
    readonly placed: string;
    readonly own: string;
    /** Axis title of a binary diagram; `{formula}` stands for the mixture of the two components. */
    readonly fractionAxis: string;
    readonly shareAxis: string;
    readonly energyAxis: string;
    readonly aboveHull: string;
    readonly formation: string;
    readonly undecided: string;
    /** Text for the phases that a tooltip omits, with `{n}` for their number. */
    readonly more: string;
    /** Scale and release. */
    readonly provenance: string;
  };
}

/** Distance in px; the pointer cannot distinguish points closer than this. */
const POINT_GAP = 13;

/** Ranges of the axes of a triangle, in its coordinates. */
export const TRIANGLE_X = [-0.08, 1.08] as const;
export const TRIANGLE_Y = [-0.09, 0.97] as const;
/** Minimum energy range of the axis in eV/atom, for a flat hull. */
export const SMALLEST_RANGE = 0.1;
export const LINE_X = [-0.03, 1.03] as const;

/** The energy range of a binary diagram, with room for labels above and below. */
export function energyRange({
  diagram,
  unstable,
  isUnstableShown,
  placed,
}: PhaseFigureInput): readonly [number, number] {
  const drawn = [...diagram.stable, ...(isUnstableShown ? unstable : []), ...(placed ? [placed] : [])];
  const energies = drawn.map(({ y }) => y);
  const [low, high] = [Math.min(0, ...energies), Math.max(0, ...energies)];
  const spread = Math.max(high - low, SMALLEST_RANGE);
  const room = 0.12 * spread + (spread - (high - low)) / 2;
  return [low - room, high + room];
}

/** Approximate edge of the tetrahedron, as a share of the drawing's height. */
const TETRAHEDRON = 0.82;
/** px; for a narrower drawing the camera moves away, so that the corners are not cut off. */
const WIDE = 520;
const FARTHEST = 1.15;

/** Camera distance relative to that of a wide drawing. */
export const awayOf = ({ frame }: Pick<PhaseFigureInput, 'frame'>): number =>
  Math.min(FARTHEST, Math.max(1, WIDE / frame.width));

/** px per unit of either axis before zooming. */
export function pixelsPerUnit(input: PhaseFigureInput): Pixel {
  const { diagram, frame } = input;
  const { length } = diagram.components;
  if (length === 4) {
    const edge = (TETRAHEDRON * frame.height) / awayOf(input);
    return { x: edge, y: edge };
  }
  const isTriangle = length === 3;
  const [bottom, top] = isTriangle ? TRIANGLE_Y : energyRange(input);
  const [left, right] = isTriangle ? TRIANGLE_X : LINE_X;
  const per = { x: frame.width / (right - left), y: frame.height / (top - bottom) };
  return isTriangle ? { x: Math.min(per.x, per.y), y: Math.min(per.x, per.y) } : per;
}

/**
 * The phases that overlap, one list per phase, itself included: polymorphs have the same composition, so they share their
 * point in a triangle or a tetrahedron and are a few meV apart in a binary. One tooltip lists them.
 */
export function stacksOf(
  phases: readonly Phase[],
  input: PhaseFigureInput,
): ReadonlyMap<Phase, readonly Phase[]> {
  const per = pixelsPerUnit(input);
  const gap = (a: Place, b: Place): number =>
    Math.hypot((a.x - b.x) * per.x, (a.y - b.y) * per.y, (a.z - b.z) * per.x);
  // Sorts the phases into grid cells as wide as the minimum gap, so that only phases of neighbouring cells can
  // overlap.
  const cellOf = ({ x, y, z }: Place): readonly number[] =>
    [x * per.x, y * per.y, z * per.x].map((pixel) => Math.floor(pixel / POINT_GAP));
  const cells = new Map<string, Phase[]>();
  for (const phase of phases) {
    const key = cellOf(phase).join();
    const cell = cells.get(key);
    if (cell) cell.push(phase);
    else cells.set(key, [phase]);
  }
  const around = (phase: Phase): readonly Phase[] => {
    const [i = 0, j = 0, k = 0] = cellOf(phase);
    return SIDEWAYS.flatMap((x) =>
      SIDEWAYS.flatMap((y) => SIDEWAYS.flatMap((z) => cells.get([i + x, j + y, k + z].join()) ?? [])),
    );
  };
  return new Map(
    phases.map((phase) => [
      phase,
      around(phase)
        .filter((other) => gap(phase, other) < POINT_GAP)
        .sort((a, b) => a.aboveHull - b.aboveHull),
    ]),
  );
}

const SIDEWAYS = [-1, 0, 1];

/** All hull lines as one trace, with a gap after each line. */
export const linePlaces = ({ lines }: Diagram): (Place | null)[] =>
  lines.flatMap(({ x, y, z }) => [
    ...x.map((value, i) => ({ x: value, y: y[i] ?? 0, z: z?.[i] ?? 0 })),
    null,
  ]);
