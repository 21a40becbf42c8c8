/** What is typed in the search box: validity (spec §4.5) and what a click in the periodic table makes of it. */
import { CrystalError, parseFormula } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import type { FormulaProblem } from './formula-problem.tsx';

export type SearchType = 'elements' | 'formula' | 'struct_id';
export const SEARCH_TYPES: readonly SearchType[] = ['elements', 'formula', 'struct_id'];

/** Stands for "and any others" behind a list of elements (decisions.md). */
export const WILDCARD = '*';

export type InputProblem =
  | { readonly key: 'unknownElement' | 'formulaInElements'; readonly symbol: string }
  | { readonly key: 'formulaStart' }
  | { readonly key: 'formulaSyntax'; readonly problem: FormulaProblem };

const tokensOf = (input: string): readonly string[] => input.split('-').map((token) => token.trim());

/** Symbols named by the input, in order, each once; the wildcard and what is no element left out. */
export function selectedElements(type: SearchType, input: string): readonly string[] {
  if (type === 'elements') return [...new Set(tokensOf(input).filter(isElementSymbol))];
  if (type === 'struct_id' || findProblem('formula', input) !== null || input.trim() === '') return [];
  return Object.keys(parseFormula(input));
}

/** The input after a click on an element: `Ti-` gains `O-`; an element already there goes. */
export function toggleElement(type: SearchType, input: string, symbol: string): string {
  const tokens = type === 'elements' ? tokensOf(input).filter((token) => token !== '') : [];
  const next = tokens.includes(symbol)
    ? tokens.filter((token) => token !== symbol)
    : // The wildcard stays at the end.
      [
        ...tokens.filter((token) => token !== WILDCARD),
        symbol,
        ...tokens.filter((token) => token === WILDCARD),
      ];
  return next.length === 0 ? '' : `${next.join('-')}-`;
}

function elementsProblem(input: string): InputProblem | null {
  const tokens = tokensOf(input);
  for (const [index, token] of tokens.entries()) {
    const isEmptyEnd = token === '' && index === tokens.length - 1;
    if (isEmptyEnd || token === WILDCARD || isElementSymbol(token)) continue;
    const looksLikeFormula = findProblem('formula', token) === null && token !== '';
    return { key: looksLikeFormula ? 'formulaInElements' : 'unknownElement', symbol: token.slice(0, 40) };
  }
  return null;
}

function formulaProblem(input: string): InputProblem | null {
  // Spec §4.5: a digit or a small letter in front is refused before anything else.
  if (!/^[A-Z([{]/.test(input.trim())) return { key: 'formulaStart' };
  try {
    parseFormula(input);
    return null;
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    return { key: 'formulaSyntax', problem: { reason: error.reason, parameters: error.parameters } };
  }
}

/** What is wrong with the input, or null. An empty input is never wrong; ids are left to the server. */
export function findProblem(type: SearchType, input: string): InputProblem | null {
  if (input.trim() === '' || type === 'struct_id') return null;
  return type === 'elements' ? elementsProblem(input) : formulaProblem(input);
}

/** What is sent: without the trailing hyphen of the element list; the default formula when there is none. */
export function queryOf(type: SearchType, input: string): string {
  const text = input.trim();
  if (type === 'elements') return text.replace(/[-\s]+$/, '');
  return type === 'formula' && text === '' ? 'Li(CoO2)2' : text;
}
