/** Values that an output must have, with the sentence for an output that was cut off. */
import type { Vec3 } from '@unitcell/numerics';
import { CalculatorError } from '../error.ts';

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
