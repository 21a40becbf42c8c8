/**
 * The one description of a crystal that every package shares: plain readonly data, no classes.
 */
import type { Mat3, Vec3 } from '@unitcell/numerics';

/** One kind of atom on a site. Occupancies of a site add up to at most 1; less means a partly vacant site. */
export interface Species {
  /** Element symbol, `D` for deuterium already read as `H`. */
  readonly element: string;
  /** Share of the site that carries this element, 0 < occupancy ≤ 1. */
  readonly occupancy: number;
}

export interface Site {
  readonly species: readonly Species[];
  /** Position in units of the lattice vectors; any real numbers, conventionally in [0, 1). */
  readonly fractionalCoords: Vec3;
  /** Name of the site in the file it came from (`Fe1`), where there was one. */
  readonly label?: string;
  /**
   * Magnetic moment, μB: signed along the common axis of a collinear order, else its size. Only what a file says of its sites;
   * the catalogue and its standard cells do not carry it.
   */
  readonly moment?: number;
}

export interface Structure {
  /** Rows a, b, c in Å. */
  readonly latticeVectors: Mat3;
  readonly sites: readonly Site[];
}

/** An ordered site: one element at full occupancy. */
export const orderedSite = (element: string, fractionalCoords: Vec3): Site => ({
  species: [{ element, occupancy: 1 }],
  fractionalCoords,
});

/** True when every site carries exactly one element at full occupancy. */
export const isOrdered = (structure: Structure): boolean =>
  structure.sites.every((site) => site.species.length === 1 && site.species[0].occupancy === 1);
