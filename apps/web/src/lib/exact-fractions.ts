/** Numbers that are exact fractions: `61/12` instead of 5.0833. */
import { parseFormula } from '@unitcell/crystal';

/** Larger denominators are no easier to read than decimals. */
const MAX_PARTS = 120;

export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** The simplest fraction within `tolerance` of a value; null if its denominator would be too large to read. */
export function fractionNear(value: number, tolerance: number): Fraction | null {
  for (let denominator = 1; denominator <= MAX_PARTS; denominator++) {
    const numerator = Math.round(value * denominator);
    if (numerator > 0 && Math.abs(numerator / denominator - value) <= tolerance)
      return { numerator, denominator };
  }
  return null;
}

export const fractionText = ({ numerator, denominator }: Fraction): string =>
  denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;

/** Rounding error of a double that represents a fraction. */
const EXACT = 1e-9;

/** A share as `2/3` if it is exactly that fraction, otherwise with four digits. */
export function shareText(value: number): string {
  const fraction = fractionNear(value, EXACT);
  return fraction ? fractionText(fraction) : String(Number(value.toFixed(4)));
}

/** Rounding error of the amounts in written equations: half of the last digit. */
const WRITTEN = 5.1e-5;

interface Term {
  readonly amount: number;
  readonly formula: string;
}

/**
 * The coefficients of a written equation as fractions, left side first. Each fraction rounds to the written four
 * digits, and together they balance every element exactly. Null if there are no such fractions.
 */
export function balancedFractions(left: readonly Term[], right: readonly Term[]): readonly Fraction[] | null {
  const terms = [...left, ...right];
  const fractions = terms.map(({ amount }) => fractionNear(amount, WRITTEN));
  const balance = new Map<string, number>();
  for (const [index, { formula }] of terms.entries()) {
    const fraction = fractions[index];
    if (!fraction) return null;
    const units = ((index < left.length ? 1 : -1) * fraction.numerator) / fraction.denominator;
    try {
      for (const [element, count] of Object.entries(parseFormula(formula)))
        balance.set(element, (balance.get(element) ?? 0) + units * count);
    } catch {
      return null;
    }
  }
  const isBalanced = [...balance.values()].every((sum) => Math.abs(sum) < EXACT);
  return isBalanced ? fractions.filter((fraction) => fraction !== null) : null;
}
