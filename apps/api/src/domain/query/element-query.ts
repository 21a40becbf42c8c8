/** The text of an element search, read (decisions "Searching"). */
import { isElementSymbol } from '@unitcell/elements';
import { AppError } from '../../messages/app-error.ts';

export interface ElementQuery {
  /** Alphabetical, without repeats. */
  readonly elements: readonly string[];
  /** False: exactly these elements. True (`Ti-O-*`): at least these. */
  readonly isWildcard: boolean;
}

const SEPARATORS = /[\s,;\-–—]+/;

/**
 * Reads `Ti-O`, `Ti-O-` or `Ti-O-*`.
 * @throws AppError search.no-elements, search.unknown-elements, search.formula-in-element-mode
 */
export function parseElementQuery(text: string): ElementQuery {
  const tokens = text.split(SEPARATORS).filter((token) => token !== '');
  const symbols = tokens.filter((token) => token !== '*');
  if (symbols.length === 0) throw new AppError('search.no-elements');
  const unknown = symbols.filter((symbol) => !isElementSymbol(symbol));
  if (unknown.length > 0) throw unknownSymbols(unknown, tokens);
  return { elements: [...new Set(symbols)].sort(), isWildcard: tokens.includes('*') };
}

function unknownSymbols(unknown: readonly string[], tokens: readonly string[]): AppError {
  const first = unknown[0] ?? '';
  const inside = first.match(/[A-Z][a-z]?/g)?.filter(isElementSymbol) ?? [];
  if (tokens.length === 1 && inside.length > 0 && /\d|[A-Z].*[A-Z]/.test(first))
    return new AppError('search.formula-in-element-mode', {
      text: first.slice(0, 40),
      suggestion: [...new Set(inside)].slice(0, 8).join('-'),
    });
  const shown = unknown.slice(0, 5).map((symbol) => symbol.slice(0, 20));
  return new AppError('search.unknown-elements', { symbols: shown.join(', ') });
}
