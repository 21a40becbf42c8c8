/**
 * Evaluates a filter on all rows, column by column: 0 false, 1 unknown, 2 true. AND is the minimum, OR the
 * maximum, NOT the difference to 2. The results equal those of `evaluateFilter` for every row.
 */
import {
  compareConstants,
  type Constant,
  evaluateFilter,
  type Filter,
  holds,
  type Operator,
  type PropertyValue,
} from '@unitcell/filter';
import {
  type Column,
  type NumberLists,
  type ScaledIndex,
  type TextColumn,
  textOf,
} from '../index/screen-index.ts';

export const TRUE = 2;
const UNKNOWN = 1;

type Comparison = Exclude<Filter, { readonly kind: 'and' | 'or' | 'not' }>;
const WORDS = 4;

/** Reads one row, for tests that cannot use a column directly. */
function readerOf(index: ScaledIndex, row: number): (name: string) => PropertyValue {
  return (name) => {
    if (name === 'elements')
      return index.symbols.filter(
        (_, place) => (index.elements[WORDS * row + (place >> 5)]! >>> (place & 31)) & 1,
      );
    const column = index.columns[name];
    if (!column) return null;
    if (column.kind === 'text') return textOf(column, column.codes[row]!);
    const value = column.values[row]!;
    if (column.kind === 'flag') return value === 1;
    return Number.isNaN(value) ? null : value;
  };
}

function rowByRow(index: ScaledIndex, tree: Filter): Uint8Array {
  return Uint8Array.from(index.ids, (_, row) => {
    const answer = evaluateFilter(tree, readerOf(index, row));
    return answer === null ? UNKNOWN : answer ? TRUE : 0;
  });
}

/**
 * One loop per operator, because screening spends its time here. Comparisons with NaN (unknown) are always
 * false.
 */
function numberTest(values: Float64Array | Int32Array, operator: Operator, to: number): Uint8Array {
  const verdicts = new Uint8Array(values.length);
  const rows = values.length;
  switch (operator) {
    case '<':
      for (let row = 0; row < rows; row++) verdicts[row] = values[row]! < to ? TRUE : 0;
      break;
    case '<=':
      for (let row = 0; row < rows; row++) verdicts[row] = values[row]! <= to ? TRUE : 0;
      break;
    case '>':
      for (let row = 0; row < rows; row++) verdicts[row] = values[row]! > to ? TRUE : 0;
      break;
    case '>=':
      for (let row = 0; row < rows; row++) verdicts[row] = values[row]! >= to ? TRUE : 0;
      break;
    case '=':
      for (let row = 0; row < rows; row++) verdicts[row] = values[row] === to ? TRUE : 0;
      break;
    case '!=':
      for (let row = 0; row < rows; row++) verdicts[row] = values[row] === to ? 0 : TRUE;
  }
  if (values instanceof Float64Array)
    for (let row = 0; row < rows; row++) if (Number.isNaN(values[row]!)) verdicts[row] = UNKNOWN;
  return verdicts;
}

/**
 * The first code whose text is equal to or after `text`; with `after`, the first code whose text is after
 * `text`.
 */
export function firstCode(column: TextColumn, text: string, after: boolean): number {
  const { starts, bytes } = column;
  const wanted = Buffer.from(text, 'utf8');
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = Buffer.compare(bytes.subarray(starts[middle], starts[middle + 1]), wanted);
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

/** One verdict per code. */
function verdictsOfTexts(column: TextColumn, tree: Comparison, to: string): Uint8Array {
  if (tree.kind === 'text') return ofPassing(textsWith(column, tree.match, to));
  const passing = new Uint8Array(column.starts.length);
  if (tree.kind === 'compare') {
    const [from, behind] = [firstCode(column, to, false), firstCode(column, to, true)];
    for (let code = 1; code < passing.length; code++)
      passing[code] = holds(tree.operator, code < from ? -1 : code < behind ? 0 : 1) ? 1 : 0;
  }
  return ofPassing(passing);
}

/** Verdicts for codes that pass (1) or fail; code 0 is unknown. */
function ofPassing(passing: Uint8Array): Uint8Array {
  const verdicts = passing.map((isSo) => (isSo === 1 ? TRUE : 0));
  verdicts[0] = UNKNOWN;
  return verdicts;
}

function ofEachRow(codes: Uint32Array, ofCode: Uint8Array): Uint8Array {
  const verdicts = new Uint8Array(codes.length);
  for (let row = 0; row < codes.length; row++) verdicts[row] = ofCode[codes[row]!]!;
  return verdicts;
}

function constantTest(column: Column, tree: Comparison, to: Constant): Uint8Array {
  if (column.kind === 'text') return ofEachRow(column.codes, verdictsOfTexts(column, tree, String(to)));
  const operator = tree.kind === 'compare' ? tree.operator : '=';
  if (column.kind === 'number') return numberTest(column.values, operator, Number(to));
  const ofFlag = [false, true].map((flag) => (holds(operator, compareConstants(flag, to)) ? TRUE : 0));
  return column.values.map((flag) => ofFlag[flag]!);
}

/** The set of element symbols that pass a test, as a bit mask of four 32-bit words. */
function maskOf(symbols: readonly string[], passes: (symbol: string) => boolean): Uint32Array {
  const mask = new Uint32Array(WORDS);
  for (const [place, symbol] of symbols.entries()) if (passes(symbol)) mask[place >> 5]! |= 1 << (place & 31);
  return mask;
}

/** An element list contains each symbol once, so a list and the symbols that pass a test can be compared as bit masks. */
function elementsTest(index: ScaledIndex, tree: Extract<Filter, { kind: 'has' }>): Uint8Array {
  const { symbols, elements, ids } = index;
  const masks = tree.tests.map((parts) =>
    maskOf(symbols, (symbol) =>
      parts.every(({ operator, value }) => holds(operator, compareConstants(symbol, value))),
    ),
  );
  const any = masks.reduce(
    (sum, mask) => sum.map((word, place) => word | mask[place]!),
    new Uint32Array(WORDS),
  );
  const meets = (row: number, mask: Uint32Array): boolean => {
    const at = WORDS * row;
    return (
      ((elements[at]! & mask[0]!) |
        (elements[at + 1]! & mask[1]!) |
        (elements[at + 2]! & mask[2]!) |
        (elements[at + 3]! & mask[3]!)) !==
      0
    );
  };
  const verdicts = new Uint8Array(ids.length);
  const others = any.map((word) => ~word);
  for (let row = 0; row < ids.length; row++) {
    let passes = true;
    if (tree.match === 'only') passes = !meets(row, others);
    else if (tree.match === 'all') for (const mask of masks) passes &&= meets(row, mask);
    else passes = meets(row, any);
    verdicts[row] = passes ? TRUE : 0;
  }
  return verdicts;
}

/** A column of lists: one verdict per distinct list. */
function listTest(index: ScaledIndex, tree: Extract<Filter, { kind: 'has' }>): Uint8Array {
  const column = index.columns[tree.properties[0] ?? ''];
  if (tree.properties.length > 1 || column?.kind !== 'text' || !column.lists) return rowByRow(index, tree);
  return ofEachRow(column.codes, ofPassing(listsWith(column.lists, tree)));
}

function known(index: ScaledIndex, name: string, isKnown: boolean): Uint8Array {
  const column = index.columns[name];
  const verdicts = new Uint8Array(index.ids.length);
  if (name === 'elements' || !column) return verdicts.fill((name === 'elements') === isKnown ? TRUE : 0);
  for (let row = 0; row < verdicts.length; row++) {
    const has =
      column.kind === 'text'
        ? column.codes[row] !== 0
        : column.kind === 'flag' || !Number.isNaN(column.values[row]!);
    verdicts[row] = has === isKnown ? TRUE : 0;
  }
  return verdicts;
}

export function verdictsOf(index: ScaledIndex, tree: Filter): Uint8Array {
  switch (tree.kind) {
    case 'and':
    case 'or': {
      const [first, ...others] = tree.terms;
      const verdicts = verdictsOf(index, first!);
      for (const term of others) {
        const more = verdictsOf(index, term);
        if (tree.kind === 'and')
          for (let row = 0; row < more.length; row++) verdicts[row] = Math.min(verdicts[row]!, more[row]!);
        else for (let row = 0; row < more.length; row++) verdicts[row] = Math.max(verdicts[row]!, more[row]!);
      }
      return verdicts;
    }
    case 'not': {
      const verdicts = verdictsOf(index, tree.term);
      for (let row = 0; row < verdicts.length; row++) verdicts[row] = TRUE - verdicts[row]!;
      return verdicts;
    }
    case 'known':
      return known(index, tree.property, tree.isKnown);
    case 'compare':
    case 'text': {
      const column = index.columns[tree.property];
      if (!column) return new Uint8Array(index.ids.length).fill(UNKNOWN);
      return 'value' in tree.to ? constantTest(column, tree, tree.to.value) : rowByRow(index, tree);
    }
    case 'has':
      return tree.properties.join() === 'elements' ? elementsTest(index, tree) : listTest(index, tree);
    default:
      return rowByRow(index, tree);
  }
}

// Tests all distinct texts of a column directly in their concatenated bytes, without creating strings.

type TextMatch = Extract<Filter, { kind: 'text' }>['match'];
type ListTest = Pick<Extract<Filter, { kind: 'has' }>, 'match' | 'tests'>;

const hasAt = (bytes: Uint8Array, at: number, part: Uint8Array): boolean => {
  for (let place = 0; place < part.length; place++) if (bytes[at + place] !== part[place]) return false;
  return true;
};

/** 1 for the code of every text with the given start, end or part. */
function textsWith({ starts, bytes }: TextColumn, match: TextMatch, text: string): Uint8Array {
  const part = Buffer.from(text, 'utf8');
  const passing = new Uint8Array(starts.length);
  for (let code = 1; code < starts.length; code++) {
    const first = starts[code - 1]!;
    const last = starts[code]! - part.length;
    const to = match === 'starts' ? Math.min(first, last) : last;
    for (let at = match === 'ends' ? Math.max(first, last) : first; at <= to; at++)
      if (hasAt(bytes, at, part)) {
        passing[code] = 1;
        break;
      }
  }
  return passing;
}

/** 1 for the code of every list that passes. */
function listsWith({ starts, entries }: NumberLists, { match, tests }: ListTest): Uint8Array {
  const parts = tests.map(([part]) => ({ operator: part!.operator, to: Number(part!.value) }));
  const passes = (at: number, place: number): boolean => {
    const { operator, to } = parts[place]!;
    return holds(operator, entries[at]! - to);
  };
  const isMet = (place: number, from: number, end: number): boolean => {
    for (let at = from; at < end; at++) if (passes(at, place)) return true;
    return false;
  };
  const areAllNamed = (from: number, end: number): boolean => {
    for (let at = from; at < end; at++) if (!parts.some((_, place) => passes(at, place))) return false;
    return true;
  };
  const passing = new Uint8Array(starts.length);
  for (let code = 1; code < starts.length; code++) {
    const [from, end] = [starts[code - 1]!, starts[code]!];
    const isSo =
      match === 'only'
        ? areAllNamed(from, end)
        : match === 'all'
          ? parts.every((_, place) => isMet(place, from, end))
          : parts.some((_, place) => isMet(place, from, end));
    passing[code] = isSo ? 1 : 0;
  }
  return passing;
}
