import { type ErrorParameters, ScienceError } from '@unitcell/errors';

export type FilterErrorCode =
  | 'too-long'
  | 'too-deep'
  | 'too-many-terms'
  | 'too-many-lists'
  | 'bad-tree'
  | 'unexpected-character'
  | 'unclosed-text'
  | 'unclosed-expression'
  | 'bad-expression'
  | 'expression-too-long'
  | 'too-many-expressions'
  | 'not-a-number'
  | 'no-function'
  | 'different-units'
  | 'unit-not-possible'
  | 'number-range'
  | 'expected-property'
  | 'expected-condition'
  | 'expected-value'
  | 'expected-number'
  | 'expected-parenthesis'
  | 'expected-end'
  | 'two-constants'
  | 'list-lengths'
  | 'unknown-property'
  | 'needs-number'
  | 'needs-text'
  | 'needs-flag'
  | 'needs-list'
  | 'is-list'
  | 'no-order'
  | 'different-types'
  | 'unknown-option'
  | 'upside-down';

/** Error for an invalid filter; `parameters` contains the position and the values of its message. */
export class FilterError extends ScienceError<FilterErrorCode> {
  constructor(code: FilterErrorCode, message: string, parameters: ErrorParameters = {}) {
    super('filter', code, message, parameters);
  }
}

/** Number of characters shown on either side of a position. */
const AROUND = 30;

/** Shows a position in a filter: its number from 1, and the surrounding text with a mark below. */
export function drawPlace(text: string, offset: number): { readonly at: number; readonly drawn: string } {
  const from = Math.max(0, offset - AROUND);
  const before = `${from > 0 ? '…' : ''}${text.slice(from, offset)}`;
  const after = text.slice(offset, offset + AROUND);
  const line = `${before}${after}${offset + AROUND < text.length ? '…' : ''}`.replace(/\s/g, ' ');
  return { at: offset + 1, drawn: `${line}\n${' '.repeat(before.length)}^` };
}

/** Creates an error at a position of a text. */
export function errorAt(
  text: string,
  offset: number,
  code: FilterErrorCode,
  what: string,
  parameters: ErrorParameters = {},
): FilterError {
  const place = drawPlace(text, offset);
  return new FilterError(code, `${what} (character ${place.at})\n${place.drawn}`, {
    ...parameters,
    ...place,
  });
}
