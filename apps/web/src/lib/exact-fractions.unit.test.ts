import { describe, expect, it } from 'vitest';
import { balancedFractions, fractionText, shareText } from './exact-fractions.ts';

const term = (amount: number, formula: string) => ({ amount, formula });

describe('balancedFractions', () => {
  it('finds the fractions that four digits stand for', () => {
    // 1/12 Li3PS4 + 8/12 Li = 1/12 Li3P + 4/12 Li2S, as written with four digits.
    const found = balancedFractions(
      [term(0.0833, 'Li3PS4'), term(0.6667, 'Li')],
      [term(0.0833, 'Li3P'), term(0.3333, 'Li2S')],
    );
    expect(found?.map(fractionText)).toEqual(['1/12', '2/3', '1/12', '1/3']);
  });

  it('gives none for what does not balance or cannot be read', () => {
    expect(balancedFractions([term(0.5, 'Li2O')], [term(0.5, 'Li'), term(0.5, 'O')])).toBeNull();
    expect(balancedFractions([term(0.1234, 'Xx')], [term(0.1234, 'Xx')])).toBeNull();
  });
});

describe('shareText', () => {
  it('is a fraction only where the number is one', () => {
    expect(shareText(2 / 3)).toBe('2/3');
    expect(shareText(1)).toBe('1');
    expect(shareText(0.66671)).toBe('0.6667');
  });
});
