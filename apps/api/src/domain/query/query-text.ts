/** Parses the text of a search box: texts, formulas and elements, and the reasons of refusals. */
import { WORKING_IONS } from '@unitcell/contract/ecwindow';
import { MAX_SEARCH_TEXT } from '@unitcell/contract/matdata';
import { CrystalError, displayFormula, parseFormula, reducedFormula } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import { SymmetryError } from '@unitcell/symmetry';
import { AppError } from '../../messages/app-error.ts';
import type { NestedMessage } from '../../messages/messages.ts';

// ── Search texts shared by several pages (spec §4.5, §5) ──

/** Formula used for an empty search (spec §5). */
export const DEFAULT_FORMULA = 'Li(CoO2)2';

/** @throws AppError search.too-long */
export function boundedText(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_SEARCH_TEXT)
    throw new AppError('search.too-long', { length: trimmed.length, limit: MAX_SEARCH_TEXT });
  return trimmed;
}

/**
 * The reduced formula of any notation, as stored and in readable form.
 * @throws AppError search.formula-start, search.bad-formula
 */
export function canonicalFormula(text: string): { readonly reduced: string; readonly shown: string } {
  if (!/^[A-Z([{]/.test(text)) throw new AppError('search.formula-start', { text: text.slice(0, 40) });
  try {
    const composition = parseFormula(text);
    return { reduced: reducedFormula(composition), shown: displayFormula(composition) };
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('search.bad-formula', { text: text.slice(0, 40), reason: reasonMessage(error) });
  }
}

// ── Parses the text of an element search (decisions "Searching") ──

export interface ElementQuery {
  /** Alphabetical, without duplicates. */
  readonly elements: readonly string[];
  /** False: exactly these elements. True (`Ti-O-*`): at least these. */
  readonly isWildcard: boolean;
}

const SEPARATORS = /[\s,;，；、\-–—]+/;

/** The words of a text such as `Ti-O` or `Li, Na`. */
export const wordsOf = (text: string | null | undefined): string[] =>
  (text ?? '').split(SEPARATORS).filter((word) => word !== '');

const unknownElements = (unknown: readonly string[]): AppError =>
  new AppError('search.unknown-elements', {
    symbols: unknown
      .slice(0, 5)
      .map((symbol) => symbol.slice(0, 20))
      .join(', '),
  });

/** The elements of an option such as `excluded`. @throws AppError search.unknown-elements */
export function readElements(text: string | null | undefined): string[] {
  const symbols = [...new Set(wordsOf(text))];
  const unknown = symbols.filter((symbol) => !isElementSymbol(symbol));
  if (unknown.length > 0) throw unknownElements(unknown);
  return symbols;
}

/** A working ion; lithium if none is given. @throws AppError ecwindow.unknown-ion */
export function readIon(text: string | undefined): string {
  const ion = text?.trim() || WORKING_IONS[0];
  if (!WORKING_IONS.some((known) => known === ion))
    throw new AppError('ecwindow.unknown-ion', { text: ion.slice(0, 20), known: WORKING_IONS.join(', ') });
  return ion;
}

/**
 * Reads `Ti-O`, `Ti-O-` or `Ti-O-*`.
 * @throws AppError search.no-elements, search.unknown-elements, search.formula-in-element-mode
 */
export function parseElementQuery(text: string): ElementQuery {
  const tokens = wordsOf(text);
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
  return unknownElements(unknown);
}

// ── Errors of the crystal and symmetry packages as nested messages ──

/** Largest length of an error message that is repeated in a nested message. */
const MAX_MESSAGE = 400;

/** The reason in the reader's language: `{ reason: reasonMessage(error) }` fills `{{reason}}`. */
export function reasonMessage(error: CrystalError | SymmetryError): NestedMessage {
  const message = error.message.slice(0, MAX_MESSAGE);
  if (error instanceof SymmetryError) return { key: `symmetry.${error.code}`, parameters: { message } };
  return { key: `crystal.${error.reason}`, parameters: { ...error.parameters, message } };
}
