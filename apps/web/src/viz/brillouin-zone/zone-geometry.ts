/**
 * A Brillouin zone on the screen. The zone is convex and seen from outside, so an edge is hidden exactly if both
 * adjacent faces point away. This needs no depth sorting, and hidden edges can be dashed as in a textbook.
 */
import type { BrillouinZoneData } from '@unitcell/contract/matdata';
import {
  add3,
  cross3,
  dot3,
  type Mat3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';
import type { Direction, Projector } from '../projector.ts';
import { between, type PathPlace, pointKey } from './path-place.ts';

export interface ZoneEdge {
  readonly ends: readonly [Vec3, Vec3];
  /** Outward normals of the two faces that meet in the edge. */
  readonly normals: readonly Vec3[];
}

export interface ZoneFace {
  readonly corners: readonly Vec3[];
  readonly normal: Vec3;
}

export interface ZonePoint {
  readonly name: string;
  readonly key: string;
  readonly position: Vec3;
}

export interface ZonePiece {
  readonly from: ZonePoint;
  readonly to: ZonePoint;
}

/** The zone in one Cartesian frame, its farthest corner at distance 1. */
export interface Zone {
  readonly faces: readonly ZoneFace[];
  readonly edges: readonly ZoneEdge[];
  readonly points: readonly ZonePoint[];
  readonly pieces: readonly ZonePiece[];
  /** b1, b2, b3 in the same units as the corners. */
  readonly axes: Mat3;
}

/**
 * Rounds the coordinates of a corner, so that faces that share the corner get the same key. The digits only have to
 * distinguish corners.
 */
const CORNER_DIGITS = 5;
const cornerKey = (corner: Vec3): string =>
  corner
    .map((x) => (x + 0).toFixed(CORNER_DIGITS))
    .join(' ')
    .replaceAll('-0.00000', '0.00000');

export function zoneOf(data: BrillouinZoneData): Zone {
  const shrink = 1 / data.factor;
  const lattice = data.reciprocal_lattice as unknown as Mat3;
  const faces = data._points.map((corners) =>
    faceOf(corners.map((corner) => scale3(corner as unknown as Vec3, shrink))),
  );
  const points = Object.entries(data.kpoints).map(([name, coordinates]) => ({
    name,
    key: pointKey(name),
    position: scale3(rowTimesMatrix3(coordinates as unknown as Vec3, lattice), shrink),
  }));
  const byName = new Map(points.map((point) => [point.name, point]));
  const pieces = data.kpath.flatMap((branch) =>
    branch.slice(1).flatMap((name, index): ZonePiece[] => {
      const [from, to] = [byName.get(branch[index] ?? ''), byName.get(name)];
      return from && to ? [{ from, to }] : [];
    }),
  );
  const [b1, b2, b3] = lattice;
  return {
    faces,
    edges: edgesOf(faces),
    points,
    pieces,
    axes: [scale3(b1, shrink), scale3(b2, shrink), scale3(b3, shrink)],
  };
}

function faceOf(corners: readonly Vec3[]): ZoneFace {
  const [first, second, third] = corners;
  if (!first || !second || !third) return { corners, normal: [0, 0, 0] };
  const normal = cross3(subtract3(second, first), subtract3(third, first));
  const centre = corners.reduce<Vec3>((sum, corner) => add3(sum, corner), [0, 0, 0]);
  // The origin is the centre of the zone, so outwards means away from it.
  return { corners, normal: dot3(normal, centre) < 0 ? scale3(normal, -1) : normal };
}

function edgesOf(faces: readonly ZoneFace[]): ZoneEdge[] {
  const edges = new Map<string, { ends: readonly [Vec3, Vec3]; normals: Vec3[] }>();
  for (const { corners, normal } of faces)
    corners.forEach((corner, index) => {
      const next = corners[(index + 1) % corners.length] ?? corner;
      const key = [cornerKey(corner), cornerKey(next)].toSorted().join('|');
      const edge = edges.get(key) ?? { ends: [corner, next] as const, normals: [] };
      edge.normals.push(normal);
      edges.set(key, edge);
    });
  return [...edges.values()];
}

/** Angles in degrees between the first view and the middle of the path, so that no segment is seen end-on. */
const BESIDE = { azimuth: 24, elevation: 16 } as const;

/** A view from the side of the zone that contains the path. */
export function initialDirection({ points }: Pick<Zone, 'points'>): Direction {
  const [x, y, z] = points.reduce<Vec3>((sum, { position }) => add3(sum, position), [0, 0, 0]);
  return {
    azimuth: (Math.atan2(y, x) * 180) / Math.PI + BESIDE.azimuth,
    elevation: z < 0 ? -BESIDE.elevation : BESIDE.elevation,
  };
}

export const isHidden = (edge: ZoneEdge, look: Projector): boolean =>
  edge.normals.every((normal) => look(normal).depth <= 0);

/** Position of a place on the path; null if this zone lacks the points of the path. */
export function positionOf(zone: Zone, { from, to, fraction }: PathPlace): Vec3 | null {
  const [a, b] = [from, to].map((key) => zone.points.find((point) => point.key === key));
  return a && b ? between(a.position, b.position, fraction) : null;
}

/** The place of the drawn path nearest to a point of the screen, within `reach` (zone units); null if there is none. */
export function nearestPlace(
  zone: Zone,
  look: Projector,
  at: { readonly x: number; readonly y: number },
  reach: number,
): PathPlace | null {
  let best: { distance: number; depth: number; place: PathPlace } | null = null;
  for (const { from, to } of zone.pieces) {
    const [a, b] = [look(from.position), look(to.position)];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const lengthSquared = dx * dx + dy * dy;
    // A segment seen end-on has no length on the screen.
    const along = lengthSquared > 0 ? ((at.x - a.x) * dx + (at.y - a.y) * dy) / lengthSquared : 0;
    const fraction = Math.min(1, Math.max(0, along));
    const distance = Math.hypot(a.x + fraction * dx - at.x, a.y + fraction * dy - at.y);
    if (distance > reach) continue;
    const depth = a.depth + fraction * (b.depth - a.depth);
    const isBetter =
      !best || distance < best.distance - TIE || (distance < best.distance + TIE && depth > best.depth);
    if (isBetter)
      best = { distance, depth, place: { from: from.key, to: to.key, fraction: snapped(fraction) } };
  }
  return best?.place ?? null;
}

/** Zone units: segments this close together on the screen count as crossing, and the nearer one wins. */
const TIE = 0.01;
/** Share of a segment at its ends that counts as the named point, because a pointer never hits it exactly. */
const SNAP = 0.04;
const snapped = (fraction: number): number => {
  if (fraction < SNAP) return 0;
  return fraction > 1 - SNAP ? 1 : fraction;
};
