/**
 * Young's modulus of a single crystal along a direction n, and the surface over all directions.
 *
 *   1/E(n) = s_ijkl n_i n_j n_k n_l
 * which in Voigt notation is a quadratic form in p = (n₁², n₂², n₃², n₂n₃, n₁n₃, n₁n₂): 1/E = pᵀ S p, because
 * the factors of the engineering compliance are exactly those of the sum. Nye, Physical Properties of
 * Crystals, VIII §10. C_nnnn, which some programs call the directional modulus, is a different quantity.
 */
import { add3, norm3, scale3, type Vec3 } from '@unitcell/numerics';
import { TensorError } from './tensor-error.ts';
import { assertShape, type Voigt6 } from './voigt.ts';

/** Number of steps, each of which divides every triangle into four; 4 steps give 2,562 directions, about 4° apart. */
export const DEFAULT_SUBDIVISIONS = 4;
/** 7 steps give 163,842 directions, more than any screen can show. */
export const MAX_SUBDIVISIONS = 7;

/**
 * Young's modulus in GPa along `direction` (any length, Cartesian axes of the tensor).
 * @param compliance 1/GPa, Voigt order with engineering strains (`elasticModuli(...).compliance`).
 * @throws TensorError for a direction without length.
 * @example youngModulusAlong(moduli.compliance, [1, 1, 1])
 */
export function youngModulusAlong(compliance: Voigt6, direction: Vec3): number {
  const length = norm3(direction);
  if (!(length > 0 && Number.isFinite(length)))
    throw new TensorError(
      'unphysical',
      `the direction ${direction.join(', ')} has no length: expected a vector`,
    );
  const [x, y, z] = scale3(direction, 1 / length);
  const p = [x * x, y * y, z * z, y * z, x * z, x * y];
  let inverse = 0;
  for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) inverse += p[i] * compliance[i][j] * p[j];
  return 1 / inverse;
}

export interface ModulusSurface {
  /** Unit vectors, spread evenly over the sphere. */
  readonly directions: readonly Vec3[];
  /** Modulus in GPa along each direction, which is the radius of the surface there. */
  readonly values: Float64Array;
  /** Triples of indices into `directions`, counter-clockwise seen from outside. */
  readonly triangles: readonly (readonly [number, number, number])[];
  /** The extremes. A local search that starts from the best of `directions` refines them. */
  readonly minimum: { readonly value: number; readonly direction: Vec3 };
  readonly maximum: { readonly value: number; readonly direction: Vec3 };
}

/**
 * The surface E(n) as a closed mesh over a subdivided icosahedron, and its extremes.
 * @throws TensorError for a wrong shape or a number of subdivisions out of range.
 */
export function youngModulusSurface(compliance: Voigt6, subdivisions = DEFAULT_SUBDIVISIONS): ModulusSurface {
  assertShape(compliance, 6, 6, 'the compliance tensor');
  if (!(Number.isInteger(subdivisions) && subdivisions >= 0 && subdivisions <= MAX_SUBDIVISIONS))
    throw new TensorError('unphysical', `subdivisions is ${subdivisions}: expected 0 to ${MAX_SUBDIVISIONS}`);
  const { directions, triangles } = sphereMesh(subdivisions);
  const values = Float64Array.from(directions, (direction) => youngModulusAlong(compliance, direction));
  let [lowest, highest] = [0, 0];
  values.forEach((value, index) => {
    if (value < values[lowest]) lowest = index;
    if (value > values[highest]) highest = index;
  });
  return {
    directions,
    values,
    triangles,
    minimum: extremeNear(compliance, directions[lowest], -1),
    maximum: extremeNear(compliance, directions[highest], 1),
  };
}

/**
 * First and last step (radians) of the search for an extreme. The relative error of the modulus is about the
 * square of the last step.
 */
const FIRST_STEP = 0.2;
const LAST_STEP = 1e-6;

/** The highest (`sign` 1) or lowest (`sign` −1) modulus near a direction, by shrinking steps along ±x, ±y, ±z. */
function extremeNear(compliance: Voigt6, start: Vec3, sign: 1 | -1): { value: number; direction: Vec3 } {
  let best = { value: youngModulusAlong(compliance, start), direction: start };
  for (let step = FIRST_STEP; step > LAST_STEP; ) {
    const neighbours = STEPS.map((axis) => unit(add3(best.direction, scale3(axis, step))));
    const better = neighbours
      .map((direction) => ({ value: youngModulusAlong(compliance, direction), direction }))
      .reduce((first, second) => (sign * second.value > sign * first.value ? second : first));
    if (sign * better.value > sign * best.value) best = better;
    else step /= 2;
  }
  return best;
}

const STEPS: readonly Vec3[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

type Triangle = readonly [number, number, number];

/** An icosahedron whose edges are halved `subdivisions` times, with shared vertices on the unit sphere. */
function sphereMesh(subdivisions: number): { directions: Vec3[]; triangles: Triangle[] } {
  const golden = (1 + Math.sqrt(5)) / 2;
  const signs = [1, -1];
  // Cyclic permutations of (0, ±1, ±φ), in the order used by the faces below.
  const directions = [0, 1, 2].flatMap((shift) =>
    signs.flatMap((p) =>
      signs.map((q): Vec3 => {
        const point = [0, p, q * golden];
        return unit([point[(3 - shift) % 3], point[(4 - shift) % 3], point[(5 - shift) % 3]]);
      }),
    ),
  );
  let triangles = icosahedronFaces(directions);
  for (let step = 0; step < subdivisions; step++) {
    const middles = new Map<number, number>();
    const middle = (i: number, j: number): number => {
      const key = Math.min(i, j) * 1e6 + Math.max(i, j);
      let index = middles.get(key);
      if (index === undefined) {
        index = directions.push(unit(add3(directions[i], directions[j]))) - 1;
        middles.set(key, index);
      }
      return index;
    };
    triangles = triangles.flatMap(([i, j, k]): Triangle[] => {
      const [ij, jk, ki] = [middle(i, j), middle(j, k), middle(k, i)];
      return [
        [i, ij, ki],
        [j, jk, ij],
        [k, ki, jk],
        [ij, jk, ki],
      ];
    });
  }
  return { directions, triangles };
}

/** Cosine of the angle between neighbouring vertices of the icosahedron, 1/√5, minus an allowance for rounding. */
const NEIGHBOUR_COSINE = 1 / Math.sqrt(5) - 1e-6;

/** The 20 triples of mutual neighbours, oriented outwards. */
function icosahedronFaces(vertices: readonly Vec3[]): Triangle[] {
  const dot = (i: number, j: number): number =>
    vertices[i][0] * vertices[j][0] + vertices[i][1] * vertices[j][1] + vertices[i][2] * vertices[j][2];
  const faces: Triangle[] = [];
  for (let i = 0; i < 12; i++)
    for (let j = i + 1; j < 12; j++)
      for (let k = j + 1; k < 12; k++) {
        if (Math.min(dot(i, j), dot(j, k), dot(i, k)) < NEIGHBOUR_COSINE) continue;
        const [a, b, c] = [vertices[i], vertices[j], vertices[k]];
        const outward =
          a[0] * (b[1] * c[2] - b[2] * c[1]) +
          a[1] * (b[2] * c[0] - b[0] * c[2]) +
          a[2] * (b[0] * c[1] - b[1] * c[0]);
        faces.push(outward > 0 ? [i, j, k] : [i, k, j]);
      }
  return faces;
}

const unit = (vector: Vec3): Vec3 => scale3(vector, 1 / norm3(vector));
