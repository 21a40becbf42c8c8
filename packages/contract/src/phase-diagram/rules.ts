/**
 * Gases to which a phase diagram can be open. A compound fixes only the sum of the potentials of its elements, so it
 * needs a second gas; the usual one is listed, null for gases of one element.
 */
export const RESERVOIRS = {
  O2: null,
  H2: null,
  N2: null,
  F2: null,
  Cl2: null,
  Br2: null,
  S2: null,
  H2O: 'H2',
  CO2: 'CO',
  CO: 'CO2',
  NH3: 'H2',
  SO2: 'O2',
  CH4: 'H2',
  HCl: 'H2',
  HF: 'H2',
} as const;
export type Reservoir = keyof typeof RESERVOIRS;

export const isReservoir = (gas: string): gas is Reservoir => Object.hasOwn(RESERVOIRS, gas);
