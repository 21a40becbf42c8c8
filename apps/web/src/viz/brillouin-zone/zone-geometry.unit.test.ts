import type { BrillouinZoneData } from '@unitcell/contract/matdata';
import { describe, expect, it } from 'vitest';
import { projectorOf } from '../projector.ts';
import { initialDirection, isHidden, nearestPlace, positionOf, zoneOf } from './zone-geometry.ts';

const corner = (x: number, y: number, z: number): number[] => [x, y, z].map((sign) => sign * Math.PI);
const square = (axis: 0 | 1 | 2, sign: 1 | -1): number[][] =>
  [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ].map(([u, v]) => {
    const point = [u!, v!];
    point.splice(axis, 0, sign);
    return corner(point[0]!, point[1]!, point[2]!);
  });

/** The cube of a primitive cubic cell of 1 Å. */
const cube: BrillouinZoneData = {
  factor: Math.PI * Math.sqrt(3),
  _points: ([0, 1, 2] as const).flatMap((axis) => [square(axis, 1), square(axis, -1)]),
  kpath: [
    ['\\Gamma', 'X', 'M'],
    ['X', 'R'],
  ],
  kpoints: { '\\Gamma': [0, 0, 0], X: [0, 0.5, 0], M: [0.5, 0.5, 0], R: [0.5, 0.5, 0.5] },
  reciprocal_lattice: [
    [2 * Math.PI, 0, 0],
    [0, 2 * Math.PI, 0],
    [0, 0, 2 * Math.PI],
  ],
  variant: 'CUB',
};

describe('zoneOf', () => {
  const zone = zoneOf(cube);

  it('has the edges of a cube once each, with both adjacent faces', () => {
    expect(zone.edges).toHaveLength(12);
    expect(zone.edges.every(({ normals }) => normals.length === 2)).toBe(true);
  });

  it('puts R on a corner, at distance 1', () => {
    const [x, y, z] = zone.points.find(({ key }) => key === 'R')!.position;
    expect(Math.hypot(x, y, z)).toBeCloseTo(1, 12);
  });

  it('keeps the segments of the path', () => {
    expect(zone.pieces.map(({ from, to }) => from.key + to.key)).toEqual(['ΓX', 'XM', 'XR']);
  });

  it('finds the position of a label in any spelling, and none for unknown points', () => {
    expect(positionOf(zone, { from: 'Γ', to: 'X', fraction: 0.5 })![1]).toBeCloseTo(0.5 / Math.sqrt(3), 12);
    expect(positionOf(zone, { from: 'Γ', to: 'L', fraction: 0.5 })).toBeNull();
  });
});

describe('the view', () => {
  const zone = zoneOf(cube);

  it('hides the three edges at the far corner of a cube seen along its diagonal', () => {
    const look = projectorOf({ azimuth: 40, elevation: 30 });
    expect(zone.edges.filter((edge) => isHidden(edge, look))).toHaveLength(3);
  });

  it('starts from the side of the zone where the path is', () => {
    const look = projectorOf(initialDirection(zone));
    expect(zone.points.every(({ position }) => look(position).depth > -1e-9)).toBe(true);
  });

  it('keeps lengths in the screen plane; at azimuth 0, z points up and x towards the viewer', () => {
    const look = projectorOf({ azimuth: 0, elevation: 0 });
    expect(look([0, 0, 1])).toEqual({ x: 0, y: -1, depth: 0 });
    expect(look([1, 0, 0]).depth).toBe(1);
    expect(look([0, 1, 0]).x).toBe(1);
  });

  it('finds the point under the pointer, snaps to named points, and returns nothing far from the path', () => {
    const look = projectorOf({ azimuth: 0, elevation: 0 });
    const half = 0.5 / Math.sqrt(3);
    expect(nearestPlace(zone, look, { x: half, y: 0.01 }, 0.05)).toMatchObject({ from: 'Γ', to: 'X' });
    expect(nearestPlace(zone, look, { x: half, y: 0.01 }, 0.05)!.fraction).toBeCloseTo(0.5, 9);
    expect(nearestPlace(zone, look, { x: 0.005, y: 0 }, 0.05)!.fraction).toBe(0);
    expect(nearestPlace(zone, look, { x: -0.5, y: 0.5 }, 0.05)).toBeNull();
  });
});
