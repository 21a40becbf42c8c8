import { seededRandom } from '@unitcell/numerics';
import { expect, it } from 'vitest';
import { figure, figures } from './index.ts';

it('figure removes floating-point noise beyond the digits of a source, but keeps these digits', () => {
  // Examples: −1.99 − (−1.91) and 3 × 0.1 in doubles; a hexagonal cell of eight decimals; a rotated tensor.
  expect(figure(-1.99 + 1.91, 'eV/atom')).toBe(-0.08);
  expect(figure(0.1 + 0.2, 'V')).toBe(0.3);
  expect([figure(3.249500197572865, 'Å'), figure(120.0000000247081, '°')]).toEqual([3.2495, 120]);
  expect(figures([[4.300000000000001, -4.440892098500626e-16]], '')).toEqual([[4.3, 0]]);
  const random = seededRandom(7);
  for (let round = 0; round < 500; round++) {
    const given = Number((20 * random() - 10).toFixed(4));
    const [a, b] = [random(), random()];
    expect(figure(given + a + b - b - a, 'GPa')).toBe(given + 0);
  }
});
