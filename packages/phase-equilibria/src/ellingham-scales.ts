/** Scales of an Ellingham diagram (F. D. Richardson & J. H. E. Jeffes, J. Iron Steel Inst. 160, 261 (1948)). */
import { BOLTZMANN_EV_PER_K } from '@unitcell/elements';

/**
 * log10 of the pressure of the gas (bar) in equilibrium with a reaction of ΔG° (eV per mole of gas) without other
 * gases: kT ln p = ΔG°.
 */
export const equilibriumLogPressure = (energy: number, temperature: number): number =>
  energy / (BOLTZMANN_EV_PER_K * temperature * Math.LN10);

/**
 * log10 of the ratio CO/CO2 or H2/H2O that fixes the same oxygen potential: if 2 CO + O2 → 2 CO2 has ΔG° = `couple`, 2
 * kT ln(CO/CO2) = couple − energy.
 */
export const equilibriumLogRatio = (energy: number, couple: number, temperature: number): number =>
  (couple - energy) / (2 * BOLTZMANN_EV_PER_K * temperature * Math.LN10);
