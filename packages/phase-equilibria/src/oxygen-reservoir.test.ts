import { describe, expect, it } from 'vitest';
import { oxygenChemicalPotential } from './mp2020-correction.ts';

describe('oxygenChemicalPotential', () => {
  // Reuter & Scheffler, Phys. Rev. B 65, 035406 (2001), table I: 1 atm, eV per atom.
  it.each([
    [100, -0.08],
    [200, -0.17],
    [300, -0.27],
    [400, -0.38],
    [500, -0.5],
    [600, -0.61],
    [700, -0.73],
    [800, -0.85],
    [900, -0.98],
    [1000, -1.1],
  ])('at %d K and 1 atm is %d eV', (temperature, expected) => {
    // Printed to 0.01 eV.
    expect(Math.abs(oxygenChemicalPotential(temperature, 1.01325) - expected)).toBeLessThan(0.01);
  });

  // NIST-JANAF: S and H − H(298.15 K) of O2 at 1 bar, J/(mol K) and kJ/mol; H(298.15 K) − H(0 K) = 8.683 kJ/mol.
  it.each([
    [300, 205.329, 0.054],
    [500, 220.693, 6.084],
    [1000, 243.578, 22.703],
  ])('at %d K and 1 bar follows the tabulated entropy and enthalpy', (temperature, entropy, enthalpy) => {
    const tabulated = (enthalpy + 8.683 - (temperature * entropy) / 1000) / 96.485 / 2;
    expect(oxygenChemicalPotential(temperature, 1)).toBeCloseTo(tabulated, 3);
  });

  it('rises by ½ kT ln 10 with ten times the pressure', () => {
    const step = oxygenChemicalPotential(1000, 10) - oxygenChemicalPotential(1000, 1);
    expect(step).toBeCloseTo((8.617333262e-5 * 1000 * Math.log(10)) / 2, 9);
  });

  it('is continuous where its two ranges meet', () => {
    expect(oxygenChemicalPotential(700.0001, 1)).toBeCloseTo(oxygenChemicalPotential(700, 1), 3);
  });

  it.each([
    [50, 1],
    [2500, 1],
    [Number.NaN, 1],
    [300, 0],
    [300, -1],
    [300, Number.POSITIVE_INFINITY],
  ])('refuses %d K and %d bar', (temperature, pressure) => {
    expect(() => oxygenChemicalPotential(temperature, pressure)).toThrow(/O2 is/);
  });
});
