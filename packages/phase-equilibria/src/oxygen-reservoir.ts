/**
 * Chemical potential of oxygen in O2 gas: what a phase diagram open to air or to a furnace is open to.
 *
 * μ_O(T, p) = ½ [H(T) − H(0) − T S(T)] + ½ kT ln(p / 1 bar), counted from half an O2 molecule at 0 K, the reference of
 * calculated energies (Reuter & Scheffler, Phys. Rev. B 65, 035406 (2001), doi:10.1103/PhysRevB.65.035406). H and S of
 * the ideal gas: Shomate equations of the NIST Chemistry WebBook (Chase, NIST-JANAF Thermochemical Tables, 1998).
 */
import { BOLTZMANN_EV_PER_K, KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { PhaseEquilibriaError } from './error.ts';

/** Temperatures the Shomate equations hold for, K. */
export const OXYGEN_TEMPERATURE_LIMITS = { min: 100, max: 2000 } as const;

/** Coefficients A to G (H in kJ/mol, S in J/(mol K), t = T / 1000 K) and the temperature up to which they hold. */
const SHOMATE = [
  {
    upToK: 700,
    coefficients: [31.32234, -20.23531, 57.86644, -36.50624, -0.007374, -8.903471, 246.7945],
  },
  {
    upToK: 2000,
    coefficients: [30.03235, 8.772972, -3.988133, 0.788313, -0.741599, -11.32468, 236.1663],
  },
] as const;

/** H(298.15 K) − H(0 K) of O2, kJ/mol (NIST-JANAF). */
const ENTHALPY_AT_298_K = 8.683;

/**
 * eV per oxygen atom relative to ½ O2 at 0 K: −0.27 at 300 K and 1 bar.
 * @param pressureBar partial pressure of O2; 0.21 in air
 * @throws PhaseEquilibriaError `invalid-entry` outside 100–2000 K or without a positive pressure
 * @example oxygenChemicalPotential(1000, 1); // -1.10
 */
export function oxygenChemicalPotential(temperatureK: number, pressureBar: number): number {
  const { min, max } = OXYGEN_TEMPERATURE_LIMITS;
  if (!(temperatureK >= min && temperatureK <= max))
    throw new PhaseEquilibriaError(
      'invalid-entry',
      `the temperature of O2 is ${temperatureK} K: expected ${min} to ${max} K`,
    );
  if (!(pressureBar > 0 && pressureBar < Number.POSITIVE_INFINITY))
    throw new PhaseEquilibriaError(
      'invalid-entry',
      `the pressure of O2 is ${pressureBar} bar: expected a positive number`,
    );
  const [low, high] = SHOMATE;
  const [a, b, c, d, e, f, g] = (temperatureK <= low.upToK ? low : high).coefficients;
  const t = temperatureK / 1000;
  const enthalpy = a * t + (b * t ** 2) / 2 + (c * t ** 3) / 3 + (d * t ** 4) / 4 - e / t + f;
  const entropy = a * Math.log(t) + b * t + (c * t ** 2) / 2 + (d * t ** 3) / 3 - e / (2 * t ** 2) + g;
  const perMolecule = (enthalpy + ENTHALPY_AT_298_K - t * entropy) / KJ_PER_MOL_PER_EV;
  return (perMolecule + BOLTZMANN_EV_PER_K * temperatureK * Math.log(pressureBar)) / 2;
}
