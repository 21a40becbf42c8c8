/** Stored patterns from stored cells. Pure; runs in worker threads. */
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { packedPatternOf } from '@unitcell/diffraction';

/** One pattern per cell, as an import makes them. */
export const packCells = (cells: readonly CompactCell[]): Uint8Array[] =>
  cells.map((cell) => packedPatternOf(fromCompactCell(cell)));
