/** Limits and lists of the stability calls, without schemas. */

/** K */
export const STABILITY_TEMPERATURES = { min: 0, max: 3000 } as const;
/** K. The default temperature of a reaction, and the range of an Ellingham diagram. */
export const STANDARD_CONDITIONS = { temperature: 298.15, pressure: 1 } as const;
export const ELLINGHAM_TEMPERATURES = { min: 298.15, max: 2400 } as const;

/** Limit of reactants and products together. */
export const MAX_SPECIES = 10;
/** Limit of balances listed. All other balances are sums of these, unless the limit cut the list. */
export const MAX_BALANCES = 12;
export const MAX_ELLINGHAM_ELEMENTS = 12;

export const ELLINGHAM_DIAGRAMS = ['oxide', 'sulfide', 'nitride', 'chloride', 'carbonate'] as const;
export type EllinghamDiagram = (typeof ELLINGHAM_DIAGRAMS)[number];

/** Pourbaix diagrams: the range of pH is fixed; the request sets the range of potentials (V) within limits. */
export const POURBAIX_PH = { min: -2, max: 16 } as const;
export const POURBAIX_POTENTIALS = { min: -10, max: 10, default: { min: -2, max: 2 } } as const;
/** mol/l */
export const DEFAULT_CONCENTRATION = 1e-6;
export const MAX_OWN_IONS = 20;
/** eV/atom. Largest formation energy of an own compound, of either sign. */
export const MAX_OWN_ENERGY = 20;
