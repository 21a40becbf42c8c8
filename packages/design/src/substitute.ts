import type { Composition, Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import type { Charges } from './charges.ts';

/** Å; the ionic radius, or the covalent radius if there are no charges. */
export const radiusOf = (element: string, charges: Charges | null): number =>
  charges?.[element]?.radius ?? elementBySymbol(element).covalentRadius ?? DEFAULT_RADIUS;
const DEFAULT_RADIUS = 1.5;

/**
 * Volume of the new cell over that of the old one by reference lattice scaling: ((Σ r n^⅓) / (Σ r₀ n₀^⅓))³
 * over the elements, with ionic radii if both compositions are neutral, otherwise covalent ones (I.-H. Chu et
 * al., Comput. Mater. Sci. 146 (2018) 184, doi:10.1016/j.commatsci.2018.01.040).
 */
export function volumeRatio(
  from: Composition,
  to: Composition,
  charges: { readonly from: Charges | null; readonly to: Charges | null },
): number {
  const isIonic = charges.from !== null && charges.to !== null;
  const length = (composition: Composition, own: Charges | null): number =>
    Object.entries(composition).reduce(
      (sum, [element, amount]) => sum + radiusOf(element, isIonic ? own : null) * Math.cbrt(amount),
      0,
    );
  return (length(to, charges.to) / length(from, charges.from)) ** 3;
}

/** Maps each old element to the new one. */
export type Replacement = Readonly<Record<string, string>>;

export interface Substitution {
  readonly replaced: Replacement;
  /** Volume of the new cell over that of the old one. */
  readonly volumeRatio: number;
}

/** The crystal with replaced elements and a uniformly scaled cell. Elements that are not named stay. */
export function substitute(
  { latticeVectors, sites }: Structure,
  { replaced, volumeRatio: ratio }: Substitution,
): Structure {
  const factor = Math.cbrt(ratio);
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
