/**
 * The path through the Brillouin zone for band structures, after Setyawan and Curtarolo.
 *
 * k-points refer to the primitive standard cell, not to the given cell: compute bands on `primitiveStandard`.
 * Reciprocal vectors include the factor 2π and are in 1/Å.
 * Source: see k-path-variants.ts.
 */
import { latticeParameters, reciprocalLattice, type Structure, obtuseSuperbase } from '@unitcell/crystal';
import {
  type Mat3,
  norm3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  type Vec3,
  add3,
  cross3,
  determinant3,
  dot3,
  inverse3,
  transpose3,
} from '@unitcell/numerics';
import { analyzeSymmetry, type SymmetryOptions } from './analyze-symmetry.ts';
import type { SymmetryDataset } from './symmetry-dataset.ts';
import { K_PATH_VARIANTS, type KPathVariant, type PathParameters } from './k-path-variants.ts';
import { reciprocalCosines, RIGHT_ANGLE_TOLERANCE, standardCells } from './standard-cells.ts';
import { SymmetryError } from './symmetry-error.ts';

/**
 * High-symmetry points are named in the notations of different programs: `\Gamma`, `GAMMA`, `Γ`;
 * `X_1`, `X_{1}`, `X1`; `\Sigma_1`, `SIGMA1`. Two names denote the same point if symbol and index are equal.
 */
const GREEK: Readonly<Record<string, string>> = {
  GAMMA: 'Γ',
  SIGMA: 'Σ',
  DELTA: 'Δ',
  LAMBDA: 'Λ',
};

export interface KPointLabel {
  /** `Γ` or `X`; the unchanged text if it is not the name of a point. */
  readonly symbol: string;
  /** `1` for `X_1`; empty without an index. */
  readonly index: string;
}

/** @example kPointLabel('\\Sigma_1') // { symbol: 'Σ', index: '1' } */
export function kPointLabel(name: string): KPointLabel {
  const parts = /^\\?([A-Za-z]+|[Α-Ω])_?\{?(\d*)\}?$/u.exec(name.trim());
  if (!parts) return { symbol: name.trim(), index: '' };
  const [, symbol = '', index = ''] = parts;
  return { symbol: GREEK[symbol.toUpperCase()] ?? symbol, index };
}

/** Relative difference below which a lattice counts as exactly on the border between two variants. */
export const VARIANT_BORDER_TOLERANCE = 1e-6;

export interface KPath {
  readonly variant: KPathVariant;
  /** The cell that the k-points refer to. */
  readonly primitiveStandard: Structure;
  /** Reciprocal lattice of `primitiveStandard`: rows in 1/Å, with 2π. */
  readonly reciprocalLattice: Mat3;
  /** Fractional coordinates of every labelled point; labels are TeX-like: `\Gamma`, `X_1`. */
  readonly points: Readonly<Record<string, Vec3>>;
  /** Labels along each unbroken branch. */
  readonly path: readonly (readonly string[])[];
}

/**
 * The k-path of a structure.
 * @throws SymmetryError when the structure cannot be analysed.
 * @example kPath(rockSalt).variant // 'FCC'
 */
export const kPath = (structure: Structure, options: SymmetryOptions = {}): KPath =>
  kPathOfDataset(analyzeSymmetry(structure, options));

/** Like `kPath`, for a structure whose symmetry has already been analysed. */
export function kPathOfDataset(dataset: SymmetryDataset): KPath {
  const { conventional, primitive } = standardCells(dataset, 'setyawan-curtarolo');
  const variant = findVariant(dataset, conventional.latticeVectors, primitive.latticeVectors);
  const lengths = latticeParameters(conventional.latticeVectors);
  const angleCell = dataset.latticeType === 'rhombohedral' ? primitive : conventional;
  const parameters: PathParameters = {
    a: lengths.a,
    b: lengths.b,
    c: lengths.c,
    alphaRad: (latticeParameters(angleCell.latticeVectors).alpha * Math.PI) / 180,
  };
  return {
    variant,
    primitiveStandard: primitive,
    reciprocalLattice: reciprocalLattice2Pi(primitive.latticeVectors),
    points: K_PATH_VARIANTS[variant].points(parameters),
    path: K_PATH_VARIANTS[variant].path.split('|').map((branch) => branch.split('-')),
  };
}

/** Rows of the reciprocal lattice with the factor 2π of solid-state physics, 1/Å. */
export function reciprocalLattice2Pi(latticeVectors: Mat3): Mat3 {
  const [a, b, c] = reciprocalLattice(latticeVectors);
  return [scale3(a, 2 * Math.PI), scale3(b, 2 * Math.PI), scale3(c, 2 * Math.PI)];
}

function findVariant(dataset: SymmetryDataset, conventional: Mat3, primitive: Mat3): KPathVariant {
  const { a, b, c, alpha } = latticeParameters(conventional);
  switch (dataset.bravais) {
    case 'cP':
      return 'CUB';
    case 'cF':
      return 'FCC';
    case 'cI':
      return 'BCC';
    case 'tP':
      return 'TET';
    case 'tI':
      return c < a ? 'BCT1' : 'BCT2';
    case 'oP':
      return 'ORC';
    case 'oF': {
      const side = compare(1 / a ** 2, 1 / b ** 2 + 1 / c ** 2);
      return side > 0 ? 'ORCF1' : side < 0 ? 'ORCF2' : 'ORCF3';
    }
    case 'oI':
      return 'ORCI';
    case 'oS':
      return 'ORCC';
    case 'hP':
      return 'HEX';
    case 'hR':
      return latticeParameters(primitive).alpha < 90 ? 'RHL1' : 'RHL2';
    case 'mP':
      return 'MCL';
    case 'mC':
      return baseCentredMonoclinic({ a, b, c, alphaRad: (alpha * Math.PI) / 180 }, primitive);
    default:
      return triclinic(primitive);
  }
}

function baseCentredMonoclinic({ a, b, c, alphaRad }: PathParameters, primitive: Mat3): KPathVariant {
  const [, , cosGamma] = reciprocalCosines(primitive);
  if (Math.abs(cosGamma) < RIGHT_ANGLE_TOLERANCE) return 'MCLC2';
  if (cosGamma < 0) return 'MCLC1';
  const side = compare((b * Math.cos(alphaRad)) / c + (b * Math.sin(alphaRad)) ** 2 / a ** 2, 1);
  return side < 0 ? 'MCLC3' : side > 0 ? 'MCLC5' : 'MCLC4';
}

function triclinic(primitive: Mat3): KPathVariant {
  const cosines = reciprocalCosines(primitive);
  const hasRightAngle = cosines.some((cosine) => Math.abs(cosine) < RIGHT_ANGLE_TOLERANCE);
  // If a reciprocal angle is 90°, either choice is valid; the standard cell is then acute, see
  // standard-cells.ts.
  if (hasRightAngle) return cosines.some((cosine) => cosine < -RIGHT_ANGLE_TOLERANCE) ? 'TRI2a' : 'TRI2b';
  return cosines[0] < 0 ? 'TRI1a' : 'TRI1b';
}

/** Returns −1, 0 or 1; 0 if the values differ only by rounding. */
function compare(left: number, right: number): number {
  return Math.abs(left / right - 1) < VARIANT_BORDER_TOLERANCE ? 0 : Math.sign(left - right);
}

/** Formats a label for display: `\Gamma` becomes Γ, `A_1` becomes A₁. */
export const readableLabel = (label: string): string =>
  label
    .replace('\\Gamma', 'Γ')
    .replace('\\Sigma', 'Σ')
    .replace(/_(\d)/g, (_match, digit: string) => String.fromCodePoint(0x2080 + Number(digit)));

// The first Brillouin zone: all points nearer to the origin than to any other reciprocal lattice point.
// Every face bisects one of at most 14 lattice vectors, the sums of proper subsets of an obtuse superbase
// (Conway & Sloane, doi:10.1098/rspa.1992.0004). Vertices are the intersections of three such planes that no
// other plane cuts off. The work is therefore the same for oblique and cubic cells. All coordinates are
// Cartesian, 1/Å with 2π, in the frame of the given reciprocal lattice.

/**
 * Corners nearer than this fraction of the longest face vector are one vertex; the difference is invisible when drawn.
 */
export const VERTEX_TOLERANCE = 1e-6;

/**
 * Fraction of the longest face vector by which a corner may lie outside a plane and still count as on it. It
 * covers the rounding of cells given to 8 digits.
 */
export const PLANE_TOLERANCE = 1e-7;

export interface BrillouinZoneFace {
  /** Indices into `vertices`, counter-clockwise seen from outside. */
  readonly vertices: readonly number[];
  /** Half of the reciprocal lattice point beyond the face: the foot of the perpendicular from Γ onto the face. */
  readonly midpoint: Vec3;
}

export interface BrillouinZone {
  readonly vertices: readonly Vec3[];
  readonly faces: readonly BrillouinZoneFace[];
}

/**
 * The Wigner–Seitz cell of a reciprocal lattice (rows, 1/Å with 2π).
 * @throws SymmetryError when the lattice vectors are not finite or span no volume.
 * @example brillouinZone(kPath(rockSalt).reciprocalLattice).faces.length // 14
 */
export function brillouinZone(reciprocal: Mat3): BrillouinZone {
  const volume = Math.abs(determinant3(reciprocal));
  if (!(volume > 0 && Number.isFinite(volume)))
    throw new SymmetryError(
      'flat-cell',
      `the reciprocal lattice has volume ${volume}: expected three independent vectors`,
    );
  const normals = faceVectors(reciprocal);
  const corners = cornersOf(normals);
  const vertices = corners.map(({ position }) => position);
  const faces = normals.flatMap((normal, plane) => {
    const onPlane = vertices.flatMap((_vertex, index) => (corners[index].planes.has(plane) ? [index] : []));
    if (onPlane.length < 3) return [];
    return [{ vertices: ringOf(normal, onPlane, vertices), midpoint: scale3(normal, 0.5) }];
  });
  return { vertices, faces };
}

/**
 * The reciprocal lattice vectors that may define a face: ± the seven sums of one or two superbase vectors.
 */
function faceVectors(lattice: Mat3): Vec3[] {
  const [p, q, r, s] = obtuseSuperbase(lattice);
  const half = [p, q, r, s, add3(p, q), add3(p, r), add3(q, r)];
  return [...half, ...half.map((vector) => scale3(vector, -1))];
}

/** A vertex, and the planes (indices of face vectors) that meet in it. */
interface Corner {
  readonly position: Vec3;
  readonly planes: Set<number>;
}

function cornersOf(normals: readonly Vec3[]): Corner[] {
  const found: Corner[] = [];
  const scale = Math.max(...normals.map(norm3));
  const slack = PLANE_TOLERANCE * scale ** 2;
  for (let i = 0; i < normals.length; i++)
    for (let j = i + 1; j < normals.length; j++)
      for (let k = j + 1; k < normals.length; k++) {
        const planes: Mat3 = [normals[i], normals[j], normals[k]];
        if (Math.abs(determinant3(planes)) < VERTEX_TOLERANCE * scale ** 3) continue;
        // The common point x of three planes, where x · n = |n|²/2 for each face vector n.
        const heights: Vec3 = [height(normals[i]), height(normals[j]), height(normals[k])];
        const position = rowTimesMatrix3(heights, transpose3(inverse3(planes)));
        if (normals.some((normal) => dot3(position, normal) > height(normal) + slack)) continue;
        const known = found.find(
          (other) => norm3(subtract3(other.position, position)) < VERTEX_TOLERANCE * scale,
        );
        if (known) for (const plane of [i, j, k]) known.planes.add(plane);
        else found.push({ position, planes: new Set([i, j, k]) });
      }
  return found;
}

const height = (normal: Vec3): number => dot3(normal, normal) / 2;

/** The vertices of one face in counter-clockwise order seen from outside. */
function ringOf(normal: Vec3, onPlane: readonly number[], vertices: readonly Vec3[]): number[] {
  const sum = onPlane.reduce<Vec3>((total, index) => add3(total, vertices[index]), [0, 0, 0]);
  const centre = scale3(sum, 1 / onPlane.length);
  const u = subtract3(vertices[onPlane[0]], centre);
  const v = cross3(normal, u);
  const angle = (index: number): number => {
    const arm = subtract3(vertices[index], centre);
    return Math.atan2(dot3(arm, v) / norm3(v), dot3(arm, u) / norm3(u));
  };
  return onPlane
    .map((index) => ({ index, at: angle(index) }))
    .toSorted((first, second) => first.at - second.at)
    .map(({ index }) => index);
}
