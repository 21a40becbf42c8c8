/** The cells of materials that were stored before the structure as given was kept. Pure; runs in worker threads. */
import {
  ARRANGEMENT_LENGTH,
  arrangementOf,
  type CompactCell,
  fromCompactCell,
  landmarkDistances,
  toCompactCell,
} from '@unitcell/crystal';
import { packedPatternOf } from '@unitcell/diffraction';
import { catalogueCells, prototypeKey, SymmetryError } from '@unitcell/symmetry';
import { cellScalars, type CellScalars, storedCells, type StoredCells } from '../standard-cells.ts';

export type RenewedCells = StoredCells & CellScalars;

/**
 * The cells an import makes of each primitive cell today; null where they would have other atoms, which energies and
 * tensors do not belong to. The axes a source gave its tensors in are not known any more: tensors are shown as they came,
 * and so the primitive cell of today stands for the one given, not turned.
 */
export const renewCells = (primitives: readonly CompactCell[]): (RenewedCells | null)[] =>
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

/** One pattern per cell, as an import makes them. */
export const packCells = (cells: readonly CompactCell[]): Uint8Array[] =>
  cells.map((cell) => packedPatternOf(fromCompactCell(cell)));

// ── What is stored of how the atoms of a material stand. Pure; runs in worker threads ──

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

/** Of a stored vector. */
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

/** The vector as it was before it was stored. */
export function readArrangement(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / BYTES }, (_, index) => bytes.readFloatLE(BYTES * index));
}
