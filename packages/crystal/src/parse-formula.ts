/**
 * Parsing chemical formulas, one character at a time.
 *
 *   formula  = part { dot part }            dot = '·' | '•' | '∙' | '⋅' | '*' | '.' (not inside a number)
 *   part     = [ number ] group { group }   the number multiplies the whole part: CuSO4·5H2O
 *   group    = ( symbol | '(' part ')' | '[' part ']' | '{' part '}' ) [ number ]
 *   number   = digits [ '.' digits ]        ordinary or subscript digits
 *
 * Blanks may appear anywhere between the tokens. A '.' between digits is a decimal point, except before water
 * at the very end: CuSO4.5H2O is the pentahydrate, Li0.5CoO2 and Li1.5CoO2 are not.
 */
import { isElementSymbol } from '@unitcell/elements';
import { type Composition, MAX_FORMULA_AMOUNT, MIN_FORMULA_AMOUNT } from './composition.ts';
import { CrystalError, type CrystalRefusal } from './error.ts';

/**
 * Longest formula read. Formulas of real minerals have less than 200 characters; the longest formula that can be
 * written, all elements with amounts of nine digits and four decimals, also fits.
 */
export const MAX_FORMULA_LENGTH = 2000;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const DOTS = '·•∙⋅*';
const SUBSCRIPT_ZERO = 0x2080;

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9';
const isUpper = (character: string | undefined): boolean =>
  character !== undefined && character >= 'A' && character <= 'Z';
const isLower = (character: string | undefined): boolean =>
  character !== undefined && character >= 'a' && character <= 'z';
const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** Replaces subscript digits and unusual blanks by plain ones, character by character. */
function plainCharacters(text: string): string[] {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0)! - SUBSCRIPT_ZERO;
    if (code >= 0 && code <= 9) return String(code);
    return character === '\u00a0' || character === '\u2009' || character === '\u202f' ? ' ' : character;
  });
}

interface OpenGroup {
  readonly amounts: Map<string, number>;
  readonly closing: string;
  readonly openedAt: number;
}

/**
 * Amounts of the elements in a formula: `parseFormula('Li(CoO2)2')` is `{ Li: 1, Co: 2, O: 4 }`. Brackets may be
 * nested; time and memory grow linearly with the length.
 * @throws CrystalError `formula` naming the position (from 1) and the cause.
 */
export function parseFormula(text: string): Composition {
  if (text.length > MAX_FORMULA_LENGTH)
    throw new CrystalError(
      'formula',
      `the formula has ${text.length} characters: at most ${MAX_FORMULA_LENGTH} are read`,
      { why: { reason: 'formula-too-long', length: text.length, limit: MAX_FORMULA_LENGTH } },
    );
  const characters = plainCharacters(text);
  const refuse = (at: number, cause: string, why: CrystalRefusal): never => {
    throw new CrystalError('formula', `formula "${text}", position ${at + 1}: ${cause}`, {
      why: { ...why, position: at + 1 },
    });
  };
  const refuseAmount = (position: number, found: string): never =>
    refuse(position, `the amount ${found} is not between ${MIN_FORMULA_AMOUNT} and ${MAX_FORMULA_AMOUNT}`, {
      reason: 'formula-amount',
      found,
      least: MIN_FORMULA_AMOUNT,
      limit: MAX_FORMULA_AMOUNT,
    });
  let at = 0;
  const skipBlanks = (): void => {
    while (isBlank(characters[at])) at++;
  };
  const trimmedEnd = ((): number => {
    let end = characters.length;
    while (isBlank(characters[end - 1])) end--;
    return end;
  })();
  /** Whether the rest of the text, just after a dot, is "nH2O". */
  const isWaterAtEnd = (start: number): boolean => {
    let i = start;
    while (isDigit(characters[i])) i++;
    return characters.slice(i, trimmedEnd).join('') === 'H2O';
  };
  const readNumber = (): number | undefined => {
    skipBlanks();
    const start = at;
    while (isDigit(characters[at])) at++;
    const isDecimal =
      characters[at] === '.' &&
      isDigit(characters[at + 1]) &&
      !(at > start && characters[at - 1] !== '0' && isWaterAtEnd(at + 1));
    if (isDecimal) {
      at++;
      while (isDigit(characters[at])) at++;
    }
    if (at === start) return undefined;
    const written = characters.slice(start, at).join('');
    const value = Number(written);
    if (!(value >= MIN_FORMULA_AMOUNT && value <= MAX_FORMULA_AMOUNT)) refuseAmount(start, written);
    return value;
  };
  const add = (into: Map<string, number>, element: string, amount: number, from: number): void => {
    const sum = (into.get(element) ?? 0) + amount;
    if (sum > MAX_FORMULA_AMOUNT)
      refuse(from, `more than ${MAX_FORMULA_AMOUNT} atoms of ${element}`, {
        reason: 'formula-too-many-atoms',
        element,
        limit: MAX_FORMULA_AMOUNT,
      });
    into.set(element, sum);
  };

  const total = new Map<string, number>();
  let part = new Map<string, number>();
  let partFactor = 1;
  const stack: OpenGroup[] = [];
  const startPart = (): void => {
    part = new Map();
    partFactor = readNumber() ?? 1;
  };
  const endPart = (): void => {
    if (part.size === 0)
      refuse(at, 'an element symbol was expected here', { reason: 'formula-element-expected' });
    for (const [element, amount] of part) add(total, element, amount * partFactor, at);
  };
  const target = (): Map<string, number> => stack[stack.length - 1]?.amounts ?? part;

  startPart();
  for (skipBlanks(); at < characters.length; skipBlanks()) {
    const character = characters[at];
    const start = at;
    if (isUpper(character)) {
      at++;
      while (isLower(characters[at])) at++;
      const symbol = characters.slice(start, at).join('');
      if (!isElementSymbol(symbol))
        refuse(start, `"${symbol}" is no element symbol`, {
          reason: 'formula-unknown-element',
          found: symbol,
        });
      add(target(), symbol, readNumber() ?? 1, start);
    } else if (character in CLOSING) {
      at++;
      stack.push({ amounts: new Map(), closing: CLOSING[character], openedAt: start });
    } else if (character === ')' || character === ']' || character === '}') {
      const group =
        stack.pop() ??
        refuse(start, `"${character}" closes nothing`, {
          reason: 'formula-unopened-bracket',
          found: character,
        });
      if (group.closing !== character)
        refuse(
          start,
          `"${character}" closes the bracket of position ${group.openedAt + 1}; expected "${group.closing}"`,
          {
            reason: 'formula-wrong-bracket',
            found: character,
            opened: group.openedAt + 1,
            expected: group.closing,
          },
        );
      if (group.amounts.size === 0)
        refuse(start, 'the brackets are empty', { reason: 'formula-empty-brackets' });
      at++;
      const factor = readNumber() ?? 1;
      for (const [element, amount] of group.amounts) add(target(), element, amount * factor, start);
    } else if (character === '.' || DOTS.includes(character)) {
      if (stack.length > 0)
        refuse(start, 'a dot stands inside brackets', { reason: 'formula-dot-in-brackets' });
      endPart();
      at++;
      startPart();
    } else {
      refuse(
        start,
        `"${character}" was not expected: a formula is made of symbols, amounts and brackets, such as Li3PS4`,
        { reason: 'formula-unexpected', found: character },
      );
    }
  }
  const open = stack.pop();
  if (open)
    refuse(open.openedAt, `this bracket is never closed; expected "${open.closing}"`, {
      reason: 'formula-open-bracket',
      expected: open.closing,
    });
  endPart();
  // Products of small amounts can fall below the minimum: (Li0.001)0.001.
  for (const amount of total.values()) if (amount < MIN_FORMULA_AMOUNT) refuseAmount(at, String(amount));
  return Object.fromEntries(total);
}
