/** Classes of compounds whose coverage is stated; the first that fits. The calibration uses the same rule. */
export const COMPOUND_CLASSES = [
  'oxide',
  'halide',
  'chalcogenide',
  'intermetallic',
  'f-element',
  'other',
] as const;
export type CompoundClass = (typeof COMPOUND_CLASSES)[number];

const split = (symbols: string): ReadonlySet<string> => new Set(symbols.split(' '));
const HALOGENS = split('F Cl Br I');
const CHALCOGENS = split('S Se Te');
const NON_METALS = split('H B C N O F Si P S Cl As Se Br Te I He Ne Ar Kr Xe');
const F_ELEMENTS = split('Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Th Pa U Np Pu Am Cm');

/** The class of a compound of these elements. */
export function compoundClass(elements: readonly string[]): CompoundClass {
  const some = (set: ReadonlySet<string>): boolean => elements.some((element) => set.has(element));
  if (some(F_ELEMENTS)) return 'f-element';
  if (elements.includes('O')) return 'oxide';
  if (some(HALOGENS)) return 'halide';
  if (some(CHALCOGENS)) return 'chalcogenide';
  return some(NON_METALS) ? 'other' : 'intermetallic';
}
