/** The search box: validation (spec §4.5) and the effect of a click in the periodic table on the text. */
import { CrystalError, parseFormula } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';

export type SearchType = 'elements' | 'formula' | 'struct_id';
export const SEARCH_TYPES: readonly SearchType[] = ['elements', 'formula', 'struct_id'];

/** Means "and any others" at the end of an element list (decisions.md). */
export const WILDCARD = '*';

/** Why a formula is invalid, by the codes of `@unitcell/crystal`. */
export type FormulaProblem = Pick<CrystalError, 'reason' | 'parameters'>;

export type InputProblem =
  | { readonly key: 'unknownElement' | 'formulaInElements'; readonly symbol: string }
  | { readonly key: 'formulaStart' }
  | { readonly key: 'formulaSyntax'; readonly problem: FormulaProblem };

const tokensOf = (input: string): readonly string[] => input.split('-').map((token) => token.trim());

/** Distinct element symbols, in the order of the input; the wildcard and unknown symbols are left out. */
export function selectedElements(type: SearchType, input: string): readonly string[] {
  if (type === 'elements') return [...new Set(tokensOf(input).filter(isElementSymbol))];
  if (type === 'struct_id' || findProblem('formula', input) !== null || input.trim() === '') return [];
  return Object.keys(parseFormula(input));
}

/** The input after a click on an element: `Ti-` becomes `Ti-O-`; an element already present is removed. */
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
  // Spec §4.5: a leading digit or lowercase letter is rejected first.
  if (!/^[A-Z([{]/.test(input.trim())) return { key: 'formulaStart' };
  try {
    parseFormula(input);
    return null;
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    return { key: 'formulaSyntax', problem: { reason: error.reason, parameters: error.parameters } };
  }
}

/** The error in the input, or null. Empty input is valid; ids are validated by the server. */
export function findProblem(type: SearchType, input: string): InputProblem | null {
  if (input.trim() === '' || type === 'struct_id') return null;
  return type === 'elements' ? elementsProblem(input) : formulaProblem(input);
}

/** The text to send: without the trailing hyphen of an element list; the default formula if empty. */
export function queryOf(type: SearchType, input: string): string {
  const text = input.trim();
  if (type === 'elements') return text.replace(/[-\s]+$/, '');
  return type === 'formula' && text === '' ? 'Li(CoO2)2' : text;
}

/** A submitted search as shown to people: elements separated by spaces, not hyphens. */
export const searchBasis = (type: SearchType, query: string): string =>
  type === 'elements' ? query.replaceAll('-', ' ') : query;
