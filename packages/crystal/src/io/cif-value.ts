/**
 * Text as a CIF 1.1 value: bare words never, quotation where one line and the marks allow it, a text field else.
 *
 * International Tables G (2005), chapter 2.2: a quotation ends with its mark before white space, so a mark inside a
 * word is harmless; a text field ends with a line that starts with a semicolon; lines have at most 2,048 characters
 * and characters are those of ASCII.
 */

/** Characters on a line of a text field; the standard allows 2,048 with everything around them. */
const MAX_LINE = 2000;
/** Quotations longer than this are easier to read as text fields. */
const MAX_QUOTATION = 120;

/**
 * `text` as the value of an item. What is no printable ASCII is written as `\u{…}` with its code point; empty text is
 * `?`, unknown.
 * @example cifText("Alice's data") // 'Alice's data' in single quotation marks
 */
export function cifText(text: string): string {
  const trimmed = text.replaceAll('\r\n', '\n').trim();
  const ascii = /^[ -~]*$/.test(trimmed) ? trimmed : Array.from(trimmed, printable).join('');
  if (ascii === '') return '?';
  if (!ascii.includes('\n') && ascii.length <= MAX_QUOTATION)
    for (const mark of ["'", '"']) if (!endsInside(ascii, mark)) return `${mark}${ascii}${mark}`;
  const lines = ascii.split('\n').flatMap(folded);
  // A line that starts with a semicolon would end the field.
  return `\n;${lines.map((line, index) => (index > 0 && line.startsWith(';') ? ` ${line}` : line)).join('\n')}\n;`;
}

function printable(character: string): string {
  if (character === '\n') return character;
  if (character === '\t') return ' ';
  const code = character.codePointAt(0)!;
  return code >= 32 && code < 127 ? character : `\\u{${code.toString(16)}}`;
}

/** Whether a quotation with this mark would end before the text does. */
const endsInside = (text: string, mark: string): boolean => text.includes(`${mark} `);

function folded(line: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at === 0 || at < line.length; at += MAX_LINE) parts.push(line.slice(at, at + MAX_LINE));
  return parts;
}
