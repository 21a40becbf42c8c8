import { expect, it } from 'vitest';
import { ELEMENTS } from './elements.ts';
import { elementPrice, priceOfElements } from './prices.ts';

it('the price of a compound is the mean of its elements, weighted by mass', () => {
  // Al2O3: 52.93 % aluminium at 1.79 and 47.07 % oxygen at 0.154 USD/kg.
  expect(priceOfElements({ Al: 2, O: 3 }).usdPerKg).toBeCloseTo(0.5293 * 1.79 + 0.4707 * 0.154, 3);
  expect(priceOfElements({ Al: 4, O: 6 })).toEqual(priceOfElements({ Al: 2, O: 3 }));
});

it('a compound that contains an element without a price has no price, and the element is named', () => {
  expect(priceOfElements({ Ba: 1, Ti: 1, O: 3 })).toEqual({ usdPerKg: null, unknown: ['Ba'] });
});

it('every price in the table is positive, has a date and belongs to a known element', () => {
  const priced = ELEMENTS.flatMap(({ symbol }) => elementPrice(symbol) ?? []);
  expect(priced).toHaveLength(72);
  for (const { usdPerKg, year } of priced) {
    expect(usdPerKg).toBeGreaterThan(0);
    expect(year).toBeGreaterThan(2000);
  }
});
