/** Splits a filter into tokens: names, keywords, texts, numbers, signs. */
import { errorAt } from './filter-error.ts';
import type { Operator } from './tree.ts';

const KEYWORDS = [
  'AND',
  'OR',
  'NOT',
  'IS',
  'KNOWN',
  'UNKNOWN',
  'CONTAINS',
  'STARTS',
  'ENDS',
  'WITH',
  'HAS',
  'ALL',
  'ANY',
  'ONLY',
  'LENGTH',
  'TRUE',
  'FALSE',
] as const;
export type Keyword = (typeof KEYWORDS)[number];
export type Sign = '(' | ')' | ',' | ':';

export type Token = { readonly at: number } & (
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'keyword'; readonly word: Keyword }
  | { readonly kind: 'operator'; readonly operator: Operator }
  | { readonly kind: 'sign'; readonly sign: Sign }
  | { readonly kind: 'text' | 'number'; readonly value: string | number }
  | { readonly kind: 'end' }
);

const SPACE = /[ \t\n\r\f\v]+/y;
const WORD = /[A-Za-z_]\w*(?:\.\w+)*/y;
const PROPERTY = /^[a-z_][a-z_0-9]*(?:\.[a-z_][a-z_0-9]*)*$/;
const OPERATOR = /<=|>=|!=|<|>|=/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const TEXT = /"((?:[^"\\]|\\["\\])*)"/y;
/** A calculated number in place of a property: `[bulk_modulus / density] > 20`. */
const EXPRESSION = /\[[^[\]]*\]/y;

const isKeyword = (word: string): word is Keyword => KEYWORDS.some((keyword) => keyword === word);

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function tokenAt(text: string, at: number): { readonly token: Token; readonly end: number } {
  const first = text[at]!;
  if ('(),:'.includes(first)) return { token: { kind: 'sign', sign: first as Sign, at }, end: at + 1 };
  const operator = matchAt(OPERATOR, text, at);
  if (operator)
    return {
      token: { kind: 'operator', operator: operator[0] as Operator, at },
      end: OPERATOR.lastIndex,
    };
  const word = matchAt(WORD, text, at)?.[0];
  if (word !== undefined && PROPERTY.test(word))
    return { token: { kind: 'property', name: word, at }, end: WORD.lastIndex };
  if (word !== undefined && isKeyword(word))
    return { token: { kind: 'keyword', word, at }, end: WORD.lastIndex };
  const expression = matchAt(EXPRESSION, text, at)?.[0];
  if (expression !== undefined)
    return { token: { kind: 'property', name: expression, at }, end: EXPRESSION.lastIndex };
  if (first === '[')
    throw errorAt(text, at, 'unclosed-expression', 'this expression does not end: close it with ]');
  const quoted = matchAt(TEXT, text, at);
  if (quoted)
    return {
      token: { kind: 'text', value: quoted[1]!.replace(/\\(.)/gs, '$1'), at },
      end: TEXT.lastIndex,
    };
  if (first === '"')
    throw errorAt(
      text,
      at,
      'unclosed-text',
      'this text does not end: close it with ", and write \\" and \\\\ for " and \\ in it',
    );
  const number = matchAt(NUMBER, text, at);
  if (number) {
    const value = Number(number[0]);
    if (!Number.isFinite(value))
      throw errorAt(text, at, 'number-range', `${number[0].slice(0, 20)} is too large a number`);
    return { token: { kind: 'number', value, at }, end: NUMBER.lastIndex };
  }
  const found = word?.slice(0, 20) ?? String.fromCodePoint(text.codePointAt(at)!);
  throw errorAt(
    text,
    at,
    'unexpected-character',
    `"${found}" is not part of the filter language: properties are written in small letters, texts in double quotes, numbers without a unit`,
    { found },
  );
}

/** @throws FilterError */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (true) {
    if (matchAt(SPACE, text, at)) at = SPACE.lastIndex;
    if (at >= text.length) break;
    const { token, end } = tokenAt(text, at);
    tokens.push(token);
    at = end;
  }
  tokens.push({ kind: 'end', at });
  return tokens;
}
