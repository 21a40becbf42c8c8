import { parseFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { probabilityAbove, reactionSpread, compoundClass, MIN_COMPARED, scaleErrors } from './scale-error.ts';

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

  it('averages the deviations for each class and for all compounds', () => {
    const oxides = Array.from({ length: MIN_COMPARED }, (_, i) => pair('MgO', i % 2 ? 0.3 : -0.1));
    const { byClass, all } = scaleErrors([...oxides, pair('NaCl', 0.5), pair('O2', 9)]);
    expect([...byClass.keys()]).toEqual(['oxide']);
    expect(byClass.get('oxide')).toEqual({
      count: 10,
      mean: expect.closeTo(0.1, 12),
      meanAbsolute: expect.closeTo(0.2, 12),
      calibrated: expect.any(Number),
    });
    expect(all).toMatchObject({ count: 11, mean: expect.closeTo(1.5 / 11, 12) });
  });

  it('80 % of the deviations lie within 1.2816 standard deviations of the calibrated error', () => {
    // With 19 deviations the sixteenth is the limit: ⌈0.8 · 20⌉. The outlier does not count.
    const deviations = Array.from({ length: 19 }, (_, index) => (index === 18 ? 50 : (index + 1) / 100));
    const { all } = scaleErrors(deviations.map((deviation) => pair('MgO', -deviation)));
    expect(all!.calibrated * Math.sqrt(Math.PI / 2) * 1.2816).toBeCloseTo(0.16, 12);
    const equal = scaleErrors(Array.from({ length: MIN_COMPARED }, () => pair('MgO', 0.1))).all!;
    expect(equal.calibrated * Math.sqrt(Math.PI / 2) * 1.2816).toBeCloseTo(0.1, 12);
  });

  it('is null for too few compounds', () => {
    expect(scaleErrors([pair('MgO', 0.1)])).toEqual({ byClass: new Map(), all: null });
  });

  it('the mean absolute error is at least |mean|, and a common shift is added to the mean', () => {
    const random = seededRandom(3);
    const pairs = Array.from({ length: 60 }, () => pair('MgO', random() - 0.5));
    const { all } = scaleErrors(pairs);
    const shifted = scaleErrors(pairs.map((one) => ({ ...one, computed: one.computed + 1 }))).all!;
    expect(all!.meanAbsolute).toBeGreaterThanOrEqual(Math.abs(all!.mean));
    expect(shifted.mean).toBeCloseTo(all!.mean + 1, 12);
    expect(shifted.meanAbsolute).toBeCloseTo(all!.mean + 1, 12);
  });
});

describe('the error of a reaction energy', () => {
  const deviations = { byClass: { oxide: 0.1, halide: 0.2 }, all: 0.3 };
  const term = (composition: Readonly<Record<string, number>>, share: number) => ({ composition, share });

  it("adds the squares of the phases' errors weighted by share, with zero for elements", () => {
    const spread = reactionSpread(
      [term({ Mg: 1, O: 1 }, 0.5), term({ Na: 1, Cl: 1 }, 0.5), term({ Li: 1 }, 1)],
      deviations,
    );
    expect(spread).toBeCloseTo(Math.sqrt(Math.PI / 2) * Math.hypot(0.05, 0.1), 12);
    expect(reactionSpread([term({ Ga: 1, As: 1 }, 1)], deviations)).toBeCloseTo(
      0.3 * Math.sqrt(Math.PI / 2),
      12,
    );
    expect(reactionSpread([term({ Ga: 1, As: 1 }, 1)], { byClass: {}, all: null })).toBeNull();
  });

  it('gives the probabilities of the normal distribution', () => {
    // Tabulated values of Φ(1) and Φ(1.96).
    expect(probabilityAbove(-0.05, 0, 0.05)).toBeCloseTo(0.841345, 6);
    expect(probabilityAbove(0, -0.196, 0.1)).toBeCloseTo(0.025, 5);
    expect(probabilityAbove(0, 0, 0.1)).toBeCloseTo(0.5, 6);
    expect([probabilityAbove(-0.1, -0.2, 0), probabilityAbove(-0.1, 0, 0)]).toEqual([0, 1]);
  });
});
