import { BOLTZMANN_EV_PER_K } from '@unitcell/elements';
import { describe, expect, it } from 'vitest';
import { gasChemicalPotential, gasPotentials, gasTemperature, RESERVOIR_GASES } from './gas-reservoir.ts';
import { elementGibbs, findSubstance } from './measured-substances.ts';

/** eV for one kJ/mol. */
const EV = 1 / 96.48533212;
const oxygen = (temperature: number, pressure: number): number =>
  gasChemicalPotential('O2', temperature, pressure) / 2;

describe('chemical potential of oxygen', () => {
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
    // The table gives two decimals.
    expect(Math.abs(oxygen(temperature, 1.01325) - expected)).toBeLessThan(0.01);
  });

  // NIST-JANAF: S and H − H(298.15 K) of O2 at 1 bar, J/(mol K) and kJ/mol; H(298.15 K) − H(0 K) = 8.683 kJ/mol.
  it.each([
    [300, 205.329, 0.054],
    [500, 220.693, 6.084],
    [1000, 243.578, 22.703],
  ])('at %d K and 1 bar follows the tabulated entropy and enthalpy', (temperature, entropy, enthalpy) => {
    const tabulated = ((enthalpy + 8.683 - (temperature * entropy) / 1000) * EV) / 2;
    expect(oxygen(temperature, 1)).toBeCloseTo(tabulated, 4);
  });

  it('rises by ½ kT ln 10 if the pressure is ten times higher', () => {
    expect(oxygen(1000, 10) - oxygen(1000, 1)).toBeCloseTo(
      (BOLTZMANN_EV_PER_K * 1000 * Math.log(10)) / 2,
      12,
    );
  });

  it('belongs to one temperature, or to none if it is above its value at 0 K or below its value at 3,000 K', () => {
    for (const temperature of [300, 1000, 2999])
      expect(gasTemperature('O2', 2 * oxygen(temperature, 0.21), 0.21)).toBeCloseTo(temperature, 4);
    expect(gasTemperature('O2', 0.01, 0.21)).toBeNull();
    expect(gasTemperature('O2', 2 * oxygen(3000, 0.21) - 0.01, 0.21)).toBeNull();
  });

  it('is zero at 0 K at every pressure, and continuous at the first entry of the table', () => {
    expect(oxygen(0, 1e-5)).toBe(0);
    expect(oxygen(99.9999, 1)).toBeCloseTo(oxygen(100, 1), 6);
    expect(oxygen(1e-6, 1)).toBeCloseTo(0, 6);
  });
});

// NIST-JANAF: −[G − H(298.15 K)]/T in J/(mol K) at 500, 1000 and 2000 K; ΔfH(0 K), ΔfH(298.15 K), H(0 K) − H(298.15 K) in kJ/mol.
const TABLES = {
  O2: [208.524, 220.875, 239.16, 0, 0, -8.683],
  H2: [133.973, 145.536, 161.943, 0, 0, -8.467],
  N2: [194.917, 206.708, 224.006, 0, 0, -8.67],
  F2: [206.452, 219.93, 239.531, 0, 0, -8.825],
  Cl2: [227.02, 241.203, 261.277, 0, 0, -9.181],
  Br2: [249.526, 264.143, 284.569, 45.697, 30.91, -9.722],
  S2: [231.958, 245.76, 265.657, 128.3, 128.6, -9.124],
  H2O: [192.685, 206.738, 228.374, -238.921, -241.826, -9.904],
  CO: [200.968, 212.848, 230.342, -113.805, -110.527, -8.671],
  CO2: [218.29, 235.901, 263.574, -393.151, -393.522, -9.364],
  NH3: [197.021, 213.849, 242.244, -38.907, -45.898, -10.045],
  SO2: [252.979, 271.339, 299.383, -294.299, -296.842, -10.552],
  CH4: [190.614, 209.37, 244.057, -66.911, -74.873, -10.024],
  HCl: [190.205, 201.857, 218.769, -92.127, -92.312, -8.64],
  HF: [177.082, 188.631, 205.011, -272.499, -272.546, -8.599],
} as const;

describe('gasChemicalPotential', () => {
  it.each(Object.entries(TABLES))(
    'of %s equals the JANAF table to 1e-6 eV for both zero points',
    (gas, row) => {
      const [, , , enthalpy0, enthalpy298, heat0] = row;
      const known = RESERVOIR_GASES.find((name) => name === gas)!;
      for (const [index, temperature] of [500, 1000, 2000].entries()) {
        const thermal = (-temperature * row[index]) / 1000;
        const from298 = (enthalpy298 + thermal) * EV;
        const from0 = (enthalpy0 - heat0 + thermal) * EV;
        expect(Math.abs(gasChemicalPotential(known, temperature, 1, 298.15) - from298)).toBeLessThan(1e-6);
        expect(Math.abs(gasChemicalPotential(known, temperature, 1) - from0)).toBeLessThan(1e-6);
      }
    },
  );

  it('with zero point 298.15 K instead of 0 K the potential of O2 changes by H(298.15 K) − H(0 K) = 0.090 eV', () => {
    const shift = gasChemicalPotential('O2', 700, 1, 298.15) - gasChemicalPotential('O2', 700, 1);
    expect(shift).toBeCloseTo(-8.683 * EV, 9);
  });

  it('has 1 bar as standard pressure: at 1 atm it is higher by kT ln 1.01325', () => {
    const step = gasChemicalPotential('N2', 1000, 1.01325) - gasChemicalPotential('N2', 1000, 1);
    expect(step).toBeCloseTo(BOLTZMANN_EV_PER_K * 1000 * Math.log(1.01325), 12);
  });

  it('equals the Gibbs energy of formation after subtraction of the thermal parts of the elements', () => {
    for (const gas of ['H2O', 'CO2', 'NH3', 'SO2', 'CH4', 'HCl', 'HF'] as const) {
      const substance = findSubstance(compositions[gas], 'gas')!;
      for (const temperature of [298.15, 750, 1500]) {
        const elements = Object.entries(substance.composition).reduce(
          (sum, [symbol, amount]) => sum + amount * elementGibbs(symbol, temperature)!,
          0,
        );
        const potential = gasChemicalPotential(gas, temperature, 1, 298.15);
        expect(potential - elements).toBeCloseTo(substance.formation(temperature).gibbs, 10);
      }
    }
  });

  it('is a smooth concave function of temperature between the entries of every table', () => {
    for (const gas of RESERVOIR_GASES) {
      let slope = Number.POSITIVE_INFINITY;
      for (let temperature = 5; temperature < 2990; temperature += 7) {
        const next =
          (gasChemicalPotential(gas, temperature + 7, 1) - gasChemicalPotential(gas, temperature, 1)) / 7;
        expect(next, `${gas} at ${temperature} K`).toBeLessThan(slope + 1e-7);
        slope = next;
      }
    }
  });

  it.each([
    [-1, 1],
    [3001, 1],
    [Number.NaN, 1],
    [300, 0],
    [300, -1],
    [300, Number.POSITIVE_INFINITY],
  ])('refuses %d K and %d bar', (temperature, pressure) => {
    expect(() => gasChemicalPotential('O2', temperature, pressure)).toThrow(/O2 is/);
  });
});

const compositions = {
  H2O: { H: 2, O: 1 },
  CO2: { C: 1, O: 2 },
  NH3: { N: 1, H: 3 },
  SO2: { S: 1, O: 2 },
  CH4: { C: 1, H: 4 },
  HCl: { H: 1, Cl: 1 },
  HF: { H: 1, F: 1 },
} as const;

describe('chemical potentials of the elements of a gas mixture', () => {
  it.each([
    ['H2O', 'H2', 'O'],
    ['CO2', 'CO', 'O'],
    ['SO2', 'O2', 'S'],
    ['NH3', 'H2', 'N'],
    ['CH4', 'H2', 'C'],
    ['HCl', 'H2', 'Cl'],
  ] as const)('add up to those of the molecules %s and %s', (first, second, element) => {
    const found = gasPotentials(
      [
        { gas: first, pressure: 0.03 },
        { gas: second, pressure: 0.9 },
      ],
      1100,
    );
    const sum = (gas: string) =>
      [...gas.matchAll(/([A-Z][a-z]?)(\d*)/g)].reduce(
        (total, [, symbol = '', amount]) => total + (found?.[symbol] ?? Number.NaN) * Number(amount || 1),
        0,
      );
    expect(sum(first)).toBeCloseTo(gasChemicalPotential(first, 1100, 0.03), 9);
    expect(sum(second)).toBeCloseTo(gasChemicalPotential(second, 1100, 0.9), 9);
    expect(found).toHaveProperty(element);
  });

  it('in a mixture of H2O and H2, the potential of oxygen is that of the equilibrium 2 H2 + O2 → 2 H2O', () => {
    // NIST-JANAF: ΔfG(H2O, 1,000 K) = −192.590 kJ/mol, so log10 p(O2) = 2 × −10.060 with equal amounts of H2 and H2O.
    const mixed = gasPotentials(
      [
        { gas: 'H2O', pressure: 0.5 },
        { gas: 'H2', pressure: 0.5 },
      ],
      1000,
    );
    expect(mixed?.O).toBeCloseTo(gasChemicalPotential('O2', 1000, 10 ** -20.12) / 2, 3);
  });

  it('are not determined by a single compound or by dependent gases', () => {
    expect(gasPotentials([{ gas: 'CO2', pressure: 1 }], 1000)).toBeNull();
    expect(
      gasPotentials(
        [
          { gas: 'O2', pressure: 1 },
          { gas: 'O2', pressure: 1 },
        ],
        1000,
      ),
    ).toBeNull();
  });
});
