/**
 * The element filter of the XRD matcher: `only: Al N` or `include: Al N *`.
 *
 *   only: Al N        exactly these elements
 *   include: Al N     the same as only (other elements need the star)
 *   include: Al N *   at least these elements
 *   Al N              the same as only
 *   Al N *            the same as include, as in the search of materials
 *
 * Elements are separated by spaces, commas or hyphens; letter case of the keyword and of the symbols does not matter.
 * Empty text means no filter.
 */
import { DiffractionError } from './diffraction-error.ts';

export interface ElementFilter {
  /** Required elements, in the order of the text. */
  readonly elements: readonly string[];
  /** Whether other elements are also allowed. */
  readonly others: boolean;
}

/** Reasons to refuse a filter: `parameters.reason` of a `bad-filter`. */
export type BadFilterReason = 'too-long' | 'keyword' | 'star' | 'symbol' | 'no-element';

/** Longest filter accepted; 118 symbols with separators fit. */
const MAX_FILTER_LENGTH = 500;

const EXAMPLES = '"only: Al N" for exactly these elements or "include: Al N *" for at least these';

const asSymbol = (token: string): string => token.charAt(0).toUpperCase() + token.slice(1).toLowerCase();

/**
 * Parses a filter; undefined for an empty one.
 * @param isElement whether a symbol is known, so that this package needs no periodic table.
 * @throws DiffractionError `bad-filter` naming the part that was not understood.
 * @example parseElementFilter('include: Al N *', isElement) // { elements: ['Al', 'N'], others: true }
 */
export function parseElementFilter(
  text: string,
  isElement: (symbol: string) => boolean,
): ElementFilter | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (trimmed.length > MAX_FILTER_LENGTH)
    throw new DiffractionError(
      'bad-filter',
      `the element filter has ${trimmed.length} characters: write ${EXAMPLES}`,
      { reason: 'too-long' satisfies BadFilterReason, length: trimmed.length },
    );
  const colon = trimmed.search(/[:：]/);
  // A star without a keyword allows other elements, as in the search of materials.
  const bare = trimmed.includes('*') ? 'include' : 'only';
  const keyword = colon < 0 ? bare : trimmed.slice(0, colon).trim().toLowerCase();
  if (keyword !== 'only' && keyword !== 'include')
    throw new DiffractionError(
      'bad-filter',
      `"${keyword.slice(0, 40)}:" is not known in an element filter: write ${EXAMPLES}`,
      { reason: 'keyword' satisfies BadFilterReason, found: keyword.slice(0, 40) },
    );
  const elements: string[] = [];
  let others = false;
  for (const token of trimmed.slice(colon + 1).split(/[\s,，、-]+/)) {
    if (token === '') continue;
    if (token === '*') {
      if (keyword === 'only')
        throw new DiffractionError(
          'bad-filter',
          `"only" allows no other elements, so "*" contradicts it: write ${EXAMPLES}`,
          { reason: 'star' satisfies BadFilterReason },
        );
      others = true;
      continue;
    }
    const symbol = asSymbol(token);
    if (!isElement(symbol))
      throw new DiffractionError(
        'bad-filter',
        `"${token.slice(0, 40)}" is not an element symbol: write ${EXAMPLES}`,
        { reason: 'symbol' satisfies BadFilterReason, found: token.slice(0, 40) },
      );
    if (!elements.includes(symbol)) elements.push(symbol);
  }
  if (elements.length === 0)
    throw new DiffractionError('bad-filter', `the element filter names no element: write ${EXAMPLES}`, {
      reason: 'no-element' satisfies BadFilterReason,
    });
  return { elements, others };
}
