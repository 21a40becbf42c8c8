import { parseFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { compoundClass, MIN_COMPARED, scaleErrors } from './scale-error.ts';

describe('compoundClass', () => {
  it.each([
    ['TiO2', 'oxide'],
    ['Mg2SiO4', 'oxide'],
    ['Li2CO3', 'oxosalt'],
    ['LiFePO4', 'oxosalt'],
    ['LiOH', 'hydroxide'],
    ['CaSO4H4O2', 'hydroxide'],
    ['LaOCl', 'oxyhalide'],
    ['NaCl', 'halide'],
    ['Li6PS5Cl', 'halide'],
    ['Li3PS4', 'chalcogenide'],
    ['Bi2Te3', 'chalcogenide'],
    ['GaN', 'nitride'],
    ['GaAs', 'pnictide'],
    ['TiC', 'carbide'],
    ['LaB6', 'boride'],
    ['Mg2Si', 'silicide'],
    ['MgH2', 'hydride'],
    ['Ni3Al', 'intermetallic'],
    ['O2', null],
  ])('%s: %s', (formula, expected) => {
    expect(compoundClass(parseFormula(formula))).toBe(expected);
  });
});

describe('scaleErrors', () => {
  const pair = (formula: string, deviation: number) => ({
    composition: parseFormula(formula),
    computed: -2 + deviation,
    measured: -2,
  });

  it('averages the deviations of each class and of all', () => {
    const oxides = Array.from({ length: MIN_COMPARED }, (_, i) => pair('MgO', i % 2 ? 0.3 : -0.1));
    const { byClass, all } = scaleErrors([...oxides, pair('NaCl', 0.5), pair('O2', 9)]);
    expect([...byClass.keys()]).toEqual(['oxide']);
    expect(byClass.get('oxide')).toEqual({
      count: 10,
      mean: expect.closeTo(0.1, 12),
      meanAbsolute: expect.closeTo(0.2, 12),
    });
    expect(all).toMatchObject({ count: 11, mean: expect.closeTo(1.5 / 11, 12) });
  });

  it('is null for too few compounds', () => {
    expect(scaleErrors([pair('MgO', 0.1)])).toEqual({ byClass: new Map(), all: null });
  });

  it('the mean absolute error is at least the absolute mean, and a common shift shifts the mean', () => {
    const random = seededRandom(3);
    const pairs = Array.from({ length: 60 }, () => pair('MgO', random() - 0.5));
    const { all } = scaleErrors(pairs);
    const shifted = scaleErrors(pairs.map((one) => ({ ...one, computed: one.computed + 1 }))).all!;
    expect(all!.meanAbsolute).toBeGreaterThanOrEqual(Math.abs(all!.mean));
    expect(shifted.mean).toBeCloseTo(all!.mean + 1, 12);
    expect(shifted.meanAbsolute).toBeCloseTo(all!.mean + 1, 12);
  });
});
