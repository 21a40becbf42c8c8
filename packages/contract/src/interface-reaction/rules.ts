/** eV/atom: chemical potentials of an open element, relative to the pure element. */
export const CHEMICAL_POTENTIAL_LIMITS = { min: -10, max: 0 } as const;
