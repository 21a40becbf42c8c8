import { expect, it } from 'vitest';
import { readOpenGas, readTemperature, withGas, withTemperature, writeOpenGas } from './open-gas-state.ts';

it('the address keeps the gas of a diagram', () => {
  const open = { gas: 'N2', temperature: 1200, pressure: 0.001, second: null } as const;
  expect(readOpenGas(writeOpenGas(open))).toEqual(open);
  const wet = { ...open, gas: 'H2O', second: { gas: 'H2', pressure: 0.97 } } as const;
  expect(readOpenGas(writeOpenGas(wet))).toEqual(wet);
});

it.each([
  null,
  '',
  'O2',
  'O3,900,1',
  'H2O,900,1,H2',
  'H2O,900,1,H2,0',
  'O2,-1,1',
  'O2,3001,1',
  'O2,900,0',
  'O2,x,1',
])('%j in the address means a closed diagram', (text) => {
  expect(readOpenGas(text)).toBeNull();
});

it('the gas and the phases keep the same temperature, whichever of the two changes', () => {
  const closed = { open: null, temperature: 1500 };
  const air = { gas: 'O2', temperature: 1073, pressure: 0.21, second: null } as const;
  expect(withGas(closed, air)).toEqual({ open: { ...air, temperature: 1500 }, temperature: 1500 });
  expect(withTemperature({ open: air, temperature: null }, 600).open?.temperature).toBe(600);
  const hot = { open: { ...air, temperature: 1500 }, temperature: 1500 };
  expect(withGas(hot, air)).toEqual({ open: air, temperature: 1073 });
  // The phases have no temperature if they use plain energies, or if the gas is outside their temperature range.
  expect(withGas({ open: null, temperature: null }, air)).toEqual({ open: air, temperature: null });
  expect(withGas(hot, { ...air, temperature: 2500 }).temperature).toBeNull();
});

it.each([
  ['1000', 1000],
  ['0', null],
  ['299', null],
  ['2001', null],
  ['x', null],
  [null, null],
])('temperature=%j in the address is %j', (text, temperature) => {
  expect(readTemperature(text)).toBe(temperature);
});
