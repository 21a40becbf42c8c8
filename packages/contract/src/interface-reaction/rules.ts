/** Range of the chemical potential of an open element, eV/atom, relative to the pure element. */
export const CHEMICAL_POTENTIAL_LIMITS = { min: -10, max: 0 } as const;
