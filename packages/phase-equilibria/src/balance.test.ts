import { type Composition, parseFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { balance } from './reaction-energy.ts';

const species = (formulas: string) =>
  formulas.split(' + ').map((text) => ({ composition: parseFormula(text) }));
const ofText = (equation: string) => {
  const [left = '', right = ''] = equation.split(' -> ');
  return balance(species(left), species(right));
};

describe('balance', () => {
  it.each([
    ['CaCO3 -> CaO + CO2', [1, 1, 1]],
    ['Fe2O3 -> Fe3O4 + O2', [6, 4, 1]],
    ['Fe2O3 + CO -> Fe + CO2', [1, 3, 2, 3]],
    ['KMnO4 + HCl -> KCl + MnCl2 + H2O + Cl2', [2, 16, 2, 2, 8, 5]],
    ['Fe0.947O + O2 -> Fe2O3', [4000, 841, 1894]],
    ['Ca3(PO4)2 + SiO2 + C -> CaSiO3 + P4 + CO', [2, 6, 10, 6, 1, 10]],
  ])('balances %s with the smallest whole numbers', (equation, coefficients) => {
    expect(ofText(equation)).toEqual({ outcome: 'balanced', balances: [coefficients], independent: 1 });
  });

  it('returns every balance with the fewest species if there are several', () => {
    const found = ofText('C + O2 + H2 -> CO2 + H2O');
    expect(found).toEqual({
      outcome: 'balanced',
      independent: 2,
      balances: expect.arrayContaining([
        [1, 1, 0, 1, 0],
        [0, 1, 2, 0, 2],
      ]),
    });
  });

  it('conserves charge', () => {
    // MnO4− + 8 H+ + 5 Fe2+ → Mn2+ + 4 H2O + 5 Fe3+
    const found = balance(
      [
        { composition: { Mn: 1, O: 4 }, charge: -1 },
        { composition: { H: 1 }, charge: 1 },
        { composition: { Fe: 1 }, charge: 2 },
      ],
      [
        { composition: { Mn: 1 }, charge: 2 },
        { composition: { H: 2, O: 1 } },
        { composition: { Fe: 1 }, charge: 3 },
      ],
    );
    expect(found).toMatchObject({ outcome: 'balanced', balances: [[1, 8, 5, 1, 4, 5]] });
  });

  it.each([
    ['CaO -> CaCO3 + CO2', { outcome: 'wrong-side', species: [2] }],
    ['Fe + O2 + NaCl -> Fe2O3', { outcome: 'idle', species: [2] }],
    ['Fe + NaCl -> Fe2O3', { outcome: 'one-sided', elements: ['Na', 'Cl', 'O'] }],
    ['CaO -> CaCO3', { outcome: 'one-sided', elements: ['C'] }],
    ['NaCl + H2O -> Na2O + HCl2', { outcome: 'impossible' }],
  ])('says why %s does not balance', (equation, expected) => {
    expect(ofText(equation)).toEqual(expected);
  });

  it('reports a species that takes part in no balance', () => {
    expect(ofText('Fe + O2 + NaCl -> Fe2O3 + KCl')).toMatchObject({ outcome: 'idle', species: [2, 4] });
  });

  it('conserves every element and the charge to 1e-9 in seeded random equations', () => {
    const random = seededRandom(39);
    const pick = (count: number): number => Math.floor(random() * count);
    const elements = ['Fe', 'O', 'H'];
    let balanced = 0;
    for (let round = 0; round < 300; round++) {
      const make = () => {
        const composition: Record<string, number> = {};
        for (let i = 0; i <= pick(2); i++) composition[elements[pick(elements.length)]] = 1 + pick(40) / 10;
        return { composition, charge: pick(5) === 0 ? pick(3) - 1 : 0 };
      };
      const [left, right] = [
        Array.from({ length: 2 + pick(3) }, make),
        Array.from({ length: 2 + pick(3) }, make),
      ];
      const found = balance(left, right);
      if (found.outcome !== 'balanced') continue;
      balanced++;
      for (const coefficients of found.balances) {
        const signed = coefficients.map((value, index) => (index < left.length ? -value : value));
        const size = Math.max(...coefficients);
        const total = (amount: (one: { composition: Composition; charge: number }) => number): number =>
          [...left, ...right].reduce((sum, one, index) => sum + signed[index] * amount(one), 0) / size;
        expect(Math.abs(total(({ charge }) => charge))).toBeLessThan(1e-9);
        for (const element of elements)
          expect(Math.abs(total(({ composition }) => composition[element] ?? 0))).toBeLessThan(1e-9);
      }
    }
    expect(balanced).toBeGreaterThan(20);
  });
});
