import type { Completeness, ListCompleteness } from '@unitcell/contract/phase-diagram';

const elementsOf = (formula: string): readonly string[] => formula.match(/[A-Z][a-z]?/g) ?? [];

/** The compounds missing from the chemical system of a row plus these elements: `CO2, H2O + 2`; null if none. */
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

/** True if a missing compound could lie below this composition; the energy above the hull is then a lower bound. */
export function isHullBound(
  completeness: Pick<Completeness, 'status' | 'missing' | 'missing_count'> | undefined,
  formula: string,
): boolean {
  if (completeness?.status !== 'incomplete') return false;
  const { missing, missing_count: count } = completeness;
  return count > missing.length || missing.some((compound) => isWithin(compound.formula, formula));
}

/** The same for a row of a list, from its `missingIn`. */
export const isHullBoundOfRow = (missing: string | null, formula: string): boolean =>
  missing !== null &&
  missing.split(', ').some((compound) => compound.includes(' + ') || isWithin(compound, formula));
