/** Damage to texts and JSON values, from a seeded random source: the same seed gives the same damage. */
import type { RandomSource } from '@unitcell/numerics';

export const below = (random: RandomSource, limit: number): number => Math.floor(random() * limit);

export const oneOf = <T>(random: RandomSource, items: readonly T[]): T => {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new RangeError('nothing to choose from');
  return item;
};

/** Numbers that break sums, angles that close no cell, lengths without measure. */
const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  1e-12,
  1e-6,
  0.009,
  0.0194,
  0.1,
  2,
  89.999,
  90,
  120,
  179.99,
  180,
  360,
  999,
  3600,
  9999,
  1e5,
  999_999_999,
  1e9,
  1e12,
  1e17,
  1e300,
  -1e300,
  4_294_967_296,
  1 / 3,
] as const;

const SPLINTERS = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\0',
  '\ufeff',
  '\u00a0',
  '"',
  "'",
  '\n;\n',
  '#',
  '_',
  ',',
  ';',
  ':',
  '-',
  '*',
  '.',
  '(',
  ')',
  '[',
  '{',
  '}',
  '?',
  '+',
  '%',
  'NaN',
  'Infinity',
  '1e999',
  '-1e999',
  '1/0',
  'loop_',
  'data_',
  'save_',
  'x,y,z',
  '-x+1/2,y,z',
  'Direct',
  'Cartesian',
  'Fe',
  'Xx',
  'D',
  'Og',
  'P 1',
  '-P 4n 2n',
  '__proto__',
  'constructor',
  '((((((((',
  '9'.repeat(300),
  '₂',
  'é',
  '\u{1F9EA}',
  '\ud800',
] as const;

export const anyNumber = (random: RandomSource): number => {
  const kind = below(random, 4);
  if (kind === 0) return oneOf(random, NUMBERS);
  if (kind === 1) return 10 ** (24 * random() - 12);
  if (kind === 2) return below(random, 10_000);
  return 20 * random() - 10;
};

const numberText = (random: RandomSource): string => {
  const value = anyNumber(random);
  return random() < 0.3 ? value.toExponential(3) : String(value);
};

const NUMBER = /[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** One number of the text becomes another. */
function changeNumber(text: string, random: RandomSource): string {
  const found = [...text.matchAll(NUMBER)];
  if (found.length === 0) return text;
  const { index, 0: old } = oneOf(random, found);
  const value = Number(old);
  const changed =
    random() < 0.5 ? numberText(random) : String(value * oneOf(random, [-1, 0, 0.001, 1.01, 10, 1000]));
  return text.slice(0, index) + changed + text.slice(index + old.length);
}

function splice(text: string, random: RandomSource): string {
  const at = below(random, text.length + 1);
  const length = below(random, random() < 0.2 ? 200 : 8);
  const piece = text.slice(at, at + length);
  switch (below(random, 5)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at) + oneOf(random, SPLINTERS) + text.slice(at);
    case 2:
      return text.slice(0, at) + oneOf(random, SPLINTERS) + text.slice(at + length);
    case 3:
      return text.slice(0, at) + String.fromCharCode(below(random, 256)) + text.slice(at + 1);
    default: {
      const to = below(random, text.length + 1);
      return text.slice(0, to) + piece.repeat(1 + below(random, 4)) + text.slice(to);
    }
  }
}

/** A line left out, doubled or moved. */
function moveLine(text: string, random: RandomSource): string {
  const lines = text.split('\n');
  const from = below(random, lines.length);
  const line = lines[from] ?? '';
  if (random() < 0.5) lines.splice(from, 1);
  if (random() < 0.7) lines.splice(below(random, lines.length + 1), 0, line);
  return lines.join('\n');
}

/** A text with one to five injuries, at most `limit` characters. */
export function mutateText(text: string, random: RandomSource, limit = 10_000): string {
  let mutant = text;
  for (let count = 1 + below(random, 5); count > 0; count--) {
    const kind = random();
    if (kind < 0.45) mutant = changeNumber(mutant, random);
    else if (kind < 0.85) mutant = splice(mutant, random);
    else mutant = moveLine(mutant, random);
  }
  return mutant.slice(0, limit);
}

const OTHER_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  '0',
  [],
  {},
  '\u0000',
  'Fe',
  [[]],
  Number.POSITIVE_INFINITY,
  { length: 3 },
];

const isContainer = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === 'object' && value !== null;

function mutateNode(value: unknown, random: RandomSource): unknown {
  if (Array.isArray(value) && value.length > 0 && random() < 0.85) {
    const at = below(random, value.length);
    const copy: unknown[] = [...value];
    const kind = random();
    if (kind < 0.06) copy.splice(at, 1);
    else if (kind < 0.12) copy.splice(at, 0, copy[below(random, copy.length)]);
    else copy[at] = mutateNode(copy[at], random);
    return copy;
  }
  if (isContainer(value) && !Array.isArray(value) && Object.keys(value).length > 0 && random() < 0.9) {
    const key = oneOf(random, Object.keys(value));
    const { [key]: inner, ...others } = value;
    if (random() < 0.05) return others;
    if (random() < 0.03) return { ...others, [oneOf(random, SPLINTERS)]: inner };
    return { ...value, [key]: mutateNode(inner, random) };
  }
  if (typeof value === 'number' && random() < 0.9)
    return random() < 0.6 ? anyNumber(random) : value * oneOf(random, [-1, 0, 1e-4, 0.5, 1.001, 10, 900]);
  if (typeof value === 'string' && random() < 0.8) return mutateText(value, random, 2000);
  return oneOf(random, OTHER_VALUES);
}

/** A JSON value with one to four injuries somewhere inside. */
export function mutateJson(value: unknown, random: RandomSource): unknown {
  let mutant = value;
  for (let count = 1 + below(random, 4); count > 0; count--) mutant = mutateNode(mutant, random);
  return mutant;
}

/** Bytes with one to four injuries: some changed, cut off at the end, left out, put in or doubled. */
export function mutateBytes(bytes: Uint8Array, random: RandomSource): Uint8Array {
  let mutant = Buffer.from(bytes);
  for (let count = 1 + below(random, 4); count > 0; count--) {
    const at = below(random, mutant.length + 1);
    const length = 1 + below(random, random() < 0.2 ? 200 : 8);
    const kind = random();
    if (kind < 0.4) {
      for (let i = at; i < Math.min(at + length, mutant.length); i++)
        mutant[i] = random() < 0.3 ? oneOf(random, [0, 0x7f, 0x80, 0xff]) : below(random, 256);
    } else if (kind < 0.6) mutant = mutant.subarray(0, at);
    else if (kind < 0.8) mutant = Buffer.concat([mutant.subarray(0, at), mutant.subarray(at + length)]);
    else mutant = Buffer.concat([mutant.subarray(0, at + length), mutant.subarray(at)]);
  }
  return mutant;
}
