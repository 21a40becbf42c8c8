/** Which computed entries of the Materials Project of 2018 were run with PBE+U, and with which U. */
import { parseFormula } from '@unitcell/crystal';

/** eV on the d shell, applied in oxides and fluorides only (Jain et al., Phys. Rev. B 84, 045115 (2011)). */
const U_VALUES: Readonly<Record<string, number>> = {
  Co: 3.32,
  Cr: 3.7,
  Fe: 5.3,
  Mn: 3.9,
  Mo: 4.38,
  Ni: 6.2,
  V: 3.25,
  W: 6.2,
};

/** Element → U in eV for a compound; empty where plain PBE was used. */
export function hubbardValues(formula: string): Readonly<Record<string, number>> {
  const elements = Object.keys(parseFormula(formula));
  if (!elements.includes('O') && !elements.includes('F')) return {};
  return Object.fromEntries(elements.filter((e) => e in U_VALUES).map((e) => [e, U_VALUES[e]]));
}
