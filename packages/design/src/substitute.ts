import type { Structure } from '@unitcell/crystal';

/** Which element takes the place of which. */
export type Replacement = Readonly<Record<string, string>>;

export interface Substitution {
  readonly replaced: Replacement;
  /** Volume of the new cell over that of the old one. */
  readonly volumeRatio: number;
}

/** The crystal with other elements in its places, its cell scaled alike in all directions. Elements that are not named stay. */
export function substitute(
  { latticeVectors, sites }: Structure,
  { replaced, volumeRatio }: Substitution,
): Structure {
  const factor = Math.cbrt(volumeRatio);
  const [a, b, c] = latticeVectors;
  const scaled = ([x, y, z]: typeof a): typeof a => [factor * x, factor * y, factor * z];
  return {
    latticeVectors: [scaled(a), scaled(b), scaled(c)],
    sites: sites.map((site) => ({
      fractionalCoords: site.fractionalCoords,
      species: site.species.map(({ element, occupancy }) => ({
        element: replaced[element] ?? element,
        occupancy,
      })),
    })),
  };
}
