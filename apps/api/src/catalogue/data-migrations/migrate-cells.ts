/**
 * Renews the cells of materials stored before the original structure was kept. Pure; runs in worker threads.
 */
import {
  ARRANGEMENT_LENGTH,
  arrangementOf,
  cellVolume,
  type CompactCell,
  fromCompactCell,
  landmarkDistances,
  toCompactCell,
} from '@unitcell/crystal';
import { packedPatternOf } from '@unitcell/diffraction';
import { figure, type Scalars, type StatedGroup } from '@unitcell/material';
import type { Mat3 } from '@unitcell/numerics';
import {
  type CatalogueCells,
  catalogueCells,
  prototypeKey,
  type StatedSymmetry,
  SymmetryError,
} from '@unitcell/symmetry';

// Symmetry and cells of a crystal as stored by imports and `unitcell rebuild cells`. Pure.

/** Columns of `material` that are computed from the cells. */
type CellScalars = Pick<
  Scalars,
  | 'nSites'
  | 'spaceGroupNumber'
  | 'spaceGroup'
  | 'hall'
  | 'pointGroup'
  | 'crystalSystem'
  | 'latticeType'
  | 'volume'
>;

/** Columns of `material_structure`. */
export interface StoredCells {
  readonly given: CompactCell;
  /** From the frame of `given` to the frame of the other two cells. */
  readonly rotation: Mat3;
  readonly primitive: CompactCell;
  readonly conventional: CompactCell;
  /** Wyckoff letter per site of the conventional cell. */
  readonly wyckoffs: readonly string[];
  /** Å */
  readonly symprec: number;
  readonly stated: readonly StatedGroup[];
}

export const cellScalars = ({ idealised, primitive }: CatalogueCells): CellScalars => ({
  nSites: primitive.sites.length,
  spaceGroupNumber: idealised.spaceGroup.number,
  spaceGroup: idealised.spaceGroup.symbol,
  hall: idealised.spaceGroup.hallSymbol,
  pointGroup: idealised.pointGroup,
  crystalSystem: idealised.crystalSystem,
  latticeType: idealised.latticeType,
  volume: figure(cellVolume(primitive.latticeVectors), 'Å³'),
});

export const storedCells = (cells: CatalogueCells): StoredCells => ({
  given: toCompactCell(cells.given.structure),
  rotation: cells.rotation,
  primitive: toCompactCell(cells.primitive),
  conventional: toCompactCell(cells.conventional.structure),
  wyckoffs: cells.conventional.wyckoffs,
  symprec: cells.idealised.symprec,
  stated: [cells.symmetry.tight, cells.symmetry.loose].map(toStatedGroup),
});

const toStatedGroup = ({ spaceGroup, ...stated }: StatedSymmetry): StatedGroup => ({
  tolerance: stated.tolerance,
  symprec: stated.symprec,
  spaceGroup: spaceGroup.symbol,
  spaceGroupNumber: spaceGroup.number,
  hall: spaceGroup.hallSymbol,
  pointGroup: stated.pointGroup,
  crystalSystem: stated.crystalSystem,
  latticeType: stated.latticeType,
});

export type MigratedCells = StoredCells & CellScalars;

/**
 * The cells that an import would make of each primitive cell; null if the new primitive cell has another
 * number of atoms, because the stored energies and tensors would no longer fit it. The axes in which the
 * source gave its tensors are unknown. Tensors therefore stay unchanged, and the unrotated primitive cell
 * replaces the original one.
 */
export const migrateCells = (primitives: readonly CompactCell[]): (MigratedCells | null)[] =>
  primitives.map((primitive) => {
    try {
      const cells = catalogueCells(fromCompactCell(primitive));
      if (cells.primitive.sites.length !== primitive.species.length) return null;
      return {
        ...cellScalars(cells),
        ...storedCells(cells),
        given: toCompactCell(cells.primitive),
        rotation: [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      };
    } catch (error) {
      if (error instanceof SymmetryError) return null;
      throw error;
    }
  });

// ── Stored patterns from stored cells. Pure; runs in worker threads ──

/** One pattern per cell, equal to that made by an import. */
export const packCells = (cells: readonly CompactCell[]): Uint8Array[] =>
  cells.map((cell) => packedPatternOf(fromCompactCell(cell)));

// ── Stored arrangements of atoms. Pure; runs in worker threads ──

/** Columns of `structure_arrangement`. */
export interface StoredArrangement {
  readonly prototype: string;
  readonly vector: Uint8Array;
  readonly landmarks: readonly [close: number, diamond: number, salt: number];
}

interface CellToArrange {
  readonly primitive: CompactCell;
  readonly conventional: CompactCell;
  /** Per site of the conventional cell. */
  readonly wyckoffs: readonly string[];
  readonly spaceGroupNumber: number;
}

const BYTES = 4;

/** Bytes of a stored vector. */
export const ARRANGEMENT_BYTES = BYTES * ARRANGEMENT_LENGTH;

export function arrangeCell(cell: CellToArrange): StoredArrangement {
  const arrangement = arrangementOf(fromCompactCell(cell.primitive));
  const bytes = Buffer.alloc(ARRANGEMENT_BYTES);
  arrangement.forEach((value, index) => bytes.writeFloatLE(value, BYTES * index));
  return {
    prototype: prototypeKey(fromCompactCell(cell.conventional), cell.wyckoffs, cell.spaceGroupNumber),
    vector: bytes,
    landmarks: landmarkDistances(arrangement),
  };
}

export const arrangeCells = (cells: readonly CellToArrange[]): StoredArrangement[] => cells.map(arrangeCell);

/** Decodes a stored vector. */
export function readArrangement(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / BYTES }, (_, index) => bytes.readFloatLE(BYTES * index));
}
