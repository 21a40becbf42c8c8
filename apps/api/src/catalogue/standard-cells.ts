/** What is stored of the symmetry and the cells of a crystal, as imports and `unitcell rebuild cells` make it. Pure. */
import { cellVolume, type CompactCell, toCompactCell } from '@unitcell/crystal';
import { figure, type Scalars, type StatedGroup } from '@unitcell/material';
import type { Mat3 } from '@unitcell/numerics';
import type { CatalogueCells, StatedSymmetry } from '@unitcell/symmetry';

/** Columns of `material` that follow from the cells. */
export type CellScalars = Pick<
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
  /** From the frame of `given` to that of the other two cells. */
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
