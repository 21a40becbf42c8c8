/**
 * Texts of a material in OPTIMADE notation (OPTIMADE 1.2, 7.1 and 7.2). They fill in-memory columns.
 * PostgreSQL functions of the same names return the same texts, as a test checks.
 */
import { type RawBuilder, sql } from 'kysely';
import { columnsOf } from '../infra/sql.ts';

/** Elements and amounts of a reduced formula in alphabetical order. */
const amountsOf = (formula: string): readonly (readonly [element: string, amount: number])[] =>
  [...formula.matchAll(/([A-Z][a-z]?)([0-9]*\.?[0-9]*)/g)]
    .map(([, element = '', amount = '']) => [element, amount === '' ? 1 : Number(amount)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

const written = (amount: number): string => (amount === 1 ? '' : String(amount));
const LETTERS = 26;

/** `Al2O3`: elements in alphabetical order; null for non-integer amounts. */
export function optimadeReduced(formula: string): string | null {
  const amounts = amountsOf(formula);
  if (amounts.length === 1) return amounts[0]?.[0] ?? null;
  if (!amounts.every(([, amount]) => Number.isInteger(amount))) return null;
  return amounts.map(([element, amount]) => element + written(amount)).join('');
}

/** `A3B2`: letters for elements, largest amount first. */
export function optimadeAnonymous(formula: string): string | null {
  const amounts = amountsOf(formula).map(([, amount]) => amount);
  if (amounts.length === 1) return 'A';
  if (amounts.length > LETTERS || !amounts.every(Number.isInteger)) return null;
  return amounts
    .toSorted((a, b) => b - a)
    .map((amount, place) => String.fromCharCode(65 + place) + written(amount))
    .join('');
}

/** Fractions of the elements in alphabetical order. */
export function optimadeRatios(formula: string): readonly number[] {
  const amounts = amountsOf(formula).map(([, amount]) => amount);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  return amounts.map((amount) => amount / total);
}

export interface FederatedText {
  /** An expression on a row of `material`, as text. */
  readonly sql: RawBuilder<string>;
  /** Converts the text to the value in the column; default: the text itself. */
  readonly of?: (text: string) => string | null;
  /** True if the text is a JSON list of numbers. */
  readonly isList?: boolean;
}

const material = columnsOf('material');

/** Columns in addition to the screening fields; no name occurs in both. */
export const FEDERATED_TEXTS: Readonly<Record<string, FederatedText>> = {
  'optimade:id': { sql: sql`${material('struct_id')}::text` },
  'optimade:reduced': { sql: material('formula_reduced'), of: optimadeReduced },
  'optimade:anonymous': { sql: material('formula_reduced'), of: optimadeAnonymous },
  'optimade:ratios': {
    sql: material('formula_reduced'),
    of: (formula) => JSON.stringify(optimadeRatios(formula)),
    isList: true,
  },
  'optimade:modified': {
    sql: sql`to_char(${material('updated_at')} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  },
};
