import { expect, it } from 'vitest';
import { readSystem, writeSystem } from './stability-system.ts';

it.each([
  '',
  'q=Ti+O&phase=145&ion=Na&pH=3&U=0.5&T=1000',
  'q=Ti+O&own=TiO2&E=-3.2%2C-3.3%2C-3.1&as=145',
  'q=Ti+O&own=TiO2&E=-3.2%2C-3.3%2C-3.1',
  'q=Li+Fe+O&unstable=1&above=0.05&axes=Fe%2CO&held=Li%2C-2.5&mark=none',
  'q=Li+Fe+O&mark=H2O%2C1073%2C0.03%2CH2%2C0.97',
])('the address %j of a chemical system round-trips', (address) => {
  expect(writeSystem(readSystem(new URLSearchParams(address))).toString()).toBe(address);
});

it.each(['as=0', 'as=1.5', 'as=x'])('the id of a known crystal is left out for %j', (as) => {
  expect(readSystem(new URLSearchParams(`own=TiO2&E=-3.2&${as}`)).own?.structId).toBeNull();
});
