import { latticeVectorsFromParameters } from '@unitcell/crystal';
import { cross3, dot3, norm3, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { coarserGrid, type Grid, isosurface, type Surface, valueAt } from './isosurface.ts';
import { sliceOf } from './slice.tsx';
import {
  enclosedShare,
  enclosingLevel,
  firstLevel,
  LEVEL_STEPS,
  levelAt,
  levelScale,
  shortValue,
  signsOf,
  stepOf,
  volumeNumbers,
} from './volume-numbers.ts';

function gridOf(
  sizes: readonly [number, number, number],
  value: (x: number, y: number, z: number) => number,
): Grid {
  const [na, nb, nc] = sizes;
  const values = new Float32Array(na * nb * nc);
  for (let k = 0; k < nc; k++)
    for (let j = 0; j < nb; j++)
      for (let i = 0; i < na; i++) values[i + na * (j + nb * k)] = value(i / na, j / nb, k / nc);
  return { sizes, values };
}

const cosine = (x: number): number => Math.cos(2 * Math.PI * x);
const TRICLINIC = latticeVectorsFromParameters({ a: 4, b: 5, c: 6, alpha: 75, beta: 100, gamma: 110 });

/**
 * Values whose isosurface at −r² is a sphere of radius r about the centre of a cube of edge 1: minus the squared
 * distance.
 */
const ball = (size: number): Grid =>
  gridOf([size, size, size], (x, y, z) => -((x - 0.5) ** 2 + (y - 0.5) ** 2 + (z - 0.5) ** 2));
const CUBE = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;

const triangles = ({ faces, vertices }: Surface): readonly (readonly [Vec3, Vec3, Vec3])[] =>
  Array.from({ length: faces.length / 3 }, (_, face) => {
    const corner = (at: number): Vec3 => vertices[faces[3 * face + at]!]!;
    return [corner(0), corner(1), corner(2)] as const;
  });
const minus = (p: Vec3, q: Vec3): Vec3 => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];

describe('isosurface', () => {
  const radius = 0.3;
  const sphere = isosurface(
    { ...ball(40), values: ball(40).values.map((value) => value + 1) },
    CUBE,
    1 - radius ** 2,
  );

  it('of a sphere has its area and volume, and outward-facing triangles', () => {
    const [area, volume] = triangles(sphere).reduce(
      ([sum, inside], [p, q, r]) => {
        const normal = cross3(minus(q, p), minus(r, p));
        return [sum + norm3(normal) / 2, inside + dot3(minus(p, [0.5, 0.5, 0.5]), normal) / 6];
      },
      [0, 0] as readonly [number, number],
    );
    expect(Math.abs(area / (4 * Math.PI * radius ** 2) - 1)).toBeLessThan(0.01);
    expect(Math.abs(volume / ((4 / 3) * Math.PI * radius ** 3) - 1)).toBeLessThan(0.01);
  });

  it('is closed inside the cell: each edge belongs to two triangles', () => {
    const edges = new Map<string, number>();
    for (let at = 0; at < sphere.faces.length; at += 3)
      for (const [from, to] of [
        [0, 1],
        [1, 2],
        [2, 0],
      ] as const) {
        const ends = [sphere.faces[at + from]!, sphere.faces[at + to]!].sort((a, b) => a - b).join();
        edges.set(ends, (edges.get(ends) ?? 0) + 1);
      }
    expect(new Set(edges.values())).toEqual(new Set([2]));
  });

  it('of a plane wave lies where the wave has that level, also in an oblique cell', () => {
    const wave = gridOf([64, 4, 4], cosine);
    const { vertices, normals } = isosurface(wave, TRICLINIC, 0.5);
    const [, b, c] = TRICLINIC;
    const normal = cross3(b, c);
    const period = dot3(TRICLINIC[0], normal);
    expect(vertices.length).toBeGreaterThan(0);
    for (const [at, vertex] of vertices.entries()) {
      const x = dot3(vertex, normal) / period;
      expect(Math.min(Math.abs(x - 1 / 6), Math.abs(x - 5 / 6))).toBeLessThan(2e-3);
      // The wave decreases from x = 0 to the middle of the cell.
      expect(dot3(normals[at]!, normal) / norm3(normal)).toBeCloseTo(x < 0.5 ? 1 : -1, 6);
    }
  });

  it('for a negative level equals the surface of the negated values at the positive level', () => {
    const wave = gridOf([12, 12, 12], (x, y, z) => cosine(x) + cosine(y) + cosine(z));
    const negated = { ...wave, values: wave.values.map((value) => -value) };
    expect(isosurface(wave, CUBE, 1, -1)).toEqual(isosurface(negated, CUBE, 1, 1));
  });
});

describe('values between points', () => {
  const wave = gridOf([48, 40, 44], (x, y, z) => cosine(x) + 2 * cosine(y) + 3 * cosine(z));

  it('equal the values at the grid points, and are periodic', () => {
    expect(valueAt(wave, [3 / 48, 5 / 40, 7 / 44])).toBeCloseTo(
      cosine(3 / 48) + 2 * cosine(5 / 40) + 3 * cosine(7 / 44),
      5,
    );
    expect(valueAt(wave, [-0.25, 1.5, 2])).toBeCloseTo(1, 5);
  });

  it('can be resampled to a coarser grid', () => {
    const { sizes, values } = coarserGrid(wave, 16);
    expect(sizes).toEqual([16, 16, 16]);
    expect(values[5 + 16 * (2 + 16 * 11)]).toBeCloseTo(
      cosine(5 / 16) + 2 * cosine(2 / 16) + 3 * cosine(11 / 16),
      1,
    );
    expect(coarserGrid(wave, 64)).toBe(wave);
  });
});

describe('sliceOf', () => {
  it('has the shape of the plane and the values at its points', () => {
    const wave = gridOf([40, 40, 40], (x, y, z) => cosine(x) + 2 * cosine(y) + 3 * cosine(z));
    const slice = sliceOf(wave, TRICLINIC, 'c', 0.25);
    expect(slice.axes).toEqual(['a', 'b']);
    // γ is 110°: b leans to the left.
    expect(slice.x[0]).toBeCloseTo(5 * Math.cos((110 * Math.PI) / 180), 6);
    expect(slice.y.at(-1)).toBeCloseTo(5 * Math.sin((110 * Math.PI) / 180), 6);
    expect(slice.values[0]![0]).toBeNull();
    expect(slice.max).toBeCloseTo(3, 1);
    expect(slice.min).toBeCloseTo(-3, 1);
    const all = slice.values.flat();
    const inside = all.filter((value) => value !== null).length / all.length;
    const box = (slice.x.at(-1)! - slice.x[0]!) * slice.y.at(-1)!;
    expect(inside).toBeCloseTo((4 * slice.y.at(-1)!) / box, 1);
  });
});

describe('numbers and levels', () => {
  const values = Float32Array.from({ length: 1000 }, (_, at) => (at < 100 ? 9 : 1));

  it('the enclosing level encloses the requested share of the integral', () => {
    const numbers = volumeNumbers(values);
    expect([numbers.min, numbers.max, numbers.mean]).toEqual([1, 9, 1.8]);
    expect(enclosedShare(numbers, 5)).toBeCloseTo(0.5, 9);
    expect(enclosedShare(numbers, 0.5)).toBeCloseTo(1, 9);
    expect(enclosedShare(numbers, 9.1)).toBe(0);
    expect(enclosingLevel(numbers, 0.5)).toBeCloseTo(9, 1);
    expect(enclosingLevel(numbers, 0.9)).toBeCloseTo(1, 1);
  });

  it('start at 0.8 for an ELF and have two signs if the data do', () => {
    const elf = volumeNumbers(Float32Array.from([0, 0.5, 0.95]));
    expect(firstLevel('elf', elf)).toBe(0.8);
    expect(signsOf(elf)).toEqual([1]);
    expect(signsOf(volumeNumbers(Float32Array.from([-1, 2])))).toEqual([1, -1]);
    expect(signsOf(volumeNumbers(Float32Array.from([-4, -2])))).toEqual([-1]);
    expect(signsOf(volumeNumbers(new Float32Array(5)))).toEqual([]);
  });

  it.each(['charge-density', 'potential'] as const)(
    'of a %s equals the one read back from the slider',
    (quantity) => {
      const scale = levelScale(quantity, volumeNumbers(values));
      for (const step of [0, 1, 77, LEVEL_STEPS]) expect(stepOf(scale, levelAt(scale, step))).toBe(step);
    },
  );

  it.each([
    [0, '0'],
    [-0.5, '−0.5'],
    [1234.56, '1235'],
    [1.5e-7, '1.5\u00a0×\u00a010⁻⁷'],
    [-2.3456e18, '−2.346\u00a0×\u00a010¹⁸'],
    [1e5, '10⁵'],
  ])('%d is written %s', (value, text) => {
    expect(shortValue(value)).toBe(text);
  });
});
