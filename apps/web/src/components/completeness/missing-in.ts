import type { ListCompleteness } from '@unitcell/contract';

/** What the chemical system of a row, with these elements added, is known to lack: `CO2, H2O + 2`; null where nothing. */
export function missingIn(
  list: ListCompleteness | undefined,
  formula: string,
  added: readonly string[] = [],
): string | null {
  const elements = new Set([...(formula.match(/[A-Z][a-z]?/g) ?? []), ...added]);
  const lacks = list?.incomplete[[...elements].sort().join('-')];
  if (lacks === undefined) return null;
  const { missing, missing_count: count } = lacks;
  return missing.join(', ') + (count > missing.length ? ` + ${count - missing.length}` : '');
}
