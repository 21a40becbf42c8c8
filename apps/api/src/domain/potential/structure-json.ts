import { type PymatgenStructure, type Structure, toPymatgenDict } from '@unitcell/crystal';
import { roundTo, type Vec3 } from '@unitcell/numerics';

/** Writes a structure with lengths (Å) and fractions to eight decimals. */
export function structureJson(structure: Structure): PymatgenStructure {
  const rounded = ([x, y, z]: Vec3): Vec3 => [roundTo(x, 8), roundTo(y, 8), roundTo(z, 8)];
  const [a, b, c] = structure.latticeVectors;
  return toPymatgenDict({
    latticeVectors: [rounded(a), rounded(b), rounded(c)],
    sites: structure.sites.map((site) => ({ ...site, fractionalCoords: rounded(site.fractionalCoords) })),
  });
}
