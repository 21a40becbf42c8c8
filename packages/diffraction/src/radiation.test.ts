import { expect, it } from 'vitest';
import { kBetaOf, radiationSource } from './radiation.ts';

it.each(['CuKa1', 'cuka1', 'CuKα1', 'Cu Ka1', 'Cu-Kα1', ' Cu  Kα1 '])(
  'findRadiationSource reads %j as instruments write it',
  (name) => {
    expect(radiationSource(name).id).toBe('CuKa1');
  },
);

it.each([
  [1.54056, 1.39222],
  [1.54184, 1.39222],
  [0.7093, 0.63229],
  // Bearden, Rev. Mod. Phys. 39, 78 (1967)
  [1.79026, 1.62079],
  [1.2, undefined],
  [1.39222, undefined],
])('the Kβ beside %f Å is %s Å', (wavelength, kBeta) => {
  expect(kBetaOf(wavelength)).toBe(kBeta);
});
