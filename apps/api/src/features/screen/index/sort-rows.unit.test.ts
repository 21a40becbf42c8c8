/** Compares the radix sort with a comparison sort, on random and special numbers. */
import { expect, it } from 'vitest';
import { seededRandom } from '@unitcell/numerics';
import { sortRows } from './screen-index.ts';

const ODD = [
  0,
  -0,
  1,
  -1,
  5e-324,
  -5e-324,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Infinity,
  -Infinity,
  0.1,
  -0.1,
];

const compared = (rows: Uint32Array, values: Float64Array | Int32Array): number[] =>
  [...rows].sort((a, b) => (values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : 0));

it('sortRows sorts like a stable comparison sort', () => {
  const random = seededRandom(16);
  for (let round = 0; round < 50; round++) {
    const length = Math.floor(400 * random());
    const number = (): number =>
      random() < 0.3
        ? ODD[Math.floor(ODD.length * random())]!
        : (random() - 0.5) * 10 ** (20 * random() - 10);
    const floats = Float64Array.from({ length }, number);
    const ints = Int32Array.from({ length }, () => (random() - 0.5) * 2 ** (32 * random()));
    for (const values of [floats, ints]) {
      const rows = Uint32Array.from({ length }, (_, row) => row).filter(() => random() < 0.8);
      const wanted = compared(rows, values);
      sortRows(rows, values);
      expect([...rows]).toEqual(wanted);
    }
  }
});
