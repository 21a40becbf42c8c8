/**
 * Splits CIF 1.1 text into data blocks of items and loops, in one pass over the characters.
 *
 * S. R. Hall, F. H. Allen & I. D. Brown, Acta Cryst. A47 (1991) 655; International Tables for Crystallography
 * G (2005), chapter 2.2. Values are sliced from the text only when read, so memory grows with the number of
 * words, not with their length.
 */
import { findElement, isElementSymbol } from '@unitcell/elements';
import { refuseAt, shown } from './text.ts';

// Element symbols from the names that files give to atoms: `Fe3+`, `O2-`, `Fe1A`, `OW2`, `FE1`, `D1`,
// `Cs_sv`.

/** Isotopes, and names that denote an element: deuterium, tritium, the oxygen of water and of hydroxide. */
const ALIASES: Readonly<Record<string, string>> = { D: 'H', T: 'H', Wat: 'O', Hw: 'H', Ow: 'O', Oh: 'O' };

/**
 * Atomic number of californium. No crystals of heavier elements are known, so `NH4` and `CN` are not read as Nh and Cn.
 */
const LAST_IN_CRYSTALS = 98;

const isLetter = (character: string | undefined): boolean =>
  character !== undefined &&
  ((character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z'));

const capitalised = (letters: string): string =>
  letters.slice(0, 1).toUpperCase() + letters.slice(1).toLowerCase();

/**
 * The element at the start of an atom's name, or undefined. Deuterium and tritium count as hydrogen. Two letters are
 * tried before one; `hinted` (the elements of the declared formula) decides where both are possible: `CA1` is carbon
 * when the formula has carbon and no calcium.
 */
export function elementOfName(name: string, hinted?: ReadonlySet<string>): string | undefined {
  let end = 0;
  while (isLetter(name[end]) && end < 4) end++;
  const letters = name.slice(0, end);
  if (letters === '') return undefined;
  const whole = ALIASES[capitalised(letters)];
  if (whole !== undefined && !isElementSymbol(capitalised(letters))) return whole;
  const two = capitalised(letters.slice(0, 2));
  const one = capitalised(letters.slice(0, 1));
  const candidates: string[] = [];
  const isLowerCase = letters.length >= 2 && letters[1] >= 'a';
  const number = letters.length >= 2 ? findElement(two)?.number : undefined;
  if (number !== undefined && (isLowerCase || number <= LAST_IN_CRYSTALS)) candidates.push(two);
  const single = ALIASES[one] ?? one;
  if (isElementSymbol(single)) candidates.push(single);
  return candidates.find((candidate) => hinted?.has(candidate)) ?? candidates[0];
}

/** A value and its position. Unquoted `?` and `.` mean unknown and not applicable. */
export interface CifValue {
  readonly text: string;
  readonly offset: number;
  readonly isQuoted: boolean;
}

interface CifLoop {
  /** Lower case, with `_` for the `.` of newer dictionaries. */
  readonly tags: readonly string[];
  readonly offset: number;
  /** Offset of the first quotation mark without a closing mark on its line. */
  readonly brokenAt: number | undefined;
  /** Values in reading order; `values.length / tags.length` rows. */
  readonly values: { readonly length: number; at(index: number): CifValue };
}

export interface CifBlock {
  readonly name: string;
  /** False for content before the first `data_`, where CIF allows no block. */
  readonly hasHeading: boolean;
  readonly offset: number;
  readonly items: ReadonlyMap<string, CifValue>;
  readonly loops: readonly CifLoop[];
}

const KIND = {
  tag: 0,
  loop: 1,
  data: 2,
  saveStart: 3,
  saveEnd: 4,
  word: 5,
  quoted: 6,
  ignored: 7,
  broken: 8,
} as const;

/** Words of the text: kind, first and last offset, in three flat lists. */
interface Words {
  readonly kinds: number[];
  readonly starts: number[];
  readonly ends: number[];
}

const LINE_FEED = 10;
const isSpace = (code: number): boolean =>
  code === 32 || code === 9 || code === LINE_FEED || code === 11 || code === 12;

/** First letters of `data_`, `save_`, `loop_`, `stop_` and `global_`. */
const RESERVED_LETTERS: ReadonlySet<number> = new Set(Array.from('dslg', (letter) => letter.charCodeAt(0)));

/** The kind of an unquoted word: only five words are reserved, in any letter case. */
function wordKind(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start);
  if (first === 95) return KIND.tag;
  const length = end - start;
  // `| 32` makes the letter lower case. Most words are numbers, so their letters need not be checked.
  if (length < 5 || !RESERVED_LETTERS.has(first | 32)) return KIND.word;
  const head = text.slice(start, Math.min(end, start + 7)).toLowerCase();
  if (head.startsWith('data_')) return KIND.data;
  if (head.startsWith('save_')) return length === 5 ? KIND.saveEnd : KIND.saveStart;
  if (head === 'loop_' && length === 5) return KIND.loop;
  const isReserved = (head === 'stop_' && length === 5) || (head === 'global_' && length === 7);
  return isReserved ? KIND.ignored : KIND.word;
}

/**
 * End of a quoted string: the same quote followed by a blank or the end of the line. If the quote is missing, the
 * string ends with the line: files whose titles were wrapped by another program still have valid cells and atoms.
 */
function endOfQuotation(text: string, start: number): { end: number; isClosed: boolean } {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED) return { end: at, isClosed: false };
    if (code === quote && (at + 1 === text.length || isSpace(text.charCodeAt(at + 1))))
      return { end: at, isClosed: true };
  }
  return { end: text.length, isClosed: false };
}

function splitWords(text: string): Words {
  const words: Words = { kinds: [], starts: [], ends: [] };
  const add = (kind: number, start: number, end: number): void => {
    words.kinds.push(kind);
    words.starts.push(start);
    words.ends.push(end);
  };
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      at++;
    } else if (code === 35) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end;
    } else if (code === 59 && (at === 0 || text.charCodeAt(at - 1) === LINE_FEED)) {
      const end = text.indexOf('\n;', at);
      if (end < 0)
        refuseAt(text, at, 'this text field is never closed; expected a line that starts with ";"', {
          reason: 'cif-open-text',
        });
      add(KIND.quoted, at + 1, end);
      at = end + 2;
    } else if (code === 39 || code === 34) {
      const { end, isClosed } = endOfQuotation(text, at);
      add(isClosed ? KIND.quoted : KIND.broken, at + 1, end);
      at = isClosed ? end + 1 : end;
    } else {
      const start = at;
      while (at < text.length && !isSpace(text.charCodeAt(at))) at++;
      add(wordKind(text, start, at), start, at);
    }
  }
  return words;
}

const normalTag = (tag: string): string => tag.toLowerCase().replaceAll('.', '_');

interface OpenBlock extends CifBlock {
  readonly items: Map<string, CifValue>;
  readonly loops: CifLoop[];
}

/**
 * The data blocks of a CIF, in order. Text before the first `data_` counts as a block without a name. Save
 * frames and values without a tag are ignored.
 * @param text with line feeds only (`plainText`)
 * @throws CrystalError `cif` for a text field that is not closed.
 */
export function readCifBlocks(text: string): readonly CifBlock[] {
  const { kinds, starts, ends } = splitWords(text);
  const valueAt = (index: number): CifValue => ({
    text: text.slice(starts[index], ends[index]),
    offset: starts[index],
    isQuoted: kinds[index] === KIND.quoted,
  });
  const isValue = (index: number): boolean =>
    kinds[index] === KIND.word || kinds[index] === KIND.quoted || kinds[index] === KIND.broken;
  const blocks: OpenBlock[] = [];
  const openBlock = (name: string, hasHeading: boolean, offset: number): OpenBlock => {
    const block: OpenBlock = { name, hasHeading, offset, items: new Map(), loops: [] };
    blocks.push(block);
    return block;
  };
  let block: OpenBlock | undefined;
  let isInSaveFrame = false;
  let at = 0;
  while (at < kinds.length) {
    const kind = kinds[at];
    if (kind === KIND.data) {
      block = openBlock(text.slice(starts[at] + 5, ends[at]), true, starts[at]);
      isInSaveFrame = false;
      at++;
      continue;
    }
    if (kind === KIND.saveStart || kind === KIND.saveEnd) isInSaveFrame = kind === KIND.saveStart;
    if (isInSaveFrame || (kind !== KIND.tag && kind !== KIND.loop)) {
      at++;
      continue;
    }
    block ??= openBlock('', false, starts[at]);
    if (kind === KIND.tag) {
      const tag = normalTag(text.slice(starts[at], ends[at]));
      if (isValue(at + 1) && !block.items.has(tag)) block.items.set(tag, valueAt(at + 1));
      at += isValue(at + 1) ? 2 : 1;
      continue;
    }
    const offset = starts[at];
    const tags: string[] = [];
    for (at++; kinds[at] === KIND.tag; at++) tags.push(normalTag(text.slice(starts[at], ends[at])));
    const first = at;
    let brokenAt: number | undefined;
    for (; isValue(at); at++) if (kinds[at] === KIND.broken) brokenAt ??= starts[at];
    block.loops.push({
      tags,
      offset,
      brokenAt,
      values: { length: at - first, at: (index) => valueAt(first + index) },
    });
  }
  return blocks;
}

/** The rows of a loop, read by row and tag. The number of values has been checked. */
export interface CifTable {
  readonly rows: number;
  readonly offset: number;
  has(tag: string): boolean;
  value(row: number, tag: string): CifValue | undefined;
}

/**
 * The loop that holds any of the tags, as a table; undefined if no loop does.
 * @throws CrystalError `cif` when a row is cut short or a quotation in the loop is not closed.
 */
export function tableWith(text: string, block: CifBlock, tags: readonly string[]): CifTable | undefined {
  const loop = block.loops.find((candidate) => tags.some((tag) => candidate.tags.includes(tag)));
  if (!loop) return undefined;
  if (loop.brokenAt !== undefined)
    refuseAt(
      text,
      loop.brokenAt,
      'this quotation is not closed on its line; expected the same quote and a blank',
      { reason: 'cif-open-quotation' },
    );
  const width = loop.tags.length;
  const rows = Math.floor(loop.values.length / width);
  const missing = loop.values.length - rows * width;
  if (missing !== 0) {
    const last = loop.values.at(loop.values.length - 1);
    refuseAt(
      text,
      last.offset,
      `the loop of ${shown(loop.tags[0])} has ${loop.values.length} values for ${width} columns; the last row, ending in "${shown(last.text)}", is not complete`,
      {
        reason: 'cif-incomplete-row',
        tag: shown(loop.tags[0]),
        values: loop.values.length,
        columns: width,
        found: shown(last.text),
      },
    );
  }
  const columns = new Map(loop.tags.map((tag, index) => [tag, index]));
  return {
    rows,
    offset: loop.offset,
    has: (tag) => columns.has(tag),
    value: (row, tag) => {
      const column = columns.get(tag);
      return column === undefined ? undefined : loop.values.at(row * width + column);
    },
  };
}
