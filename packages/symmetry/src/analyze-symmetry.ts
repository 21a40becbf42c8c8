/**
 * Space group, site symmetry and standard cells of a structure.
 *
 * The search is moyo's (see moyo.ts); settings and origins are spglib's. Lengths in Å. `symprec` is the distance
 * by which an atom may miss the place where symmetry wants it; the dataset says which value gave the answer,
 * because moyo lowers it by itself when the operations found at the given value do not form a group.
 */
import { cellVolume, type Structure } from '@unitcell/crystal';
import { type Mat3, multiply3, norm3, rowTimesMatrix3, subtract3, type Vec3 } from '@unitcell/numerics';
import { type MoyoCell, type MoyoDataset, moyoDataset, moyoHallSymbol, moyoSpaceGroupType } from './moyo.ts';
import { numberSpecies, type SpeciesNumbers } from './species-numbers.ts';
import { SymmetryError } from './symmetry-error.ts';

/** Å. Looser than coordinates rounded to four decimals, tighter than the distortions worth telling apart. */
export const DEFAULT_SYMPREC = 0.01;

/** The search grows faster than the square of the site count: about this many sites is seconds, more is minutes. */
export const MAX_SITES = 1000;

/** Å³ per site. No crystal is denser than about 5 Å³ per atom; below this the cell is a mistake or has no volume. */
export const MIN_VOLUME_PER_SITE = 1e-2;

/** Symmetry operation in fractional coordinates, as International Tables write it: x′ᵢ = Σⱼ Wᵢⱼ xⱼ + wᵢ. */
export interface SymmetryOperation {
  /** Rows of W, integers with determinant ±1. */
  readonly rotation: Mat3;
  readonly translation: Vec3;
}

export interface SpaceGroup {
  /** 1 to 230. */
  readonly number: number;
  /** Short Hermann–Mauguin symbol without spaces: `Fm-3m`, `P6_3/mmc`. */
  readonly symbol: string;
  /** 1 to 530: which setting and origin. */
  readonly hallNumber: number;
  readonly hallSymbol: string;
}

export type CrystalSystem =
  | 'triclinic'
  | 'monoclinic'
  | 'orthorhombic'
  | 'tetragonal'
  | 'trigonal'
  | 'hexagonal'
  | 'cubic';

export interface SymmetryDataset {
  readonly spaceGroup: SpaceGroup;
  /** Hermann–Mauguin symbol of the point group: `m-3m`. */
  readonly pointGroup: string;
  readonly crystalSystem: CrystalSystem;
  /** Lattice system: the crystal system, except that trigonal groups are `rhombohedral` or `hexagonal`. */
  readonly latticeType: Exclude<CrystalSystem, 'trigonal'> | 'rhombohedral';
  /** Bravais lattice: `cF`, `hR`, `mS` … */
  readonly bravais: string;
  /** Bravais lattice and number of atoms in the conventional cell: `cF8`. */
  readonly pearsonSymbol: string;
  /** Wyckoff letter of each site of the input. */
  readonly wyckoffs: readonly string[];
  /** Site symmetry symbol of each site of the input, oriented as in International Tables: `4/mm.m`. */
  readonly siteSymmetry: readonly string[];
  /**
   * For each site the first site that an operation of the input cell maps onto it. In a supercell that is less
   * symmetric than its crystal these classes are finer than `crystallographicOrbits`.
   */
  readonly equivalentAtoms: readonly number[];
  /** The sites grouped by `equivalentAtoms`. */
  readonly orbits: readonly (readonly number[])[];
  /** For each site the first site of its orbit under the whole space group of the crystal. */
  readonly crystallographicOrbits: readonly number[];
  /** Operations of the input cell, centring translations included. */
  readonly operations: readonly SymmetryOperation[];
  /** Conventional cell in spglib's standard setting, idealised, in its own orientation. */
  readonly standardizedCell: Structure;
  /** A primitive cell of `standardizedCell`. */
  readonly primitiveCell: Structure;
  /**
   * Rows a, b, c (Å) of the conventional cell in the orientation of the input, before it is idealised and turned:
   * the axes to refer tensors of the input to.
   */
  readonly conventionalVectors: Mat3;
  /** Å, the tolerance that gave this answer. */
  readonly symprec: number;
}

export interface SymmetryOptions {
  /** Å; `DEFAULT_SYMPREC` when absent. */
  readonly symprec?: number;
}

/**
 * Finds the space group of a structure and what follows from it.
 * Sites with the same mixture of species count as equal, so disordered structures are analysed as averaged ones.
 * @throws SymmetryError for an empty, non-finite, flat or too large cell, or when no group is found at `symprec`.
 * @example analyzeSymmetry(rockSalt).spaceGroup.symbol // 'Fm-3m'
 */
export function analyzeSymmetry(structure: Structure, options: SymmetryOptions = {}): SymmetryDataset {
  const symprec = options.symprec ?? DEFAULT_SYMPREC;
  assertAnalysable(structure, symprec);
  const species = numberSpecies(structure);
  const found = search(structure, toMoyoCell(structure, species), symprec);
  const type = moyoSpaceGroupType(found.number);
  const operations = found.operations.map(toOperation);
  const equivalentAtoms = findEquivalentAtoms(structure, found, type.geometric_crystal_class, operations);
  return {
    spaceGroup: {
      number: found.number,
      symbol: type.hm_short.replaceAll(' ', ''),
      hallNumber: found.hall_number,
      hallSymbol: moyoHallSymbol(found.hall_number).hall_symbol.replaceAll('=', '"'),
    },
    pointGroup: type.geometric_crystal_class,
    crystalSystem: type.crystal_system.toLowerCase() as CrystalSystem,
    latticeType: type.lattice_system.toLowerCase() as SymmetryDataset['latticeType'],
    bravais: type.bravais_class,
    pearsonSymbol: found.pearson_symbol,
    wyckoffs: found.wyckoffs,
    siteSymmetry: found.site_symmetry_symbols,
    equivalentAtoms,
    orbits: groupByRepresentative(equivalentAtoms),
    crystallographicOrbits: found.orbits,
    operations,
    standardizedCell: fromMoyoCell(found.std_cell, species),
    primitiveCell: fromMoyoCell(found.prim_std_cell, species),
    conventionalVectors: multiply3(rowsOf(found.std_linear), structure.latticeVectors),
    symprec: found.symprec,
  };
}

function assertAnalysable(structure: Structure, symprec: number): void {
  const count = structure.sites.length;
  if (count === 0)
    throw new SymmetryError('empty-structure', 'the structure has no sites: nothing to analyse');
  if (count > MAX_SITES)
    throw new SymmetryError(
      'too-many-sites',
      `the structure has ${count} sites: at most ${MAX_SITES} can be analysed; use a smaller cell`,
    );
  if (!(symprec > 0 && Number.isFinite(symprec)))
    throw new SymmetryError('not-finite', `symprec is ${symprec}: expected a positive number of Å`);
  if (!structure.latticeVectors.flat().every(Number.isFinite))
    throw new SymmetryError('not-finite', 'a lattice vector is not a finite number');
  structure.sites.forEach((site, index) => {
    if (!site.fractionalCoords.every(Number.isFinite))
      throw new SymmetryError(
        'not-finite',
        `site ${index + 1} has coordinates ${site.fractionalCoords.join(', ')}: expected finite numbers`,
      );
    if (site.species.length === 0)
      throw new SymmetryError('empty-structure', `site ${index + 1} carries no species`);
  });
  const volume = cellVolume(structure.latticeVectors);
  if (volume < count * MIN_VOLUME_PER_SITE)
    throw new SymmetryError(
      'flat-cell',
      `the cell has ${volume} Å³ for ${count} sites: expected a real cell`,
    );
}

/** The search, with the commonest cause of failure named. */
function search({ sites, latticeVectors }: Structure, cell: MoyoCell, symprec: number): MoyoDataset {
  try {
    return moyoDataset(cell, symprec);
  } catch (error) {
    for (let i = 0; i < sites.length; i++)
      for (let j = 0; j < i; j++) {
        const difference = subtract3(sites[i].fractionalCoords, sites[j].fractionalCoords);
        const distance = wrappedDistance(difference, latticeVectors);
        if (distance <= symprec)
          throw new SymmetryError(
            'overlapping-sites',
            `sites ${j + 1} and ${i + 1} are ${distance.toFixed(4)} Å apart, within symprec ${symprec} Å: remove one`,
          );
      }
    throw error;
  }
}

function toMoyoCell(structure: Structure, species: SpeciesNumbers): MoyoCell {
  const [a, b, c] = structure.latticeVectors;
  return {
    lattice: { basis: [...a, ...b, ...c] },
    positions: structure.sites.map(({ fractionalCoords: [x, y, z] }) => [x, y, z]),
    numbers: species.numbers,
  };
}

function fromMoyoCell(cell: MoyoCell, species: SpeciesNumbers): Structure {
  return {
    latticeVectors: rowsOf(cell.lattice.basis),
    sites: cell.positions.map(([x, y, z], index) => ({
      species: species.speciesOf[cell.numbers[index] - 1],
      fractionalCoords: [intoCell(x), intoCell(y), intoCell(z)],
    })),
  };
}

/** Nine numbers as three rows; for moyo's matrices of columns, its columns become the rows. */
const rowsOf = (m: MoyoCell['lattice']['basis']): Mat3 => [
  [m[0], m[1], m[2]],
  [m[3], m[4], m[5]],
  [m[6], m[7], m[8]],
];

/** moyo's rotations arrive column by column. */
const toOperation = ({ rotation: m, translation }: MoyoDataset['operations'][number]): SymmetryOperation => ({
  rotation: [
    [m[0], m[3], m[6]],
    [m[1], m[4], m[7]],
    [m[2], m[5], m[8]],
  ],
  translation: [translation[0], translation[1], translation[2]],
});

/** The coordinate modulo 1, with rounding noise just below 0 or 1 read as 0. */
function intoCell(x: number): number {
  const wrapped = x - Math.floor(x);
  return wrapped > 1 - COORDINATE_NOISE || wrapped < COORDINATE_NOISE ? 0 : wrapped;
}

/** Double-precision noise of coordinates that symmetry fixes at zero. */
const COORDINATE_NOISE = 1e-12;

/**
 * Classes of sites under the operations of the input cell. They are the crystallographic orbits unless the input
 * lattice lacks symmetry of the crystal, which shows in the number of operations; only then are the images
 * worked out.
 */
function findEquivalentAtoms(
  { sites, latticeVectors }: Structure,
  { orbits, prim_std_cell: primitive }: MoyoDataset,
  pointGroup: string,
  operations: readonly SymmetryOperation[],
): readonly number[] {
  const fullCount = (POINT_GROUP_ORDER[pointGroup] * sites.length) / primitive.numbers.length;
  if (operations.length === fullCount) return orbits;
  const representative = Array.from(orbits, () => -1);
  for (const orbit of groupByRepresentative(orbits)) {
    for (const site of orbit) {
      if (representative[site] >= 0) continue;
      for (const operation of operations) {
        const image = applyOperation(operation, sites[site].fractionalCoords);
        const distances = orbit.map((other) =>
          wrappedDistance(subtract3(image, sites[other].fractionalCoords), latticeVectors),
        );
        representative[orbit[distances.indexOf(Math.min(...distances))]] = site;
      }
    }
  }
  return representative;
}

// biome-ignore format: a table of the 32 point groups
const POINT_GROUP_ORDER: Readonly<Record<string, number>> = {
  '1': 1, '-1': 2, '2': 2, m: 2, '2/m': 4, '222': 4, mm2: 4, mmm: 8,
  '4': 4, '-4': 4, '4/m': 8, '422': 8, '4mm': 8, '-42m': 8, '4/mmm': 16,
  '3': 3, '-3': 6, '32': 6, '3m': 6, '-3m': 12,
  '6': 6, '-6': 6, '6/m': 12, '622': 12, '6mm': 12, '-6m2': 12, '6/mmm': 24,
  '23': 12, 'm-3': 24, '432': 24, '-43m': 24, 'm-3m': 48,
};

/** Length in Å of a fractional difference after rounding away whole cells: exact for near coincidences. */
function wrappedDistance(difference: Vec3, latticeVectors: Mat3): number {
  const [x, y, z] = difference;
  return norm3(rowTimesMatrix3([x - Math.round(x), y - Math.round(y), z - Math.round(z)], latticeVectors));
}

function groupByRepresentative(representatives: readonly number[]): number[][] {
  const groups = new Map<number, number[]>();
  representatives.forEach((first, site) => {
    const group = groups.get(first);
    if (group) group.push(site);
    else groups.set(first, [site]);
  });
  return [...groups.values()];
}

/** The image of a fractional position under an operation (not reduced to the cell). */
export function applyOperation({ rotation, translation }: SymmetryOperation, position: Vec3): Vec3 {
  const row = (i: 0 | 1 | 2): number =>
    rotation[i][0] * position[0] +
    rotation[i][1] * position[1] +
    rotation[i][2] * position[2] +
    translation[i];
  return [row(0), row(1), row(2)];
}
