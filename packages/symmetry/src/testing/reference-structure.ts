/** Reads the structures of the reference cases (matrix of rows, sites with species and `abc`). */
import type { Structure } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';

export interface ReferenceStructure {
  readonly lattice: { readonly matrix: Mat3 };
  readonly sites: readonly {
    readonly species: readonly { readonly element: string; readonly occu: number }[];
    readonly abc: Vec3;
  }[];
}

export const fromReferenceStructure = ({ lattice, sites }: ReferenceStructure): Structure => ({
  latticeVectors: lattice.matrix,
  sites: sites.map(({ species, abc }) => ({
    species: species.map(({ element, occu }) => ({ element, occupancy: occu })),
    fractionalCoords: abc,
  })),
});
