/** A search of the specification as conditions: what the rail counts beside it, and what it becomes when a filter joins it. */
import { parseFormula, reducedFormula } from '@unitcell/crystal';
import { comparison } from '@unitcell/filter';
import {
  findProblem,
  selectedElements,
  type SearchType,
  WILDCARD,
} from '../../../components/search-form/search-input.ts';
import { type Conditions, withElements } from './conditions.ts';

/** @param isExact exactly these elements, as a search without `*` means; while they are picked, at least these. */
export function conditionsOfSearch(type: SearchType, input: string, isExact: boolean): Conditions {
  if (input.trim() === '' || findProblem(type, input) !== null) return [];
  if (type === 'struct_id') {
    const id = Number(input.trim());
    return Number.isSafeInteger(id) ? [comparison('struct_id', '=', id)] : [];
  }
  if (type === 'formula') return [comparison('formula_reduced', '=', reducedFormula(parseFormula(input)))];
  const symbols = selectedElements(type, input);
  if (symbols.length === 0) return [];
  const elements = withElements([], { with: symbols, without: [], only: [] });
  return isExact && !input.includes(WILDCARD)
    ? [...elements, comparison('nelements', '=', symbols.length)]
    : elements;
}
