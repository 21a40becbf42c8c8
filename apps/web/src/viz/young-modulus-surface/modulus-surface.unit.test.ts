import { describe, expect, it } from 'vitest';
import { directionText, meshOf, modulusSurfaceOf } from './modulus-surface.ts';

/** Cubic stiffness, GPa: copper, C11 168.3, C12 122.1, C44 75.7 (Landolt-Börnstein III/29a). */
const cubic = (c11: number, c12: number, c44: number): number[][] =>
  Array.from({ length: 6 }, (_, i) =>
    Array.from({ length: 6 }, (__, j) => {
      if (i === j) return i < 3 ? c11 : c44;
      return i < 3 && j < 3 ? c12 : 0;
    }),
  );

describe('modulusSurfaceOf', () => {
  it('finds copper softest along [1 0 0] and stiffest along [1 1 1]', () => {
    const surface = modulusSurfaceOf(cubic(168.3, 122.1, 75.7))!;
    // 1/E = s11 along an edge: s11 = (c11 + c12) / ((c11 − c12)(c11 + 2 c12)).
    expect(surface.minimum.value).toBeCloseTo((46.2 * 412.5) / 290.4, 6);
    expect(surface.maximum.direction.map(Math.abs).every((x) => Math.abs(x - 1 / Math.sqrt(3)) < 1e-3)).toBe(
      true,
    );
    const mesh = meshOf(surface);
    expect(Math.hypot(mesh.x[7]!, mesh.y[7]!, mesh.z[7]!)).toBeCloseTo(mesh.modulus[7]!, 9);
    expect(mesh.i).toHaveLength(surface.triangles.length);
  });

  it('returns no surface for a singular or unstable tensor', () => {
    expect(modulusSurfaceOf(cubic(100, 100, 50))).toBeNull();
    expect(modulusSurfaceOf(cubic(100, 50, -10))).toBeNull();
    // E is at least 180 GPa in every direction, but a shear strain in xy releases energy.
    expect(modulusSurfaceOf(cubic(200, 50, -1000))).toBeNull();
    expect(modulusSurfaceOf([[1]])).toBeNull();
  });
});

describe('directionText', () => {
  it.each([
    [[0, 0, 1], '[0 0 1]'],
    [[-0.5774, -0.5774, 0.5774], '[1 1 −1]'],
    [[0.6, 0, 0.8], '[0.60 0 0.80]'],
  ] as const)('writes %o', (direction, text) => {
    expect(directionText(direction)).toBe(text);
  });
});
