import type { Completeness, ListCompleteness } from '@unitcell/contract/phase-diagram';

const elementsOf = (formula: string): readonly string[] => formula.match(/[A-Z][a-z]?/g) ?? [];

/** What the chemical system of a row, with these elements added, is known to lack: `CO2, H2O + 2`; null where nothing. */
export function missingIn(
  list: ListCompleteness | undefined,
  formula: string,
  added: readonly string[] = [],
): string | null {
  const elements = new Set([...elementsOf(formula), ...added]);
  const lacks = list?.incomplete[[...elements].sort().join('-')];
  if (lacks === undefined) return null;
  const { missing, missing_count: count } = lacks;
  return missing.join(', ') + (count > missing.length ? ` + ${count - missing.length}` : '');
}

function isWithin(compound: string, formula: string): boolean {
  const own = new Set(elementsOf(formula));
  return elementsOf(compound).every((element) => own.has(element));
}

/** Whether a compound that is missing could lie below this composition: then its energy above the hull is a lower bound. */
export function isHullBound(
  completeness: Pick<Completeness, 'status' | 'missing' | 'missing_count'> | undefined,
  formula: string,
): boolean {
  if (completeness?.status !== 'incomplete') return false;
  const { missing, missing_count: count } = completeness;
  return count > missing.length || missing.some((compound) => isWithin(compound.formula, formula));
}

/** The same of a row of a list, from `missingIn`. */
export const isHullBoundOfRow = (missing: string | null, formula: string): boolean =>
  missing !== null &&
  missing.split(', ').some((compound) => compound.includes(' + ') || isWithin(compound, formula));
