/**
 * The cells that a catalogue stores for a crystal: the given cell, which energies, forces and tensors refer to, and the
 * idealised primitive and conventional cells, with the rotation between the frames.
 *
 * In the idealised cells sites are exactly on their special positions, and equal lengths and right angles are exact.
 * The conventional cell has the setting of International Tables A, see tabulated-setting.ts, with a along x and b in
 * the xy plane. The primitive cell is derived from it in the same frame. Lengths in Å.
 */
import {
  type CrystalSystem,
  findPrimitiveCell,
  rightHanded,
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
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import { type ConventionalCell, conventionalCell, primitiveCell } from './conventional-cell.ts';
import { polarRotation } from './polar-rotation.ts';
import { type SpaceGroup, type SymmetryDataset, wrappedDistance } from './symmetry-dataset.ts';
import { SymmetryError } from './symmetry-error.ts';

/**
 * Å. Copies of an atom in files with five decimals agree within this; atoms that differ by more are distinct.
 */
export const FOLD_TOLERANCE = 1e-3;

export interface GivenCell {
  /** The original structure if it is already primitive, or if its copies differ by more than the tolerance. */
  readonly structure: Structure;
  /** Number of primitive cells in the given cell: 1 when nothing was folded. */
  readonly fold: number;
  /** Å, the largest distance between an atom and its representative copy; 0 when nothing was folded. */
  readonly largestMismatch: number;
}

/**
 * Folds a structure to its primitive cell in its own frame. The first of each set of copies is kept unchanged:
 * no atom moves and no axis rotates, so tensors, energies and forces stay valid.
 */
function foldGivenCell(structure: Structure): GivenCell {
  const kept: GivenCell = { structure, fold: 1, largestMismatch: 0 };
  const { latticeVectors, sites } = findPrimitiveCell(structure, FOLD_TOLERANCE);
  if (sites.length === structure.sites.length) return kept;
  const toSmall = inverse3(latticeVectors);
  const inSmall = (index: number): Vec3 => {
    const cartesian = rowTimesMatrix3(structure.sites[index].fractionalCoords, structure.latticeVectors);
    return rowTimesMatrix3(cartesian, toSmall);
  };
  let largestMismatch = 0;
  const folded = sites.map(({ sources }) => {
    const first = Math.min(...sources);
    const position = inSmall(first);
    for (const source of sources) {
      const distance = wrappedDistance(subtract3(inSmall(source), position), latticeVectors);
      largestMismatch = Math.max(largestMismatch, distance);
    }
    const [x, y, z] = position;
    const fractionalCoords: Vec3 = [x - Math.floor(x), y - Math.floor(y), z - Math.floor(z)];
    return { first, site: { ...structure.sites[first], fractionalCoords } };
  });
  // Averaging over several steps can separate copies by more than each single step allows.
  if (largestMismatch > FOLD_TOLERANCE) return kept;
  return {
    structure: {
      latticeVectors,
      sites: folded.toSorted((p, q) => p.first - q.first).map(({ site }) => site),
    },
    fold: structure.sites.length / sites.length,
    largestMismatch,
  };
}

/** Multiples of the tolerance, tried in this order if the requested one gives no group. */
const NEAR_TOLERANCES = [1.25, 0.8, 0.6, 1.6, 0.5, 0.4, 0.3, 0.2, 0.1, 2, 3] as const;

/** The used tolerance equals the requested one if their relative difference is below this. */
const SAME_TOLERANCE = 1e-6;

/**
 * The dataset of a structure at `tolerance` (Å), or at the nearest tolerance at which the operations form a group.
 * Nearby tolerances are tried first, because moyo would often lower the tolerance so far that most of the symmetry is
 * lost.
 */
export function analyzeNear(structure: Structure, tolerance: number): SymmetryDataset {
  let best: SymmetryDataset | undefined;
  let refusal: unknown;
  for (const factor of [1, ...NEAR_TOLERANCES]) {
    const symprec = tolerance * factor;
    try {
      const found = analyzeSymmetry(structure, { symprec });
      if (found.symprec >= symprec * (1 - SAME_TOLERANCE)) return found;
      if (!best || found.symprec > best.symprec) best = found;
    } catch (error) {
      if (!(error instanceof SymmetryError && DEPENDS_ON_TOLERANCE.has(error.code))) throw error;
      refusal ??= error;
    }
  }
  if (!best) throw refusal;
  return best;
}

const DEPENDS_ON_TOLERANCE = new Set(['overlapping-sites', 'analysis-failed']);

/** Å. Resolves relevant distortions, but ignores the rounding of files. */
export const TIGHT_TOLERANCE = 0.01;
/** Å. Computed cells have noise of this size; the Materials Project reports its groups at the same value. */
export const LOOSE_TOLERANCE = 0.1;

export interface CatalogueCellsOptions {
  /** The tolerance that determines the symmetry of the idealised cells; default `loose`. */
  readonly idealisedAt?: 'tight' | 'loose';
}

/** The symmetry found at one tolerance. */
export interface StatedSymmetry {
  readonly spaceGroup: SpaceGroup;
  /** Hermann–Mauguin symbol of the point group: `m-3m`. */
  readonly pointGroup: string;
  readonly crystalSystem: CrystalSystem;
  readonly latticeType: SymmetryDataset['latticeType'];
  /** Å, the requested tolerance. */
  readonly tolerance: number;
  /** Å, the used tolerance: the nearest to `tolerance` at which the operations form a group. */
  readonly symprec: number;
}

export interface CatalogueCells {
  /** The given structure, folded to its primitive cell without moving an atom or rotating an axis. */
  readonly given: GivenCell;
  /** Rotations W of the space group in the basis of `given.structure`; used by `powderPattern`. */
  readonly givenRotations: readonly Mat3[];
  /** Idealised cell in the frame of `conventional`. */
  readonly primitive: Structure;
  readonly conventional: ConventionalCell;
  /** The group at `TIGHT_TOLERANCE` and at `LOOSE_TOLERANCE`. */
  readonly symmetry: { readonly tight: StatedSymmetry; readonly loose: StatedSymmetry };
  /** The symmetry (at the loose or the tight tolerance) that the idealised cells have. */
  readonly idealised: StatedSymmetry;
  /**
   * Rotates Cartesian vectors from the given frame into the frame of the idealised cells: v′ = R·v with v a column; the
   * rows of R are the new axes in terms of the old. It is orthogonal up to rounding, with determinant 1.
   */
  readonly rotation: Mat3;
  /** Largest relative change of length along any direction due to idealising the cell. */
  readonly strain: number;
  /**
   * Å, the largest distance between an atom of `given` and its position in the idealised cells, excluding
   * strain.
   */
  readonly displacement: number;
}

/**
 * The cells of a crystal as a catalogue stores them.
 * @throws SymmetryError as `analyzeSymmetry`
 * @example catalogueCells(galliumOxide).conventional // C2/m: a 12.21, b 3.04, c 5.80, β 103.8
 */
export function catalogueCells(structure: Structure, options: CatalogueCellsOptions = {}): CatalogueCells {
  const given = foldGivenCell(structure);
  // On left-handed axes the search would analyse the mirror image.
  const analysed = rightHanded(given.structure);
  const loose = idealisedCells(analysed, analyzeNear(analysed, LOOSE_TOLERANCE));
  const isOne = holdsTightly(loose, analysed);
  const tightDataset = isOne
    ? { ...loose.dataset, symprec: TIGHT_TOLERANCE }
    : analyzeNear(analysed, TIGHT_TOLERANCE);
  const symmetry = {
    tight: stated(tightDataset, TIGHT_TOLERANCE),
    loose: stated(loose.dataset, LOOSE_TOLERANCE),
  };
  const chosen = options.idealisedAt ?? 'loose';
  const { dataset, ...cells } = chosen === 'loose' || isOne ? loose : idealisedCells(analysed, tightDataset);
  return {
    given,
    givenRotations: distinctRotations(dataset.operations),
    symmetry,
    idealised: symmetry[chosen],
    ...cells,
  };
}

/** The point group as Cartesian matrices in the frame of the idealised cells. */
export function pointRotations({ conventional: { structure, operations } }: CatalogueCells): readonly Mat3[] {
  const columns = transpose3(structure.latticeVectors);
  const inverse = inverse3(columns);
  return distinctRotations(operations).map((rotation) => multiply3(multiply3(columns, rotation), inverse));
}

type IdealisedCells = Pick<
  CatalogueCells,
  'conventional' | 'primitive' | 'rotation' | 'strain' | 'displacement'
> & { readonly dataset: SymmetryDataset };

function idealisedCells(analysed: Structure, dataset: SymmetryDataset): IdealisedCells {
  const { conventional, inPlace } = conventionalCell(analysed, dataset);
  const map = transpose3(multiply3(inverse3(inPlace.latticeVectors), conventional.structure.latticeVectors));
  return {
    dataset,
    conventional,
    primitive: primitiveCell(dataset, conventional.structure),
    ...polarRotation(map),
    displacement: inPlace.displacement,
  };
}

/**
 * Whether the operations of these cells also hold at the tight tolerance, so that the tight search can be
 * skipped. An atom deviates from its image by at most twice its displacement, plus the strain of the cell.
 */
function holdsTightly({ displacement, strain }: IdealisedCells, { latticeVectors }: Structure): boolean {
  return 2 * (displacement + strain * Math.max(...latticeVectors.map(norm3))) < TIGHT_TOLERANCE / 2;
}

const stated = (
  { spaceGroup, pointGroup, crystalSystem, latticeType, symprec }: SymmetryDataset,
  tolerance: number,
): StatedSymmetry => ({
  spaceGroup,
  pointGroup,
  crystalSystem,
  latticeType,
  tolerance,
  symprec,
});

function distinctRotations(operations: readonly SymmetryOperation[]): Mat3[] {
  return [...new Map(operations.map(({ rotation }) => [rotation.join(), rotation])).values()];
}
