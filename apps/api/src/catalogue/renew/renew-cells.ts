/** The cells of materials that were stored before the structure as given was kept. Pure; runs in worker threads. */
import { type CompactCell, fromCompactCell, toCompactCell } from '@unitcell/crystal';
import { catalogueCells, SymmetryError } from '@unitcell/symmetry';
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
