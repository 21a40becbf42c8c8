/**
 * Conventional and primitive standard cells of Setyawan and Curtarolo; k-point labels refer to these cells.
 *
 * The cells are idealised: right angles and equal lengths are exact, and the orientation is the one of the
 * paper (a along x if possible). They differ from the settings of International Tables: orthorhombic axes are
 * ordered by length (only a and b in base-centred cells), base-centred cells are C-centred, and the
 * reciprocal angles of triclinic cells are all acute or all obtuse. Monoclinic cells come in two forms, see
 * `MonoclinicForm`.
 *
 * W. Setyawan, S. Curtarolo, Comput. Mater. Sci. 49 (2010) 299, doi:10.1016/j.commatsci.2010.05.010, appendix
 * A.
 */
import {
  latticeParameters,
  latticeVectorsFromParameters,
  reduceLll,
  type Structure,
} from '@unitcell/crystal';
import {
  add3,
  dot3,
  IDENTITY3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';
import { type SymmetryDataset, wrappedDistance } from './symmetry-dataset.ts';

/**
 * `international`: unique axis b and β > 90°, as in most databases. `setyawan-curtarolo`: unique axis a and α < 90°,
 * the form of the k-points in the paper.
 */
export type MonoclinicForm = 'international' | 'setyawan-curtarolo';

export interface StandardCells {
  readonly conventional: Structure;
  readonly primitive: Structure;
}

/** Å. Sites this close are images of each other: the standard cell is idealised, so copies agree up to rounding. */
export const IMAGE_TOLERANCE = 1e-3;

/** The angle between reciprocal axes counts as right if its cosine is below this: a thousandth of a degree. */
export const RIGHT_ANGLE_TOLERANCE = 1.7e-5;

/** A change of cell: new rows = transform · old rows. The new rows are then given the ideal lengths and directions. */
export interface CellChange {
  readonly transform: Mat3;
  readonly latticeVectors: Mat3;
  /** Shift added to the coordinates in the new rows; none by default. */
  readonly shift?: Vec3;
}

/**
 * The standard cells of an analysed structure.
 * @param form monoclinic form; other crystal systems have only one.
 * @example standardCells(analyzeSymmetry(lithiumIronPhosphate)).conventional // a < b < c
 */
export function standardCells(
  dataset: SymmetryDataset,
  form: MonoclinicForm = 'international',
): StandardCells {
  const conventional = changeCell(dataset.standardizedCell, conventionalChange(dataset, form));
  const primitiveRows = primitiveTransform(dataset);
  if (primitiveRows === IDENTITY3) return { conventional, primitive: conventional };
  const spanned = multiply3(primitiveRows, conventional.latticeVectors);
  const latticeVectors = dataset.latticeType === 'rhombohedral' ? rhombohedralRows(spanned) : spanned;
  const primitive = changeCell(conventional, { transform: primitiveRows, latticeVectors });
  return { conventional, primitive: withoutImages(primitive) };
}

function conventionalChange(dataset: SymmetryDataset, form: MonoclinicForm): CellChange {
  const rows = dataset.standardizedCell.latticeVectors;
  const lengths = rows.map(norm3);
  switch (dataset.latticeType) {
    case 'cubic': {
      const a = (lengths[0] + lengths[1] + lengths[2]) / 3;
      return { transform: IDENTITY3, latticeVectors: diagonal(a, a, a) };
    }
    case 'tetragonal': {
      const a = (lengths[0] + lengths[1]) / 2;
      return { transform: IDENTITY3, latticeVectors: diagonal(a, a, lengths[2]) };
    }
    case 'hexagonal':
    case 'rhombohedral': {
      const half = (lengths[0] + lengths[1]) / 4;
      const height = half * Math.sqrt(3);
      const latticeVectors: Mat3 = [
        [half, -height, 0],
        [half, height, 0],
        [0, 0, lengths[2]],
      ];
      return { transform: IDENTITY3, latticeVectors };
    }
    case 'orthorhombic': {
      const [i, j, k] = orthorhombicOrder(dataset, lengths);
      const latticeVectors = diagonal(lengths[i], lengths[j], lengths[k]);
      return { transform: [IDENTITY3[i], IDENTITY3[j], IDENTITY3[k]], latticeVectors };
    }
    case 'monoclinic':
      return monoclinicChange(dataset, form);
    default:
      return triclinicChange(rows);
  }
}

const diagonal = (a: number, b: number, c: number): Mat3 => [
  [a, 0, 0],
  [0, b, 0],
  [0, 0, c],
];

type AxisOrder = readonly [0 | 1 | 2, 0 | 1 | 2, 0 | 1 | 2];

/** Orders the axes by length, but in base-centred cells the axis normal to the centred face becomes c. */
function orthorhombicOrder({ spaceGroup, bravais }: SymmetryDataset, lengths: readonly number[]): AxisOrder {
  if (bravais === 'oS') {
    const normal = spaceGroup.symbol.startsWith('A') ? 0 : 2;
    const [first, second] = normal === 0 ? ([1, 2] as const) : ([0, 1] as const);
    return lengths[first] <= lengths[second] ? [first, second, normal] : [second, first, normal];
  }
  const [i, j, k] = ([0, 1, 2] as const).toSorted((p, q) => lengths[p] - lengths[q]);
  return [i, j, k];
}

/** Groups with a c glide in a primitive lattice: c may change only by even multiples of a. */
const PRIMITIVE_C_GLIDE = new Set([7, 13, 14]);

/** The plane normal to the unique axis, in units of the rows of the standardised cell of a dataset. */
export interface MonoclinicPlane {
  readonly a: Vec3;
  readonly c: Vec3;
  /** Whether a and b are the axes of a C-centred cell. */
  readonly isCentred: boolean;
}

/** The shortest a and c of a monoclinic dataset for which centring and glide keep their form. */
export function monoclinicPlane(dataset: SymmetryDataset): MonoclinicPlane {
  const isCentred = dataset.bravais !== 'mP';
  const axes = shortestMonoclinicAxes(dataset.standardizedCell.latticeVectors, {
    aStep: isCentred ? 2 : 1,
    cStep: PRIMITIVE_C_GLIDE.has(dataset.spaceGroup.number) ? 2 : 1,
  });
  return { ...axes, isCentred };
}

function monoclinicChange(dataset: SymmetryDataset, form: MonoclinicForm): CellChange {
  const rows = dataset.standardizedCell.latticeVectors;
  const { a, c, isCentred } = monoclinicPlane(dataset);
  const length = (combination: Vec3): number => norm3(rowTimesMatrix3(combination, rows));
  // In the paper's form the unique axis is first, then the shorter of the other two axes, unless the centring fixes
  // their order.
  const [second, third] = isCentred || length(a) <= length(c) ? [a, c] : [c, a];
  const overlap = dot3(rowTimesMatrix3(second, rows), rowTimesMatrix3(third, rows));
  const turned = overlap >= 0 ? third : scale3(third, -1);
  const unique = handedUnique(second, turned);
  const [p, q, r] = [norm3(rows[1]), length(second), length(third)];
  const cosine = Math.abs(overlap) / (q * r);
  const sine = Math.sqrt(1 - cosine * cosine);
  if (form === 'setyawan-curtarolo')
    return {
      transform: [unique, second, turned],
      latticeVectors: [
        [p, 0, 0],
        [0, q, 0],
        [0, r * cosine, r * sine],
      ],
    };
  // For b unique: swaps the first two axes and reverses the third, which makes β obtuse and keeps the handedness.
  return {
    transform: [second, unique, scale3(turned, -1)],
    latticeVectors: [
      [q, 0, 0],
      [0, p, 0],
      [-r * cosine, 0, r * sine],
    ],
  };
}

/** Returns ±b such that (±b, second, third) is right-handed; the axes are integer combinations of a and c. */
function handedUnique(second: Vec3, third: Vec3): Vec3 {
  const determinant = second[2] * third[0] - second[0] * third[2];
  return [0, Math.sign(determinant), 0];
}

/**
 * The shortest a and c in the plane normal to b for which centring and glide keep their form: a may change by
 * multiples of `aStep`·c, and c by multiples of `cStep`·a. The results are integer combinations of the rows.
 */
function shortestMonoclinicAxes(rows: Mat3, steps: { aStep: number; cStep: number }): { a: Vec3; c: Vec3 } {
  let [a, c]: [Vec3, Vec3] = [
    [1, 0, 0],
    [0, 0, 1],
  ];
  for (let hasChanged = true; hasChanged; ) {
    const [u, v] = [rowTimesMatrix3(a, rows), rowTimesMatrix3(c, rows)];
    const aShift = wholeSteps(dot3(u, v) / dot3(v, v), steps.aStep);
    if (aShift !== 0) a = add3(a, scale3(c, -aShift));
    const shorter = rowTimesMatrix3(a, rows);
    const cShift = wholeSteps(dot3(shorter, v) / dot3(shorter, shorter), steps.cStep);
    if (cShift !== 0) c = add3(c, scale3(a, -cShift));
    hasChanged = aShift !== 0 || cShift !== 0;
  }
  return { a, c };
}

/** Ties (an axis exactly halfway) are kept, so that rounding cannot cause an endless loop. */
const TIE_TOLERANCE = 1e-6;

/** The nearest multiple of `step`, or 0 if it does not shorten the axis. */
function wholeSteps(ratio: number, step: number): number {
  return Math.abs(ratio) <= step / 2 + TIE_TOLERANCE ? 0 : step * Math.round(ratio / step);
}

/** The LLL-reduced cell with the signs that make all reciprocal angles acute, or all obtuse. */
function triclinicChange(rows: Mat3): CellChange {
  const reduced = reduceLll(rows);
  const toReduced = multiply3(reduced, inverse3(rows)).map(
    ([x, y, z]): Vec3 => [Math.round(x), Math.round(y), Math.round(z)],
  );
  const cosines = reciprocalCosines(reduced);
  const signs = SIGN_CHOICES.find((choice) => isOneSided(turnedCosines(cosines, choice)))!;
  const [sa, sb, sc] = signs;
  const turned: Mat3 = [scale3(reduced[0], sa), scale3(reduced[1], sb), scale3(reduced[2], sc)];
  return {
    transform: [scale3(toReduced[0], sa), scale3(toReduced[1], sb), scale3(toReduced[2], sc)],
    latticeVectors: latticeVectorsFromParameters(latticeParameters(turned)),
  };
}

/** Reversing two axes keeps the handedness; one of the four choices always succeeds. */
const SIGN_CHOICES: readonly Vec3[] = [
  [1, 1, 1],
  [1, -1, -1],
  [-1, -1, 1],
  [-1, 1, -1],
];

/** Cosines of the reciprocal angles α*, β*, γ*. */
export function reciprocalCosines(rows: Mat3): Vec3 {
  const inverse = inverse3(rows);
  const column = (j: 0 | 1 | 2): Vec3 => [inverse[0][j], inverse[1][j], inverse[2][j]];
  const [u, v, w] = [column(0), column(1), column(2)];
  const cosine = (p: Vec3, q: Vec3): number => dot3(p, q) / (norm3(p) * norm3(q));
  return [cosine(v, w), cosine(u, w), cosine(u, v)];
}

const turnedCosines = (cosines: Vec3, [a, b, c]: Vec3): Vec3 => [
  cosines[0] * b * c,
  cosines[1] * a * c,
  cosines[2] * a * b,
];

const isOneSided = (cosines: Vec3): boolean =>
  cosines.every((cosine) => cosine >= -RIGHT_ANGLE_TOLERANCE) ||
  cosines.every((cosine) => cosine < -RIGHT_ANGLE_TOLERANCE);

/** Rows of the primitive cell in units of the conventional standard cell. */
function primitiveTransform({ bravais }: SymmetryDataset): Mat3 {
  switch (bravais) {
    case 'cF':
    case 'oF':
      return [
        [0, 0.5, 0.5],
        [0.5, 0, 0.5],
        [0.5, 0.5, 0],
      ];
    case 'cI':
    case 'tI':
    case 'oI':
      return [
        [-0.5, 0.5, 0.5],
        [0.5, -0.5, 0.5],
        [0.5, 0.5, -0.5],
      ];
    case 'oS':
      return [
        [0.5, -0.5, 0],
        [0.5, 0.5, 0],
        [0, 0, 1],
      ];
    case 'mC':
      return [
        [0.5, 0.5, 0],
        [-0.5, 0.5, 0],
        [0, 0, 1],
      ];
    case 'hR':
      return [
        [-1 / 3, 1 / 3, 1 / 3],
        [2 / 3, 1 / 3, 1 / 3],
        [-1 / 3, -2 / 3, 1 / 3],
      ];
    default:
      return IDENTITY3;
  }
}

/** The rhombohedral cell in the paper's orientation: a and b are mirror images in the xz plane, which contains c. */
function rhombohedralRows(rows: Mat3): Mat3 {
  const { a, alpha } = latticeParameters(rows);
  const angle = (alpha * Math.PI) / 180;
  const [x, y] = [a * Math.cos(angle / 2), a * Math.sin(angle / 2)];
  const along = (a * Math.cos(angle)) / Math.cos(angle / 2);
  return [
    [x, -y, 0],
    [x, y, 0],
    [along, 0, Math.sqrt(a * a - along * along)],
  ];
}

/**
 * The same structure with other lattice vectors and another origin. Coinciding images are kept; see `withoutImages`.
 */
export function changeCell(
  { sites }: Structure,
  { transform, latticeVectors, shift = [0, 0, 0] }: CellChange,
): Structure {
  const inverse = inverse3(transform);
  return {
    latticeVectors,
    sites: sites.map(({ species, fractionalCoords }) => {
      const [x, y, z] = add3(rowTimesMatrix3(fractionalCoords, inverse), shift);
      return { species, fractionalCoords: [wrap(x), wrap(y), wrap(z)] };
    }),
  };
}

/** Rounding noise of coordinates on a face of the cell. */
const FACE_NOISE = 1e-9;

function wrap(x: number): number {
  const inside = x - Math.floor(x);
  return inside > 1 - FACE_NOISE || inside < FACE_NOISE ? 0 : inside;
}

/** Keeps one of each set of coinciding sites. */
export function withoutImages({ latticeVectors, sites }: Structure): Structure {
  const kept: (typeof sites)[number][] = [];
  for (const site of sites) {
    const isImage = kept.some(({ fractionalCoords }) => {
      const difference = subtract3(site.fractionalCoords, fractionalCoords);
      return wrappedDistance(difference, latticeVectors) < IMAGE_TOLERANCE;
    });
    if (!isImage) kept.push(site);
  }
  return { latticeVectors, sites: kept };
}
