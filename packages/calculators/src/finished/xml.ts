/** The little of XML that outputs of first-principles programs need: elements of a name, their attributes and numbers. */
import { CalculatorError } from '../error.ts';

/** Everything between the first opening and closing tag of a name, from `from` on; null when there is none. */
export function inside(text: string, name: string, attributes = ''): string | null {
  const open = new RegExp(String.raw`<${name}\b[^>]*${attributes}[^>]*>`).exec(text);
  if (!open) return null;
  const start = open.index + open[0].length;
  const end = text.indexOf(`</${name}>`, start);
  return end < 0 ? null : text.slice(start, end);
}

/** The bodies of all elements of a name that do not hold one of the same name. */
export const bodies = (text: string, name: string): string[] =>
  Array.from(
    text.matchAll(new RegExp(String.raw`<${name}\b[^>]*>([\s\S]*?)</${name}>`, 'g')),
    ([, body]) => body,
  );

/** @throws CalculatorError `output` when one of them is no number */
export function numbersIn(text: string, what: string): number[] {
  const numbers = text.trim().split(/\s+/).map(Number);
  if (numbers.some((value) => !Number.isFinite(value)))
    throw new CalculatorError('output', `${what}: expected numbers, found ${text.trim().slice(0, 60)}`);
  return numbers;
}

/** @throws CalculatorError `output` */
export function found<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined)
    throw new CalculatorError('output', `${what} is missing: the run did not end, or the file was cut off`);
  return value;
}
