/** The wire's structure JSON as the crystal every package works with. */
import type { StructureJson } from '@unitcell/contract';
import type { Structure } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';

export const structureOf = ({ lattice, sites }: StructureJson): Structure => ({
  latticeVectors: lattice.matrix as unknown as Mat3,
  sites: sites.map(({ species, abc }) => ({
    species: species.map(({ element, occu }) => ({ element, occupancy: occu })),
    fractionalCoords: abc as unknown as Vec3,
  })),
});
