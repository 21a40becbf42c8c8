/** The names, types and units that a filter may use. */
import { ELEMENTS } from '@unitcell/elements';
import { FIELD_NAMES, type FieldName, fieldOf } from '@unitcell/material';

export interface FilterField {
  /** `unknown`: a property of another provider; comparisons with it are always unknown. */
  readonly type: 'number' | 'text' | 'flag' | 'unknown';
  readonly isList?: true;
  readonly unit?: string;
  /** The possible values, if they are few and fixed. */
  readonly options?: readonly string[];
}

export type FilterFields = ReadonlyMap<string, FilterField>;

const TYPES = {
  number: 'number',
  id: 'number',
  count: 'number',
  flag: 'flag',
  text: 'text',
  url: 'text',
  choice: 'text',
  texts: 'text',
} as const;

const SYMBOLS = ELEMENTS.map(({ symbol }) => symbol);

function filterFieldOf(name: FieldName): FilterField {
  const field = fieldOf(name);
  return {
    type: TYPES[field.kind],
    ...(field.kind === 'texts' ? { isList: true } : {}),
    ...(field.kind === 'number' ? { unit: field.unit } : {}),
    ...(field.kind === 'choice' ? { options: Object.keys(field.options) } : {}),
    ...(name === 'elements' ? { options: SYMBOLS } : {}),
  };
}

/** The fields of a material by the names of their columns: `band_gap`, `nelements`. */
export const materialFilterFields = (): FilterFields =>
  new Map(FIELD_NAMES.map((name) => [fieldOf(name).column, filterFieldOf(name)]));

/** Edit distance of two words, which counts letters inserted, deleted, transposed or replaced. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** Only the first characters of longer words are compared. */
const COMPARED = 60;

/** The word most similar to another: a word that begins with it, or the one with the fewest edits. */
export function nearestOf(word: string, words: Iterable<string>): string {
  const asked = word.slice(0, COMPARED).toLowerCase();
  const cost = (known: string): number =>
    known.toLowerCase().startsWith(asked) && asked !== '' ? 0.5 : editDistance(asked, known.toLowerCase());
  let best = '';
  let least = Number.POSITIVE_INFINITY;
  for (const known of words) {
    const edits = cost(known);
    if (edits < least) [best, least] = [known, edits];
  }
  return best;
}
