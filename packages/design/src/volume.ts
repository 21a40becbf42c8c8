/** How much a crystal grows when other elements take its places. */
import type { Composition } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import type { Charges } from './charges.ts';

/** Å; the covalent radius where there are no charges. */
export const radiusOf = (element: string, charges: Charges | null): number =>
  charges?.[element]?.radius ?? elementBySymbol(element).covalentRadius ?? DEFAULT_RADIUS;
const DEFAULT_RADIUS = 1.5;

/**
 * Volume of the new cell over that of the old one by reference lattice scaling: ((Σ r n^⅓) / (Σ r₀ n₀^⅓))³ over the elements, with
 * ionic radii where both are neutral, else covalent ones (I.-H. Chu et al., Comput. Mater. Sci. 146 (2018) 184,
 * doi:10.1016/j.commatsci.2018.01.040).
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
