/**
 * The view of a crystal in plain numbers: rotation, fit to the stage, and projection of points. The renderer, the
 * static drawing, the labels and the tests all use these. View space: x to the right, y up, z towards the camera, Å
 * from the pivot; a rotation is the matrix with the rows x, y, z.
 */
import { reciprocalLattice } from '@unitcell/crystal';
import {
  add3,
  cross3,
  dot3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';

export type Projection = 'orthographic' | 'perspective';

export interface View {
  /** Rows x, y, z of view space in Cartesian coordinates. */
  readonly rotation: Mat3;
  /** Cartesian point that does not move when the crystal turns. */
  readonly pivot: Vec3;
  /** Position of the pivot, px from the centre of the stage, y up. */
  readonly shift: readonly [number, number];
  /** px per Å in the plane of the pivot. */
  readonly scale: number;
  /** Å from the camera to the pivot; infinite for parallel rays. */
  readonly distance: number;
}

export interface Ball {
  readonly position: Vec3;
  /** Å */
  readonly radius: number;
}

export interface Stage {
  /** px */
  readonly width: number;
  readonly height: number;
}

/** px between the drawing and the edge of the stage. */
export const STAGE_MARGIN = 20;
/** Distance of the camera in radii of the crystal: near enough for perspective, and far enough to avoid distortion. */
const EYE_DISTANCE = 4.5;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Rotates about an axis of the screen, in degrees; the crystal follows the pointer. */
export function rotatedBy(rotation: Mat3, degreesX: number, degreesY: number): Mat3 {
  const [cx, sx] = [Math.cos(radians(degreesX)), Math.sin(radians(degreesX))];
  const [cy, sy] = [Math.cos(radians(degreesY)), Math.sin(radians(degreesY))];
  const aboutX: Mat3 = [
    [1, 0, 0],
    [0, cx, -sx],
    [0, sx, cx],
  ];
  const aboutY: Mat3 = [
    [cy, 0, sy],
    [0, 1, 0],
    [-sy, 0, cy],
  ];
  return orthonormal(multiply3(multiply3(aboutX, aboutY), rotation));
}

/** Removes rounding errors of a rotation, which add up over thousands of small turns. */
function orthonormal([x, y]: Mat3): Mat3 {
  const ex = scale3(x, 1 / norm3(x));
  const raw = subtract3(y, scale3(ex, dot3(ex, y)));
  const ey = scale3(raw, 1 / norm3(raw));
  return [ex, ey, cross3(ex, ey)];
}

/** The rotation that views along `towardsEye`, with `up` as far upwards as possible. */
function looking(towardsEye: Vec3, up: Vec3): Mat3 {
  const z = scale3(towardsEye, 1 / norm3(towardsEye));
  const raw = cross3(up, z);
  const x = scale3(raw, 1 / norm3(raw));
  return [x, cross3(z, x), z];
}

/**
 * The rotation that makes the lattice direction [uvw] point at the camera. The c axis is vertical; in a view along c,
 * the b axis is vertical.
 * @param axes rows a, b, c
 */
export function rotationAlong(axes: Mat3, uvw: Vec3): Mat3 {
  const towardsEye = rowTimesMatrix3(uvw, axes);
  const sideways = (up: Vec3): number => norm3(cross3(up, towardsEye)) / (norm3(up) * norm3(towardsEye));
  const [, b, c] = axes;
  return looking(towardsEye, sideways(c) > 1e-4 ? c : b);
}

/**
 * The initial rotation: c points up, seen slightly from the side and from above, so that rows of atoms do not hide each
 * other.
 */
export function standardRotation(axes: Mat3): Mat3 {
  const [aStar] = reciprocalLattice(axes);
  return rotatedBy(rotatedBy(looking(aStar, axes[2]), 0, -24), 12, 0);
}

/** Maximum change of an axis of a nearly equal cell, as a share of the length of the axis. */
const SMALL_MOVE = 0.2;

/** True if the axes of two cells differ only slightly. */
export const isNearlySameCell = (before: Mat3, after: Mat3): boolean =>
  before.every((axis, k) => norm3(subtract3(after[k] ?? axis, axis)) < SMALL_MOVE * norm3(axis));

/** Magnification of a point at this height towards the camera, 1 in the plane of the pivot. */
const nearness = (z: number, distance: number): number =>
  Number.isFinite(distance) ? distance / (distance - z) : 1;

export interface PlacedPoint {
  /** px from the middle of the stage; y up. */
  readonly x: number;
  readonly y: number;
  /** Å; height above the plane of the pivot, towards the camera. */
  readonly depth: number;
  /** px per Å at this depth. */
  readonly scale: number;
}

export function place(view: View, point: Vec3): PlacedPoint {
  const arm = subtract3(point, view.pivot);
  const depth = dot3(view.rotation[2], arm);
  const scale = view.scale * nearness(depth, view.distance);
  return {
    x: view.shift[0] + scale * dot3(view.rotation[0], arm),
    y: view.shift[1] + scale * dot3(view.rotation[1], arm),
    depth,
    scale,
  };
}

/** The centre of the box around some balls. */
export function middleOf(balls: readonly Ball[]): Vec3 {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const { position } of balls)
    for (const axis of [0, 1, 2] as const) {
      low[axis] = Math.min(low[axis], position[axis]);
      high[axis] = Math.max(high[axis], position[axis]);
    }
  return balls.length === 0 ? [0, 0, 0] : scale3(add3(low, high), 0.5);
}

/** Å from the centre to the farthest surface. */
export const extentOf = (balls: readonly Ball[], middle: Vec3): number =>
  balls.reduce(
    (most, { position, radius }) => Math.max(most, norm3(subtract3(position, middle)) + radius),
    1,
  );

/** The largest view of the balls in this rotation that fits the stage. */
export function fitView(
  balls: readonly Ball[],
  rotation: Mat3,
  { width, height }: Stage,
  projection: Projection,
): View {
  const pivot = middleOf(balls);
  const distance = projection === 'perspective' ? EYE_DISTANCE * extentOf(balls, pivot) : Infinity;
  const unit: View = { rotation, pivot, shift: [0, 0], scale: 1, distance };
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { position, radius } of balls) {
    const { x, y, scale } = place(unit, position);
    const r = radius * scale;
    [left, right] = [Math.min(left, x - r), Math.max(right, x + r)];
    [bottom, top] = [Math.min(bottom, y - r), Math.max(top, y + r)];
  }
  if (balls.length === 0) return unit;
  const room = (size: number): number => Math.max(size - 2 * STAGE_MARGIN, size / 2);
  const scale = Math.min(room(width) / (right - left), room(height) / (top - bottom));
  return { ...unit, scale, shift: [(-scale * (left + right)) / 2, (-scale * (bottom + top)) / 2] };
}

/** The ball under a point of the stage, px from its middle and y up: the nearest to the camera; undefined if there is none. */
export function pickBall(
  balls: readonly Ball[],
  view: View,
  x: number,
  y: number,
  tolerance = 0,
): number | undefined {
  let found: number | undefined;
  let nearest = -Infinity;
  for (const [index, { position, radius }] of balls.entries()) {
    const at = place(view, position);
    const miss = Math.hypot(at.x - x, at.y - y);
    const r = radius * at.scale;
    if (miss > r + tolerance) continue;
    const depth = at.depth + (miss < r ? Math.sqrt(r * r - miss * miss) / at.scale : -radius);
    if (depth > nearest) [nearest, found] = [depth, index];
  }
  return found;
}
