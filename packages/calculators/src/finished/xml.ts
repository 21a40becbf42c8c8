/**
 * The minimal XML parsing needed for outputs of first-principles programs: elements by name, their attributes
 * and numbers.
 */
import type { Vec3 } from '@unitcell/numerics';
import { CalculatorError } from '../error.ts';

/**
 * The next opening tag of a name from `from` on, and the offset after it. A damaged file may contain many
 * unclosed ones.
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
 * Everything between the first opening tag of a name, with these attributes, and the next closing one; null
 * when there is none.
 */
export function inside(text: string, name: string, attributes = ''): string | null {
  let open = tagFrom(text, name, 0);
  while (open && !open.tag.includes(attributes)) open = tagFrom(text, name, open.end);
  const end = open ? text.indexOf(`</${name}>`, open.end) : -1;
  return open && end >= 0 ? text.slice(open.end, end) : null;
}

/** The bodies of all elements of a name without nested elements of that name. */
export function bodies(text: string, name: string): string[] {
  const close = `</${name}>`;
  const all: string[] = [];
  for (let open = tagFrom(text, name, 0); open; ) {
    const end = text.indexOf(close, open.end);
    if (end < 0) break;
    all.push(text.slice(open.end, end));
    open = tagFrom(text, name, end + close.length);
  }
  return all;
}

/** One number or more. @throws CalculatorError `output` when a word is not a number, or there are none */
export function numbersIn(text: string, what: string): number[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const numbers = words.map(Number);
  if (numbers.length === 0 || numbers.some((value) => !Number.isFinite(value)))
    throw new CalculatorError(
      'output',
      `${what}: expected numbers, found ${text.trim().slice(0, 60) || 'nothing'}`,
    );
  return numbers;
}

/** The first three numbers. @throws CalculatorError `output` */
export function vectorIn(text: string, what: string): Vec3 {
  const [x, y, z] = numbersIn(text, what);
  return [found(x, what), found(y, what), found(z, what)];
}

/** @throws CalculatorError `output` */
export function found<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined)
    throw new CalculatorError('output', `${what} is missing: the run did not end, or the file was cut off`);
  return value;
}
