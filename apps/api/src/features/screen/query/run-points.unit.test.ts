import { seededRandom } from '@unitcell/numerics';
import { expect, it } from 'vitest';
import { rounded } from '../screen.thread.ts';

it('rounds to five digits, with no more characters than the decimal number', () => {
  const random = seededRandom(5);
  for (let round = 0; round < 5000; round++) {
    const value = (random() - 0.5) * 10 ** (30 * random() - 15);
    const shown = rounded(value);
    expect(Math.abs(shown - value)).toBeLessThanOrEqual(Math.abs(value) * 5.0001e-5);
    // The shortest text of the number is at most as long as its five-digit decimal.
    expect(shown).toBe(Number(shown.toPrecision(Math.abs(value) < 1e5 ? 5 : 16)));
  }
  expect([0, 7, -0.1, 1.23456, 99_999.6].map(rounded)).toEqual([0, 7, -0.1, 1.2346, 100_000]);
});
