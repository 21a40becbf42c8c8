/**
 * Splits a stream of JSON text into the texts of single materials, holding one at a time: JSON lines, a top-level
 * array, or the first array inside a top-level object (`{"entries": [...]}`, `{"data": [...]}`).
 */
import { MAX_UNIT_LENGTH } from '../draft/drafts-of-unit.ts';

export interface JsonPiece {
  readonly text: string;
  /** Line the piece starts on, from 1. */
  readonly line: number;
}

/** One object per line; empty lines are passed over. */
export async function* splitJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<JsonPiece> {
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    rest += chunk;
    let start = 0;
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', start)) {
      const text = rest.slice(start, end).trim();
      if (text !== '') yield { text, line };
      line++;
      start = end + 1;
    }
    rest = rest.slice(start);
    // An endless line is cut here; the reader refuses it for its length.
    if (rest.length > 2 * MAX_UNIT_LENGTH) rest = rest.slice(0, MAX_UNIT_LENGTH + 1);
  }
  if (rest.trim() !== '') yield { text: rest.trim(), line };
}

/** The objects of the outermost array, found by counting brackets outside strings. */
export async function* splitJsonArray(chunks: AsyncIterable<string>): AsyncGenerator<JsonPiece> {
  let line = 1;
  let isInString = false;
  let isEscaped = false;
  let arrayDepth = -1;
  let depth = 0;
  let piece = '';
  let pieceLine = 1;
  for await (const chunk of chunks) {
    let pieceStart = piece === '' ? -1 : 0;
    for (let i = 0; i < chunk.length; i++) {
      const character = chunk[i];
      if (character === '\n') line++;
      if (isEscaped) isEscaped = false;
      else if (isInString) {
        if (character === '\\') isEscaped = true;
        else if (character === '"') isInString = false;
      } else if (character === '"') isInString = true;
      else if (character === '{' || character === '[') {
        depth++;
        if (character === '[' && arrayDepth === -1) arrayDepth = depth;
        else if (character === '{' && depth === arrayDepth + 1 && arrayDepth !== -1) {
          pieceStart = i;
          pieceLine = line;
        }
      } else if (character === '}' || character === ']') {
        if (character === '}' && depth === arrayDepth + 1 && arrayDepth !== -1) {
          yield { text: piece + chunk.slice(Math.max(pieceStart, 0), i + 1), line: pieceLine };
          piece = '';
          pieceStart = -1;
        }
        if (depth === arrayDepth) return;
        depth--;
      }
    }
    if (pieceStart !== -1 && piece.length <= MAX_UNIT_LENGTH) piece += chunk.slice(pieceStart);
  }
}
