/** Text preparation for the parsers, and text positions for error messages. */
import { CrystalError, type CrystalRefusal } from '../error.ts';
import { MAX_TEXT_LENGTH } from './limits.ts';

const BYTE_ORDER_MARK = '\ufeff';

/**
 * The text without byte-order mark and with line feeds only.
 * @throws CrystalError `too-large`
 */
export function plainText(text: string): string {
  if (text.length > MAX_TEXT_LENGTH)
    throw new CrystalError(
      'too-large',
      `the text has ${text.length} characters: at most ${MAX_TEXT_LENGTH} are read`,
      { why: { reason: 'text-too-long', length: text.length, limit: MAX_TEXT_LENGTH } },
    );
  const start = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return start.includes('\r') ? start.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : start;
}

/** Line and column, both from 1, of an offset in the text. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', end + 1)) {
    line++;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** Throws an error that points at an offset of a CIF. */
export function refuseAt(text: string, offset: number, message: string, why: CrystalRefusal): never {
  throw new CrystalError('cif', message, { ...placeOf(text, offset), why });
}

/** A word of the file for an error message: shortened, control characters replaced. */
export function shown(word: string): string {
  const cut = word.length > 40 ? `${word.slice(0, 40)}…` : word;
  return Array.from(cut, (character) => (character < ' ' ? ' ' : character)).join('');
}

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';

/**
 * A number as written in files: sign, digits, point, exponent with e or Fortran's d, and an uncertainty in
 * brackets, which is ignored. Undefined for anything else and on overflow.
 * @example parseFileNumber('5.431(2)') // 5.431
 */
export function parseFileNumber(word: string): number | undefined {
  let at = word[0] === '+' || word[0] === '-' ? 1 : 0;
  const start = at;
  while (isDigit(word[at])) at++;
  let digits = at - start;
  if (word[at] === '.') {
    at++;
    const fraction = at;
    while (isDigit(word[at])) at++;
    digits += at - fraction;
  }
  if (digits === 0) return undefined;
  let plain = word.slice(0, at);
  if (word[at] !== undefined && 'eEdD'.includes(word[at])) {
    const exponent = at + (word[at + 1] === '+' || word[at + 1] === '-' ? 2 : 1);
    let end = exponent;
    while (isDigit(word[end])) end++;
    if (end === exponent) return undefined;
    plain = `${plain}e${word.slice(at + 1, end)}`;
    at = end;
  }
  if (word[at] === '(') {
    let end = at + 1;
    while (isDigit(word[end]) || word[end] === '.') end++;
    if (end === at + 1 || word[end] !== ')') return undefined;
    at = end + 1;
  }
  const value = at === word.length ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

// Minimal XML parsing for machine-written files: finds elements by name, and their attributes. It does not
// handle entities, comments or nested elements of the same name; callers refuse files that declare entities.

/**
 * The next opening tag of a name, searched from `from`, and the offset after it. A damaged file may contain many
 * unclosed tags.
 */
function tagFrom(text: string, name: string, from: number): { tag: string; end: number } | null {
  const open = `<${name}`;
  for (let at = text.indexOf(open, from); at >= 0; at = text.indexOf(open, at + 1)) {
    if (/\w/.test(text.charAt(at + open.length))) continue;
    const end = text.indexOf('>', at);
    return end < 0 ? null : { tag: text.slice(at, end), end: end + 1 };
  }
  return null;
}

/**
 * Everything between the first opening tag of a name with these attributes and the next closing tag; null if there is
 * none.
 */
export function inside(text: string, name: string, attributes = ''): string | null {
  let open = tagFrom(text, name, 0);
  while (open && !open.tag.includes(attributes)) open = tagFrom(text, name, open.end);
  const end = open ? text.indexOf(`</${name}>`, open.end) : -1;
  return open && end >= 0 ? text.slice(open.end, end) : null;
}

export interface XmlElement {
  /** The opening tag without its closing bracket. */
  readonly tag: string;
  readonly body: string;
}

/** All elements of a name; elements of that name must not be nested. */
export function xmlElements(text: string, name: string): XmlElement[] {
  const close = `</${name}>`;
  const all: XmlElement[] = [];
  for (let open = tagFrom(text, name, 0); open; ) {
    const end = text.indexOf(close, open.end);
    if (end < 0) break;
    all.push({ tag: open.tag, body: text.slice(open.end, end) });
    open = tagFrom(text, name, end + close.length);
  }
  return all;
}

/** The bodies of all elements of a name; elements of that name must not be nested. */
export const bodies = (text: string, name: string): string[] =>
  xmlElements(text, name).map(({ body }) => body);

/** The value of an attribute of a tag, or of the first tag of a text that has it. */
export const xmlAttribute = (text: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]{0,200})"`).exec(text)?.[1];

/** Whether the text declares a document type or an entity. */
export const declaresEntities = (text: string): boolean => /<!(?:DOCTYPE|ENTITY)/i.test(text);
