/**
 * Compositions: the amount of each element, and quantities derived from it. For formula text see
 * `formula.ts`.
 */
import { elementBySymbol, GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM } from '@unitcell/elements';
import { cellVolume } from './lattice.ts';
import type { Structure } from './structure.ts';

/**
 * Density in g/cm³: the mass of the cell's atoms, weighted with their occupancies, over its volume.
 * @example density(sodiumChloride) // 2.16
 */
export const density = (structure: Structure): number =>
  (molarMass(compositionOf(structure)) / cellVolume(structure.latticeVectors)) *
  GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM;

/** Amount of each element (atoms per formula or per cell, positive; fractional for disordered crystals). */
export type Composition = Readonly<Record<string, number>>;

/**
 * Amounts that differ by less than this are equal: occupancies are written with three or four digits, so a third is
 * 0.333, and three of them add up to 0.999.
 */
export const AMOUNT_TOLERANCE = 1.5e-3;

/** Largest amount of one element in a formula; a larger amount is a typing error. */
export const MAX_FORMULA_AMOUNT = 1e9;
/** Smallest amount: the last decimal written in a formula. */
export const MIN_FORMULA_AMOUNT = 1e-4;

/**
 * Largest denominator tried to make fractional amounts whole; common occupancies have denominators up to 24.
 */
export const MAX_DENOMINATOR = 24;

/** Differences smaller than this are rounding errors in sums of exact amounts. */
const ROUNDING = 1e-8;

function gcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}

const mapAmounts = (composition: Composition, change: (amount: number) => number): Composition =>
  Object.fromEntries(Object.entries(composition).map(([element, amount]) => [element, change(amount)]));

/** Number of atoms in the composition, not reduced. */
export const atomCount = (composition: Composition): number =>
  Object.values(composition).reduce((sum, amount) => sum + amount, 0);

/** Share of each element among all atoms; the shares add up to 1. */
export function atomicFractions(composition: Composition): Composition {
  const total = atomCount(composition);
  return mapAmounts(composition, (amount) => amount / total);
}

/** Mass of the composition, not reduced, in u (equal to g per mole of formula). */
export const molarMass = (composition: Composition): number =>
  Object.entries(composition).reduce(
    (sum, [element, amount]) => sum + amount * elementBySymbol(element).atomicMass,
    0,
  );

/** Element symbols in alphabetical order, joined with hyphens: `Fe-Li-O-P`. */
export const chemicalSystem = (composition: Composition): string => Object.keys(composition).sort().join('-');

/** Sum of the occupancies of every element over the sites of a cell. */
export function compositionOf(structure: Structure): Composition {
  const amounts = new Map<string, number>();
  for (const site of structure.sites)
    for (const { element, occupancy } of site.species)
      amounts.set(element, (amounts.get(element) ?? 0) + occupancy);
  // Restores whole numbers that rounding has changed: sums of thirds are 0.9999999.
  return Object.fromEntries(
    Array.from(amounts, ([element, amount]) => {
      const whole = Math.round(amount);
      return [
        element,
        Math.abs(amount - whole) < ROUNDING * structure.sites.length + ROUNDING ? whole : amount,
      ];
    }),
  );
}

/** The smallest factor ≤ MAX_DENOMINATOR that makes every amount whole, or undefined. */
function clearingFactor(amounts: readonly number[]): number | undefined {
  for (let factor = 1; factor <= MAX_DENOMINATOR; factor++) {
    const isCleared = (amount: number): boolean => {
      const scaled = amount * factor;
      const whole = Math.round(scaled);
      return whole > 0 && whole <= MAX_FORMULA_AMOUNT && Math.abs(scaled - whole) <= AMOUNT_TOLERANCE;
    };
    if (amounts.every(isCleared)) return factor;
  }
  return undefined;
}

/**
 * Number of formula units in the composition: its amounts divided by those of `reducedComposition` (8 for a
 * cell Li8Co8O16, 0.5 for Li0.5CoO2, whose reduced formula is LiCo2O4).
 */
export function formulaUnits(composition: Composition): number {
  const amounts = Object.values(composition);
  const factor = clearingFactor(amounts);
  if (factor !== undefined) {
    const wholes = amounts.map((amount) => Math.round(amount * factor));
    return wholes.reduce(gcd, 0) / factor;
  }
  // Some fractions cannot be made whole (Fe0.947O). The greatest common divisor of the whole amounts then gives
  // the number of formula units.
  const wholes = amounts.filter((amount) => Number.isInteger(amount));
  return wholes.length > 0 ? wholes.reduce(gcd, 0) : 1;
}

/**
 * The composition of one formula unit. If all fractions have denominators up to `MAX_DENOMINATOR`, it has whole
 * amounts without a common divisor (Li0.5CoO2 gives LiCo2O4). Otherwise it is the composition divided by
 * `formulaUnits`.
 */
export function reducedComposition(composition: Composition): Composition {
  const units = formulaUnits(composition);
  const isWhole = clearingFactor(Object.values(composition)) !== undefined;
  return mapAmounts(composition, (amount) => (isWhole ? Math.round(amount / units) : amount / units));
}
