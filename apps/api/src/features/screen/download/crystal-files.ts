/** One stored material as a CIF or POSCAR file that says where it comes from. */
import { fromCompactCell, isOrdered, writeCif, writePoscar } from '@unitcell/crystal';
import type { StoredCrystal } from '../screen.repository.ts';

const sourceOf = ({ sourceName, sourceId }: StoredCrystal): string => `${sourceName} ${sourceId}`.trim();

/** The conventional cell with its symmetry where it stands in a tabulated setting for sure. */
export const cifOf = (stored: StoredCrystal, release: number): string =>
  writeCif(fromCompactCell(stored.conventional), {
    name: `${stored.formulaReduced}-${stored.structId}-conventional`,
    ...(stored.isGivenKept ? { setting: { hallSymbol: stored.hall, wyckoffs: stored.wyckoffs } } : {}),
    provenance: { source: sourceOf(stored), licence: stored.sourceLicence, release: String(release) },
  });

/** null where sites are shared, which POSCAR cannot say. */
export function poscarOf(stored: StoredCrystal, release: number): string | null {
  const structure = fromCompactCell(stored.conventional);
  if (!isOrdered(structure)) return null;
  const origin = [
    `unitcell_id ${stored.structId}`,
    `source ${sourceOf(stored)}`,
    `licence ${stored.sourceLicence}`,
    `release ${release}`,
  ];
  return writePoscar(structure, { name: `${stored.formulaReduced}, ${origin.join(', ')}` });
}
