/**
 * Space group, Wyckoff letters and standard cells of a structure.
 *
 * moyo does the search (see moyo.ts); settings and origins are those of spglib. Lengths in Å. `symprec` is the distance
 * by which an atom may deviate from its symmetric position. The dataset states the value that was used, because moyo
 * lowers it when the operations found at the given value do not form a group.
 */
import {
  cellVolume,
  type CrystalSystem,
  findPrimitiveCell,
  numberSpecies,
  reduceLll,
  type SpeciesNumbers,
  type Structure,
  type SymmetryOperation,
} from '@unitcell/crystal';
import { type Mat3, multiply3, norm3, rowTimesMatrix3, subtract3, type Vec3 } from '@unitcell/numerics';
import { isSearchable } from './lattice-rotations.ts';
import { liftToSupercell } from './lift-to-supercell.ts';
import { type MoyoCell, type MoyoDataset, moyoDataset, moyoHallSymbol, moyoSpaceGroupType } from './moyo.ts';
import { type LetterChange, letterChanges } from './normaliser-letters.ts';
import { type SymmetryDataset, wrappedDistance } from './symmetry-dataset.ts';
import { SymmetryError } from './symmetry-error.ts';

/** Key of the species of a site and their shares. Sites with equal keys are equivalent. */
const contentOf = ({ species }: Structure['sites'][number]): string =>
  species
    .map(({ element, occupancy }) => `${element}${occupancy.toFixed(3)}`)
    .toSorted()
    .join();

/**
 * Key that crystals of one prototype share: the space group and which of its Wyckoff positions are occupied,
 * regardless of the elements. `225:a4 b4` for rock salt: the number of the space group, then for each kind of
 * atom the letters of its sites in the conventional cell with their counts. The kinds are sorted without regard
 * to elements, so NaCl and MgO have the same key. Other choices of origin and axes (the normaliser of the
 * group) give other letters; the alphabetically first choice is used. So SrTiO3 with titanium at the origin and
 * BaTiO3 with barium at the origin have the same key. Crystals with equal keys are isopointal; those that also
 * have similar arrangements are isotypic.
 * @param wyckoffs letter per site of the conventional cell
 */
export function prototypeKey(
  { sites }: Pick<Structure, 'sites'>,
  wyckoffs: readonly string[],
  spaceGroupNumber: number,
): string {
  const kinds = new Map<string, Map<string, number>>();
  sites.forEach((site, index) => {
    const kind = contentOf(site);
    const letters = kinds.get(kind) ?? new Map<string, number>();
    const letter = wyckoffs[index] ?? '?';
    kinds.set(kind, letters.set(letter, (letters.get(letter) ?? 0) + 1));
  });
  const keys = distinctChanges(spaceGroupNumber, new Set(wyckoffs)).map((change) =>
    Array.from(kinds.values(), (letters) =>
      Array.from(letters, ([letter, count]) => `${change.get(letter) ?? letter}${count}`)
        .toSorted()
        .join(','),
    )
      .toSorted()
      .join(' '),
  );
  return `${spaceGroupNumber}:${keys.reduce((least, key) => (key < least ? key : least))}`;
}

/**
 * The letter permutations without those that have the same effect on the given letters. P-1 has 1,344 permutations;
 * none of them changes the letter of the general position.
 */
function distinctChanges(spaceGroupNumber: number, letters: ReadonlySet<string>): readonly LetterChange[] {
  const all = letterChanges(spaceGroupNumber);
  const moved = [...letters].filter((letter) => all.some((change) => change.get(letter) !== letter));
  if (moved.length === 0) return all.slice(0, 1);
  const byEffect = new Map<string, LetterChange>();
  for (const change of all) {
    let effect = '';
    for (const letter of moved) effect += change.get(letter);
    byEffect.set(effect, change);
  }
  return [...byEffect.values()];
}

/** Å. Looser than coordinates rounded to four decimals, tighter than relevant distortions. */
export const DEFAULT_SYMPREC = 0.01;

/**
 * The search time grows faster than the square of the number of sites: it takes seconds for about this many sites,
 * minutes for more.
 */
export const MAX_SITES = 1000;

/**
 * For structures with at least this many sites, the primitive cell is found first: the operations of a
 * supercell slow moyo down (12 s for 512 sites of rock salt), while a search for a smaller cell takes a
 * millisecond.
 */
export const SUPERCELL_SITES = 48;

/**
 * Å³ per site. Real crystals have at least about 5 Å³ per atom; below this limit the cell is wrong or flat.
 */
export const MIN_VOLUME_PER_SITE = 1e-2;

/**
 * Å. Atoms of one kind never repeat closer than the 0.74 Å of a hydrogen molecule. Shorter periods, and cells
 * millions of times longer than wide, make the engine search forever.
 */
export const MIN_PERIOD = 0.3;

/** Å, a thousand bond lengths: in longer cells `symprec` is lost to rounding. */
export const MAX_PERIOD = 1000;

/** Larger fractional coordinates have lost the digits that give the position in the cell. */
export const MAX_COORDINATE = 1e6;

export interface SymmetryOptions {
  /** Å; `DEFAULT_SYMPREC` when absent. */
  readonly symprec?: number;
}

/**
 * Finds the space group of a structure and everything derived from it. Sites with the same mixture of species
 * count as equal, so disordered structures are analysed as averaged ones.
 * @throws SymmetryError for an empty, non-finite, flat or too large cell, or when no group is found at
 * `symprec`.
 * @example analyzeSymmetry(rockSalt).spaceGroup.symbol // 'Fm-3m'
 */
export function analyzeSymmetry(structure: Structure, options: SymmetryOptions = {}): SymmetryDataset {
  const symprec = options.symprec ?? DEFAULT_SYMPREC;
  assertAnalysable(structure, symprec);
  if (structure.sites.length >= SUPERCELL_SITES) {
    const primitive = findPrimitiveCell(structure, symprec);
    if (primitive.sites.length < structure.sites.length) {
      const small: Structure = {
        latticeVectors: primitive.latticeVectors,
        sites: primitive.sites.map(({ sources, fractionalCoords }) => ({
          species: structure.sites[sources[0]].species,
          fractionalCoords,
        })),
      };
      return liftToSupercell(analyzeCell(small, symprec), primitive, structure);
    }
  }
  return analyzeCell(structure, symprec);
}

/**
 * If `symprec` is at least this share of the shortest period, the search must also terminate for the
 * primitive cell.
 */
const LONG_CELL = 0.5;

/** Factor by which the engine raises the tolerance when it finds too few operations. */
const RAISED = 2;

/**
 * `symprec`, or the largest half, quarter … of it at which the search terminates. The engine itself lowers the
 * tolerance if its operations form no group, but not if the search does not terminate: then it never returns.
 */
function searchableSymprec(structure: Structure, symprec: number): number {
  const lengths = reduceLll(structure.latticeVectors).map(norm3);
  const isLong = symprec * Math.max(...lengths) > LONG_CELL * Math.min(...lengths) ** 2;
  const lattices = [
    structure.latticeVectors,
    ...(isLong && structure.sites.length > 1 ? [findPrimitiveCell(structure, symprec).latticeVectors] : []),
  ];
  let tried = symprec;
  // Operations found within a tolerance are also found within a larger one, so checking the larger one is
  // enough.
  while (!lattices.every((rows) => isSearchable(rows, RAISED * tried))) tried /= 2;
  return tried;
}

function analyzeCell(structure: Structure, symprec: number): SymmetryDataset {
  const species = numberSpecies(structure);
  const found = search(structure, toMoyoCell(structure, species), searchableSymprec(structure, symprec));
  const type = moyoSpaceGroupType(found.number);
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
    wyckoffs: found.wyckoffs,
    operations: found.operations.map(toOperation),
    standardizedCell: fromMoyoCell(found.std_cell, species),
    primitiveCell: fromMoyoCell(found.prim_std_cell, species),
    conventionalVectors: multiply3(rowsOf(found.std_linear), structure.latticeVectors),
    conventionalOrigin: rowTimesMatrix3(copied(found.std_origin_shift), structure.latticeVectors),
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
    if (site.fractionalCoords.some((value) => Math.abs(value) > MAX_COORDINATE))
      throw new SymmetryError(
        'not-finite',
        `site ${index + 1} has coordinates ${site.fractionalCoords.join(', ')}: expected values near 0 to 1`,
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
  const shortest = Math.min(...reduceLll(structure.latticeVectors).map(norm3));
  const longest = Math.max(...structure.latticeVectors.map(norm3));
  if (!(shortest >= MIN_PERIOD && longest <= MAX_PERIOD))
    throw new SymmetryError(
      'flat-cell',
      `the cell has periods from ${shortest} to ${longest} Å: expected ${MIN_PERIOD} to ${MAX_PERIOD} Å`,
    );
}

/** Runs the search. If it fails, the error names the most common cause. */
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
    positions: structure.sites.map(({ fractionalCoords: [x, y, z] }) => [
      intoCell(x),
      intoCell(y),
      intoCell(z),
    ]),
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

/** Nine numbers as three rows. moyo's matrices are column-major, so their columns become the rows. */
const rowsOf = (m: MoyoCell['lattice']['basis']): Mat3 => [
  [m[0], m[1], m[2]],
  [m[3], m[4], m[5]],
  [m[6], m[7], m[8]],
];

/**
 * Copies a vector, because V8 treats the engine's arrays as sparse, and 3×3 algebra that has received such an
 * array runs at half speed for all later calls.
 */
const copied = ([x, y, z]: Vec3): Vec3 => [x, y, z];

/** moyo's rotations are column-major. */
const toOperation = ({ rotation: m, translation }: MoyoDataset['operations'][number]): SymmetryOperation => ({
  rotation: [
    [m[0], m[3], m[6]],
    [m[1], m[4], m[7]],
    [m[2], m[5], m[8]],
  ],
  translation: [translation[0], translation[1], translation[2]],
});

/** The coordinate modulo 1; rounding noise just below 0 or 1 becomes 0. */
function intoCell(x: number): number {
  const wrapped = x - Math.floor(x);
  return wrapped > 1 - COORDINATE_NOISE || wrapped < COORDINATE_NOISE ? 0 : wrapped;
}

/** Rounding noise of coordinates that symmetry fixes at zero. */
const COORDINATE_NOISE = 1e-12;
