/** Checks whether a composition can be neutral with the known charges of its elements. */
import { atomCount, type Composition } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { ION_ROWS } from './data/ions.ts';

/** A charge that an element has in crystals. */
export interface Ion {
  /** e */
  readonly charge: number;
  /** Å, effective ionic radius. */
  readonly radius: number;
  /** Whether the charge is one of the element's common charges. */
  readonly isCommon: boolean;
}

/** Å. Lower limit on radii, because the tabulated radius of a proton is negative. */
const SMALLEST_RADIUS = 0.1;

const read = (row: string): Ion[] =>
  row.split(' ').map((text) => {
    const [charge = '', radius = ''] = text.split(':');
    return {
      charge: Number(charge.replace('*', '')),
      radius: Math.max(SMALLEST_RADIUS, Number(radius)),
      isCommon: charge.endsWith('*'),
    };
  });

const IONS: ReadonlyMap<string, readonly Ion[]> = new Map(
  Object.entries(ION_ROWS).map(([element, row]) => [element, read(row)]),
);

/** The tabulated ions of an element; none for noble gases and the heaviest elements. */
export const ionsOf = (element: string): readonly Ion[] => IONS.get(element) ?? [];

/** Ion of each element. */
export type Charges = Readonly<Record<string, Ion>>;

/** A formula is neutral if its charges add up to zero within this tolerance, e per atom. */
const NEUTRAL = 1e-6;

const electronegativity = (element: string): number => elementBySymbol(element).electronegativity ?? 0;

/**
 * True if no anion is less electronegative than a cation (the second test of SMACT: D. W. Davies et al., Chem 1 (2016)
 * 617).
 */
function isOrdered(elements: readonly string[], ions: readonly Ion[]): boolean {
  const of = (isWanted: (charge: number) => boolean): number[] =>
    elements.flatMap((element, i) => (isWanted(ions[i].charge) ? [electronegativity(element)] : []));
  return Math.min(...of((charge) => charge < 0)) > Math.max(...of((charge) => charge > 0));
}

/**
 * One charge per element that makes the composition neutral. If there are several choices, the one with the
 * fewest uncommon charges is returned, then the one with the smallest charges; null if there is none.
 * @param composition whole or fractional amounts
 */
export function neutralCharges(composition: Composition): Charges | null {
  const elements = Object.keys(composition);
  const atoms = atomCount(composition);
  let best: { readonly ions: readonly Ion[]; readonly cost: number } | null = null;
  const visit = (chosen: readonly Ion[], charge: number, cost: number): void => {
    if (best && cost >= best.cost) return;
    const element = elements[chosen.length];
    if (element === undefined) {
      if (Math.abs(charge) < NEUTRAL * atoms && isOrdered(elements, chosen)) best = { ions: chosen, cost };
      return;
    }
    const share = composition[element] / atoms;
    for (const ion of ionsOf(element))
      visit(
        [...chosen, ion],
        charge + composition[element] * ion.charge,
        cost + share * ((ion.isCommon ? 0 : UNCOMMON) + Math.abs(ion.charge)),
      );
  };
  visit([], 0, 0);
  const found = best as { readonly ions: readonly Ion[] } | null;
  return found && Object.fromEntries(elements.map((element, i) => [element, found.ions[i]]));
}

/** Penalty for an uncommon charge; larger than any sum of charges per atom. */
const UNCOMMON = 10;

/** Only compounds of non-metals must be neutral; alloys and compounds of metalloids are exempt. */
export const needsCharges = (elements: readonly string[]): boolean =>
  elements.some((element) => ['nonmetal', 'halogen'].includes(elementBySymbol(element).category));
