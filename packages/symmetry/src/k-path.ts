/**
 * The path through the Brillouin zone for band structures, after Setyawan and Curtarolo.
 *
 * k-points refer to the primitive standard cell, not to the given cell: compute bands on `primitiveStandard`.
 * Reciprocal vectors include the factor 2π and are in 1/Å.
 * Source: see k-path-variants.ts.
 */
import { latticeParameters, reciprocalLattice, type Structure } from '@unitcell/crystal';
import { type Mat3, norm3, rowTimesMatrix3, scale3, subtract3, type Vec3 } from '@unitcell/numerics';
import { analyzeSymmetry, type SymmetryOptions } from './analyze-symmetry.ts';
import type { SymmetryDataset } from './symmetry-dataset.ts';
import { K_PATH_VARIANTS, type KPathVariant, type PathParameters } from './k-path-variants.ts';
import { reciprocalCosines, RIGHT_ANGLE_TOLERANCE, standardCells } from './standard-cells.ts';

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

export interface KSegment {
  readonly from: string;
  readonly to: string;
  /** Index of the branch of `path` this segment belongs to. */
  readonly branch: number;
  /** 1/Å, with 2π. */
  readonly length: number;
}

export interface KPath {
  readonly variant: KPathVariant;
  readonly spaceGroupNumber: number;
  /** The cell that the k-points refer to. */
  readonly primitiveStandard: Structure;
  /** Conventional cell; if monoclinic, in the paper's form (unique axis a, α < 90°). */
  readonly conventionalStandard: Structure;
  /** Reciprocal lattice of `primitiveStandard`: rows in 1/Å, with 2π. */
  readonly reciprocalLattice: Mat3;
  /** Fractional coordinates of every labelled point; labels are TeX-like: `\Gamma`, `X_1`. */
  readonly points: Readonly<Record<string, Vec3>>;
  /** Labels along each unbroken branch. */
  readonly path: readonly (readonly string[])[];
  /** The straight pieces of `path` in order. */
  readonly segments: readonly KSegment[];
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
  const points = K_PATH_VARIANTS[variant].points(parameters);
  const path = K_PATH_VARIANTS[variant].path.split('|').map((branch) => branch.split('-'));
  const reciprocal = reciprocalLattice2Pi(primitive.latticeVectors);
  return {
    variant,
    spaceGroupNumber: dataset.spaceGroup.number,
    primitiveStandard: primitive,
    conventionalStandard: conventional,
    reciprocalLattice: reciprocal,
    points,
    path,
    segments: segmentsOf(path, points, reciprocal),
  };
}

/** Rows of the reciprocal lattice with the factor 2π of solid-state physics, 1/Å. */
export function reciprocalLattice2Pi(latticeVectors: Mat3): Mat3 {
  const [a, b, c] = reciprocalLattice(latticeVectors);
  return [scale3(a, 2 * Math.PI), scale3(b, 2 * Math.PI), scale3(c, 2 * Math.PI)];
}

function segmentsOf(
  path: readonly (readonly string[])[],
  points: Readonly<Record<string, Vec3>>,
  reciprocal: Mat3,
): KSegment[] {
  return path.flatMap((labels, branch) =>
    labels.slice(1).map((to, index) => {
      const from = labels[index];
      const length = norm3(rowTimesMatrix3(subtract3(points[to], points[from]), reciprocal));
      return { from, to, branch, length };
    }),
  );
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
