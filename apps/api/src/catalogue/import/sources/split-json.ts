/**
 * Splits a stream of JSON text into the texts of single materials, one at a time: JSON lines, a top-level
 * array, or the first array in a top-level object (`{"entries": [...]}`, `{"data": [...]}`).
 */
import { MAX_UNIT_LENGTH } from '../draft/drafts-of-unit.ts';

export interface JsonPiece {
  readonly text: string;
  /** First line of the piece, from 1. */
  readonly line: number;
}

/** Lines with numbers from 1. An overlong line is cut; it is refused later because of its length. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<JsonPiece> {
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield { text: rest + chunk.slice(start, end), line };
      rest = '';
      line++;
      start = end + 1;
    }
    if (rest.length <= MAX_UNIT_LENGTH) rest += chunk.slice(start);
  }
  if (rest !== '') yield { text: rest, line };
}

/** One object per line; empty lines are skipped. */
export async function* splitJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<JsonPiece> {
  for await (const { text, line } of linesOf(chunks)) {
    const trimmed = text.trim();
    if (trimmed !== '') yield { text: trimmed, line };
  }
}

/** Keys of a top-level object whose arrays contain materials; an object without them is a single document. */
const CONTAINERS = new Set(['entries', 'data', 'results', 'materials', 'structures', 'documents', 'docs']);
const LONGEST_KEY = 20;

/**
 * Yields the objects of a top-level array, or of the array under one of the keys above; otherwise the whole text
 * as one unit. Objects are found by counting brackets outside strings. The incomplete rest of a truncated file
 * is yielded too, so that it is refused.
 */
export async function* splitJsonArray(chunks: AsyncIterable<string>): AsyncGenerator<JsonPiece> {
  let line = 1;
  let isInString = false;
  let isEscaped = false;
  let arrayDepth = -1;
  let depth = 0;
  let key = '';
  let piece = '';
  let pieceLine = 1;
  /** The text so far, until an array is found. */
  let whole = '';
  for await (const chunk of chunks) {
    let pieceStart = piece === '' ? -1 : 0;
    if (arrayDepth === -1 && whole.length <= MAX_UNIT_LENGTH) whole += chunk;
    for (let i = 0; i < chunk.length; i++) {
      const character = chunk[i];
      if (character === '\n') line++;
      if (isEscaped) isEscaped = false;
      else if (isInString) {
        if (character === '\\') isEscaped = true;
        else if (character === '"') isInString = false;
        else if (depth === 1 && key.length < LONGEST_KEY) key += character;
      } else if (character === '"') {
        isInString = true;
        if (depth === 1) key = '';
      } else if (character === '{' || character === '[') {
        depth++;
        const isContainer = depth === 1 || (depth === 2 && CONTAINERS.has(key));
        if (character === '[' && arrayDepth === -1 && isContainer) {
          arrayDepth = depth;
          whole = '';
        } else if (character === '{' && depth === arrayDepth + 1 && arrayDepth !== -1) {
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
  if (arrayDepth !== -1) yield { text: piece || '[', line };
  else if (whole.trim() !== '') yield { text: whole.trim(), line: 1 };
}
