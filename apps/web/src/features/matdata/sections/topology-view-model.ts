/** Topological rows as the table shows them. */
import { formatText, MISSING } from '../../../lib/format.ts';

const COLUMNS = {
  Class: 'class',
  'Spin-orbit coupling': 'soc',
  Indicator: 'indicator',
  'Symmetry indicator': 'indicator',
  Invariant: 'invariant',
  Feature: 'feature',
  Source: 'source',
} as const;

/** Key of a column's translated name; null for names only the data knows. */
export const columnKey = (label: string): (typeof COLUMNS)[keyof typeof COLUMNS] | null =>
  Object.hasOwn(COLUMNS, label) ? COLUMNS[label as keyof typeof COLUMNS] : null;

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return MISSING;
  return typeof value === 'string' ? formatText(value) : JSON.stringify(value);
}

export const hasTopology = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'is_topo_display' in answer &&
  answer.is_topo_display === true;
