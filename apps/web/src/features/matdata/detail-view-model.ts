/** What the material page derives from the answer before it draws. */
import type { MaterialDetail } from '@unitcell/contract';

const CRYSTAL_SYSTEMS = [
  'triclinic',
  'monoclinic',
  'orthorhombic',
  'tetragonal',
  'trigonal',
  'hexagonal',
  'cubic',
] as const;

/** Key of the system's name in the texts, or null for a name unknown here. */
export function crystalSystemKey(name: string): `crystal_${(typeof CRYSTAL_SYSTEMS)[number]}` | null {
  const system = CRYSTAL_SYSTEMS.find((known) => known === name.toLowerCase());
  return system === undefined ? null : `crystal_${system}`;
}

/**
 * Energies above hull up to this count as on it: what is left of a sum of energies given to six decimals, in eV/atom.
 */
export const ON_HULL_TOLERANCE = 1e-6;

export const isStable = ({ energies }: Pick<MaterialDetail, 'energies'>): boolean =>
  energies.e_above_hull !== null && energies.e_above_hull <= ON_HULL_TOLERANCE;

/** Name of a download: spec §2.8 gives the CIF ones. */
export const downloadName = (
  structId: number,
  cell: 'primitive' | 'conventional',
  extension: string,
): string => `${structId}-${cell}-cell.${extension}`;
