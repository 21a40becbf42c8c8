/** What is stored of how the atoms of a material stand. Pure; runs in worker threads. */
import {
  ARRANGEMENT_LENGTH,
  arrangementOf,
  type CompactCell,
  fromCompactCell,
  landmarkDistances,
} from '@unitcell/crystal';
import { prototypeKey } from '@unitcell/symmetry';

/** Columns of `structure_arrangement`. */
export interface StoredArrangement {
  readonly prototype: string;
  readonly vector: Uint8Array;
  readonly landmarks: readonly [close: number, diamond: number, salt: number];
}

export interface CellToArrange {
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
