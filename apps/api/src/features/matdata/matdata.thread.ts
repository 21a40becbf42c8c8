/** Worker thread: Brillouin zones of stored cells. */
import type { BrillouinZoneData } from '@unitcell/contract/matdata';
import { type CompactCell, fromCompactCell } from '@unitcell/crystal';
import { norm3 } from '@unitcell/numerics';
import { brillouinZone, kPath } from '@unitcell/symmetry';

export interface ZoneRequest {
  readonly cell: CompactCell;
  /** Å */
  readonly symprec: number;
}

/** @throws SymmetryError when the cell cannot be analysed */
export function materialZone({ cell, symprec }: ZoneRequest): BrillouinZoneData {
  const path = kPath(fromCompactCell(cell), { symprec });
  const zone = brillouinZone(path.reciprocalLattice);
  return {
    factor: Math.max(...zone.vertices.map(norm3)),
    _points: zone.faces.map((face) => face.vertices.map((index) => [...(zone.vertices[index] ?? [])])),
    kpath: path.path.map((branch) => [...branch]),
    kpoints: Object.fromEntries(Object.entries(path.points).map(([label, point]) => [label, [...point]])),
    reciprocal_lattice: path.reciprocalLattice.map((row) => [...row]),
    variant: path.variant,
  };
}
