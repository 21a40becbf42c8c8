import { describe, expect, it } from 'vitest';
import { kPointLabel } from './k-path.ts';

describe('kPointLabel', () => {
  it.each([
    ['\\Gamma', 'Γ', ''],
    ['GAMMA', 'Γ', ''],
    ['Γ', 'Γ', ''],
    ['X', 'X', ''],
    ['X_1', 'X', '1'],
    ['X_{12}', 'X', '12'],
    ['B1', 'B', '1'],
    ['\\Sigma_1', 'Σ', '1'],
    ['SIGMA1', 'Σ', '1'],
  ])('reads %s', (name, symbol, index) => {
    expect(kPointLabel(name)).toEqual({ symbol, index });
  });

  it.each(['', 'K|U', '<b>', "X'"])('leaves %o as it is', (name) => {
    expect(kPointLabel(name)).toEqual({ symbol: name, index: '' });
  });
});
