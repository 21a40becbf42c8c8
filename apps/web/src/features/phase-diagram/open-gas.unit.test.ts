import { expect, it } from 'vitest';
import { readOpenGas, writeOpenGas } from './open-gas.ts';

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
])('%j in the address is a closed diagram', (text) => {
  expect(readOpenGas(text)).toBeNull();
});
