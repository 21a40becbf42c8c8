/**
 * The conventional cell of an analysed crystal in the tabulated setting, idealised, and the primitive cell
 * derived from it.
 */
import {
  asymmetricUnit,
  type LatticeParameters,
  latticeParameters,
  latticeVectorsFromParameters,
  operationsFromHallSymbol,
  reciprocalLattice,
  type Structure,
  type SymmetryOperation,
} from '@unitcell/crystal';
import {
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';
import { moyoWyckoffPositions } from './moyo.ts';
import { changeCell, withoutImages } from './standard-cells.ts';
import { type SymmetryDataset, wrappedDistance } from './symmetry-dataset.ts';
import { SymmetryError } from './symmetry-error.ts';
import { toTabulatedSetting } from './tabulated-setting.ts';

/**
 * Tolerance as a share of the cell edges. Sites are exactly on their special positions; neighbouring positions are at
 * least 1/8 apart.
 */
const POSITION_TOLERANCE = 1e-4;

/** One printed coordinate, such as `-2x+1/4`: factors of x, y and z, and the constant. */
interface Coordinate {
  readonly factors: Vec3;
  readonly constant: number;
}

interface WyckoffPosition {
  readonly letter: string;
  readonly multiplicity: number;
  readonly coordinates: readonly Coordinate[];
  /**
   * Where x, y and z occur alone and without a factor; −1 if a variable does not occur. Each variable of a position is
   * alone in one of its coordinates: `x,2x,z`, `1/8,y,-y+1/4`.
   */
  readonly alone: Vec3;
}

const positionsOf = new Map<number, readonly WyckoffPosition[]>();

export function tabulatedPositions(hallNumber: number): readonly WyckoffPosition[] {
  const known = positionsOf.get(hallNumber);
  if (known) return known;
  const positions = moyoWyckoffPositions(hallNumber).map(({ letter, multiplicity, coordinates: printed }) => {
    const coordinates = printed.split(',').map(parseCoordinate);
    const alone = (variable: number): number =>
      coordinates.findIndex(
        ({ factors }) =>
          Math.abs(factors[variable]) === 1 &&
          factors.every((factor, axis) => axis === variable || factor === 0),
      );
    return { letter, multiplicity, coordinates, alone: [alone(0), alone(1), alone(2)] as const };
  });
  positionsOf.set(hallNumber, positions);
  return positions;
}

function parseCoordinate(text: string): Coordinate {
  const factors: [number, number, number] = [0, 0, 0];
  let constant = 0;
  for (const [, sign, digits, variable] of text.matchAll(/([+-]?)(\d+(?:\/\d+)?)?([xyz]?)/g)) {
    if (!digits && !variable) continue;
    const [numerator, denominator = 1] = (digits ?? '1').split('/').map(Number);
    const value = ((sign === '-' ? -1 : 1) * numerator) / denominator;
    if (variable) factors['xyz'.indexOf(variable)] += value;
    else constant += value;
  }
  return { factors, constant };
}

const fromWhole = (value: number): number => Math.abs(value - Math.round(value));

/** Whether a site has the printed coordinates for some x, y and z, modulo lattice translations. */
function isAt({ coordinates, alone }: WyckoffPosition, site: Vec3): boolean {
  const free = (variable: number): number => {
    const axis = alone[variable];
    if (axis < 0) return 0;
    return (site[axis] - coordinates[axis].constant) * coordinates[axis].factors[variable];
  };
  const [x, y, z] = [free(0), free(1), free(2)];
  return coordinates.every(({ factors: [p, q, r], constant }, axis) => {
    const value = p * x + q * y + r * z + constant;
    return fromWhole(value - site[axis]) < POSITION_TOLERANCE;
  });
}

/**
 * The Wyckoff letter of an orbit: the letter of the position in International Tables A whose printed
 * coordinates match a site of the orbit. The tables are moyo's.
 * @param sites all sites of the orbit in the conventional cell, fractional coordinates
 * @throws SymmetryError `analysis-failed` when no position of the setting has these coordinates
 */
export function wyckoffLetter(hallNumber: number, sites: readonly Vec3[]): string {
  const found = tabulatedPositions(hallNumber).find(
    (position) => position.multiplicity === sites.length && sites.some((site) => isAt(position, site)),
  );
  if (!found)
    throw new SymmetryError(
      'analysis-failed',
      `${sites.length} sites such as ${sites[0].join(', ')} are on no Wyckoff position of Hall number ${hallNumber}`,
    );
  return found.letter;
}

export interface ConventionalCell {
  readonly structure: Structure;
  /** All operations of the Hall symbol, centring translations included. */
  readonly operations: readonly SymmetryOperation[];
  /** Wyckoff letter of each site. */
  readonly wyckoffs: readonly string[];
}

/** Position of the conventional cell in the frame of the analysed structure. */
interface CellInPlace {
  /** Rows a, b, c (Å) before idealising and rotating. */
  readonly latticeVectors: Mat3;
  /** Å, the largest distance between an atom and its position in the idealised cell, excluding strain. */
  readonly displacement: number;
}

/**
 * Å. The sites are on their special positions up to rounding; even half the smallest interatomic distance would
 * suffice.
 */
const SITE_TOLERANCE = 0.01;

/** Å. No two atoms are this close, so a site within this distance is the nearest. */
const SURELY_NEAREST = 0.2;

/** @param analysed the right-handed structure of `dataset` */
export function conventionalCell(
  analysed: Structure,
  dataset: SymmetryDataset,
): { readonly conventional: ConventionalCell; readonly inPlace: CellInPlace } {
  const { spaceGroup, standardizedCell, latticeType, conventionalOrigin } = dataset;
  const { transform, shift } = toTabulatedSetting(dataset);
  const axes = multiply3(transform, dataset.conventionalVectors);
  const latticeVectors = latticeVectorsFromParameters(idealised(latticeType, latticeParameters(axes)));
  const structure = changeCell(standardizedCell, { transform, latticeVectors, shift });
  const operations = operationsFromHallSymbol(spaceGroup.hallSymbol);
  const wyckoffs: string[] = [];
  for (const { members } of asymmetricUnit(structure, operations, SITE_TOLERANCE)) {
    const letter = wyckoffLetter(
      spaceGroup.hallNumber,
      members.map((member) => structure.sites[member].fractionalCoords),
    );
    for (const member of members) wyckoffs[member] = letter;
  }
  const toConventional = inverse3(axes);
  const placed = analysed.sites.map(({ fractionalCoords }): Vec3 => {
    const cartesian = rowTimesMatrix3(fractionalCoords, analysed.latticeVectors);
    const [x, y, z] = rowTimesMatrix3(subtract3(cartesian, conventionalOrigin), toConventional);
    return [x + shift[0], y + shift[1], z + shift[2]];
  });
  const [p, q, r] = reciprocalLattice(structure.latticeVectors).map(norm3);
  const spacings: Vec3 = [1 / p, 1 / q, 1 / r];
  return {
    conventional: { structure, operations, wyckoffs },
    inPlace: {
      latticeVectors: axes,
      displacement: placed.reduce(
        (most, site) => Math.max(most, distanceToSite(site, structure, spacings)),
        0,
      ),
    },
  };
}

/** @param spacings distances between the lattice planes of each axis, Å; they give a lower bound on the distance */
function distanceToSite(position: Vec3, { latticeVectors, sites }: Structure, spacings: Vec3): number {
  const [x, y, z] = position;
  let nearest = Number.POSITIVE_INFINITY;
  for (const { fractionalCoords } of sites) {
    const u = x - fractionalCoords[0];
    const v = y - fractionalCoords[1];
    const w = z - fractionalCoords[2];
    if (fromWhole(u) * spacings[0] > nearest || fromWhole(v) * spacings[1] > nearest) continue;
    if (fromWhole(w) * spacings[2] > nearest) continue;
    nearest = Math.min(nearest, wrappedDistance([u, v, w], latticeVectors));
    if (nearest < SURELY_NEAREST) break;
  }
  return nearest;
}

/** Replaces lengths and angles by the exact values that the lattice system requires. */
function idealised(
  latticeType: SymmetryDataset['latticeType'],
  { a, b, c, alpha, beta, gamma }: LatticeParameters,
): LatticeParameters {
  const right = { alpha: 90, beta: 90, gamma: 90 };
  switch (latticeType) {
    case 'cubic': {
      const edge = (a + b + c) / 3;
      return { a: edge, b: edge, c: edge, ...right };
    }
    case 'tetragonal':
      return { a: (a + b) / 2, b: (a + b) / 2, c, ...right };
    case 'hexagonal':
    case 'rhombohedral':
      return { a: (a + b) / 2, b: (a + b) / 2, c, ...right, gamma: 120 };
    case 'orthorhombic':
      return { a, b, c, ...right };
    case 'monoclinic':
      return { a, b, c, ...right, beta };
    default:
      return { a, b, c, alpha, beta, gamma };
  }
}

/** Rows of a primitive cell in units of the conventional one, by the letter of its centring. */
const PRIMITIVE_ROWS: Readonly<Record<string, Mat3>> = {
  A: [
    [1, 0, 0],
    [0, 0.5, 0.5],
    [0, -0.5, 0.5],
  ],
  C: [
    [0.5, -0.5, 0],
    [0.5, 0.5, 0],
    [0, 0, 1],
  ],
  I: [
    [-0.5, 0.5, 0.5],
    [0.5, -0.5, 0.5],
    [0.5, 0.5, -0.5],
  ],
  F: [
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ],
  R: [
    [2 / 3, 1 / 3, 1 / 3],
    [-1 / 3, 1 / 3, 1 / 3],
    [-1 / 3, -2 / 3, 1 / 3],
  ],
};

/** The primitive cell of a conventional cell, in the same frame. */
export function primitiveCell({ spaceGroup }: SymmetryDataset, conventional: Structure): Structure {
  const transform = PRIMITIVE_ROWS[spaceGroup.symbol[0]];
  if (!transform) return conventional;
  const latticeVectors = multiply3(transform, conventional.latticeVectors);
  return withoutImages(changeCell(conventional, { transform, latticeVectors }));
}
