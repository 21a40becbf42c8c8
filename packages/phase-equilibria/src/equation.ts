/** Balanced reaction equations, as tokens and as text. */
import type { Composition } from '@unitcell/crystal';
import { type PhaseShare, SHARE_TOLERANCE, formulaUnit } from './decomposition.ts';

export interface EquationTerm {
  /** Reduced formula. */
  readonly formula: string;
  /** Formula units, positive. */
  readonly coefficient: number;
  /** The entry meant, where the term is one. */
  readonly id?: string;
}

export interface Equation {
  readonly reactants: readonly EquationTerm[];
  readonly products: readonly EquationTerm[];
}

/** Decimals of coefficients in text. */
const COEFFICIENT_DECIMALS = 4;

function coefficientText(coefficient: number): string {
  const scale = 10 ** COEFFICIENT_DECIMALS;
  const rounded = Math.round(coefficient * scale) / scale;
  return rounded === 1 ? '' : `${rounded} `;
}

/** `0.5 NaMnO2 + 0.5 YClO → 0.5 YMnO3 + 0.5 NaCl` */
export function equationText({ reactants, products }: Equation, arrow = '→'): string {
  const side = (terms: readonly EquationTerm[]) =>
    terms.map(({ formula, coefficient }) => coefficientText(coefficient) + formula).join(' + ');
  return `${side(reactants)} ${arrow} ${side(products)}`;
}

/** The phases of a decomposition as terms; `scale` = compositions as decomposed per equation. */
export const productTerms = (shares: readonly PhaseShare[], scale: number): EquationTerm[] =>
  shares.map(({ entry, formula, moles }) => ({ formula, coefficient: moles * scale, id: entry.id }));

/**
 * Adds what a reservoir gives (`excess` < 0: a reactant) or receives (`excess` > 0: a product) so that its element
 * balances; `atoms` is the size of the equation, against which rounding is judged.
 */
export function withReservoir(equation: Equation, element: string, excess: number, atoms: number): Equation {
  if (Math.abs(excess) <= SHARE_TOLERANCE * atoms) return equation;
  const unit: Composition = { [element]: Math.abs(excess) };
  const { formula, units } = formulaUnit(unit);
  const term = { formula, coefficient: units };
  return excess < 0
    ? { reactants: [...equation.reactants, term], products: equation.products }
    : { reactants: equation.reactants, products: [...equation.products, term] };
}
