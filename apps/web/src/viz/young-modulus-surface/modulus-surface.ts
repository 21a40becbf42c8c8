/**
 * Young's modulus as a surface mesh: the distance of the surface from the origin is the modulus in that direction, GPa.
 */
import type { Vec3 } from '@unitcell/numerics';
import { complianceOf, elasticModuli, type ModulusSurface, youngModulusSurface } from '@unitcell/tensors';
import { formatNumber } from '../../lib/format.ts';

export interface SurfaceMesh {
  readonly x: number[];
  readonly y: number[];
  readonly z: number[];
  readonly i: number[];
  readonly j: number[];
  readonly k: number[];
  /** GPa per corner. */
  readonly modulus: number[];
}

/** null if the crystal is mechanically unstable, even if its modulus is positive in every direction. */
export function modulusSurfaceOf(stiffnessGPa: readonly (readonly number[])[]): ModulusSurface | null {
  try {
    const { isMechanicallyStable } = elasticModuli(stiffnessGPa);
    return isMechanicallyStable ? youngModulusSurface(complianceOf(stiffnessGPa)) : null;
  } catch {
    return null;
  }
}

export function meshOf({ directions, values, triangles }: ModulusSurface): SurfaceMesh {
  const reach = (axis: 0 | 1 | 2): number[] => directions.map((d, index) => d[axis] * (values[index] ?? 0));
  return {
    x: reach(0),
    y: reach(1),
    z: reach(2),
    i: triangles.map(([corner]) => corner),
    j: triangles.map(([, corner]) => corner),
    k: triangles.map(([, , corner]) => corner),
    modulus: [...values],
  };
}

/** Components that differ by less count as equal, and components this close to 0 as 0. */
const DIRECTION_TOLERANCE = 1e-3;

/** `[1 1 0]` for a direction of small whole numbers, otherwise its components. */
export function directionText(direction: Vec3): string {
  const largest = Math.max(...direction.map(Math.abs));
  const signs = direction.map((component) => component / largest);
  const isSimple = signs.every((value) => Math.abs(value - Math.round(value)) < DIRECTION_TOLERANCE);
  const sign = Math.sign(signs.find((value) => Math.abs(value) > DIRECTION_TOLERANCE) ?? 1);
  const parts = isSimple
    ? signs.map((value) => formatNumber(Math.round(value * sign) + 0, { decimals: 0 }))
    : direction.map((value) => formatNumber(value * sign, { decimals: 2 }));
  return `[${parts.join(' ')}]`;
}
