import { expect, it } from 'vitest';
import { roundTo } from './linear-algebra-3.ts';
import { seededRandom } from './seeded-random.ts';

it('roundTo is within half a unit of the last decimal, idempotent and never −0', () => {
  const random = seededRandom(4);
  for (let n = 0; n < 500; n++) {
    const value = (random() - 0.5) * 10 ** Math.floor(8 * random());
    const decimals = Math.floor(7 * random());
    const rounded = roundTo(value, decimals);
    expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.5000001 * 10 ** -decimals);
    expect(roundTo(rounded, decimals)).toBe(rounded);
  }
  expect(Object.is(roundTo(-0.0004, 3), 0)).toBe(true);
});
