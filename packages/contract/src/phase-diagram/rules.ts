/**
 * Gases to which a phase diagram can be open. A gaseous compound fixes only the sum of the potentials of its
 * elements, so it needs a second gas. The usual second gas is listed; null for gases of one element.
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
/** Import files name measured enthalpies of formation by their temperature: `experiment-298K`. */
const MEASURED_SCALE = /^experiment-(\d+(?:\.\d+)?)K$/;

/** The temperature in the name of a measured scale; null for a calculated scale. */
export const measuredAt = (functional: string): string | null => MEASURED_SCALE.exec(functional)?.[1] ?? null;

/**
 * Temperature in K at which the elements of a scale have zero energy: 298.15 K for measured enthalpies of
 * formation, 0 K for calculated energies, which contain no vibrations. Potentials of gases are relative to the
 * same zero.
 */
export const zeroOfScale = (functional: string): 0 | 298.15 => (measuredAt(functional) === null ? 0 : 298.15);

/** K. Below `min` the energies are plain formation energies. */
export const HULL_TEMPERATURE = { min: 300, max: 2000 } as const;

/** Source of the Gibbs energy of a phase at a temperature; `plain`: the plain energy is used below 300 K. */
export const GIBBS_SOURCES = ['measured', 'descriptor', 'gas', 'element', 'plain'] as const;
export type GibbsOrigin = (typeof GIBBS_SOURCES)[number];

export type Reservoir = keyof typeof RESERVOIRS;

export const isReservoir = (gas: string): gas is Reservoir => Object.hasOwn(RESERVOIRS, gas);

/** Range of the chemical potential of an open element, eV/atom, relative to the pure element. */
export const CHEMICAL_POTENTIAL_LIMITS = { min: -10, max: 0 } as const;
