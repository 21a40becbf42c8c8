/** Numbers as the pages show them. A missing value is '-', a zero is '0'. */
export const MISSING = '-';

export interface NumberFormat {
  /** Digits after the decimal point; 3 by default. */
  readonly decimals?: number;
}

/** An exact zero is '0'; a value that rounds to zero keeps its digits (`0.000`). */
export function formatNumber(value: number | null | undefined, { decimals = 3 }: NumberFormat = {}): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  if (value === 0) return '0';
  if (Number.isInteger(value) && decimals === 0) return withMinus(String(value));
  return withMinus(value.toFixed(decimals));
}

/**
 * Uses a true minus sign, which is as wide as a plus and does not break from its number. A value that rounds to zero
 * has none.
 */
const withMinus = (text: string): string => text.replace(/^-(?=.*[1-9])/, '\u2212').replace(/^-/, '');

/** Whole counts with thousands separators; 0 if missing. Avoids Intl, which takes 10 ms to load its tables. */
export const formatCount = (value: number | null | undefined): string =>
  String(value ?? 0).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

export const formatText = (value: string | null | undefined): string =>
  value === null || value === undefined || value.trim() === '' ? MISSING : value;

/** The visitor's date: `2026-11-28`. */
export function today(): string {
  const now = new Date();
  return new Date(now.getTime() - 60_000 * now.getTimezoneOffset()).toISOString().slice(0, 10);
}

/** The elements of a formula, each once, in its order. */
export const elementsOfFormula = (formula: string): readonly string[] => [
  ...new Set(formula.match(/[A-Z][a-z]?/g) ?? []),
];

/** The id in a text of up to ten digits; null for any other text. */
export const idOf = (text: string): number | null => (/^\d{1,10}$/.test(text) ? Number(text) : null);

/** struct_id as some tables show it: padded with zeros to ten characters. */
export const paddedStructId = (id: number): string => String(id).padStart(10, '0');

/** The number that a visitor typed, also with a decimal comma or the true minus of the pages; null for any other text. */
export function readNumber(typed: string): number | null {
  const text = typed.trim().replace(',', '.').replace('\u2212', '-');
  const value = Number(text);
  return text === '' || !Number.isFinite(value) ? null : value;
}
