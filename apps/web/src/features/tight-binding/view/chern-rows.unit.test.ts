import { describe, expect, it } from 'vitest';
import { chernNumbers, createModel, netById } from '@unitcell/tight-binding';
import { chernRows } from './chern-rows.ts';

describe('chernRows', () => {
  it('puts the three touching bands of kagome on one line without a gap to others', () => {
    const rows = chernRows(chernNumbers(createModel({ net: netById('kgm') })));
    expect(rows).toEqual([{ first: 0, last: 2, chern: undefined, gap: Number.POSITIVE_INFINITY }]);
  });

  it('gives each isolated band its own line and its smallest distance', () => {
    const [lower, middle, upper] = [0.5, 0.2, Number.POSITIVE_INFINITY];
    const rows = chernRows([
      { band: 0, chern: 1, directGap: 0.5, gapAbove: lower },
      { band: 1, chern: -1, directGap: 0.2, gapAbove: middle },
      { band: 2, chern: undefined, directGap: 0, gapAbove: 1e-9 },
      { band: 3, chern: undefined, directGap: 0, gapAbove: upper },
    ]);
    expect(rows).toEqual([
      { first: 0, last: 0, chern: 1, gap: 0.5 },
      { first: 1, last: 1, chern: -1, gap: 0.2 },
      { first: 2, last: 3, chern: undefined, gap: 0.2 },
    ]);
  });
});
