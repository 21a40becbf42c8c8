/** Limit of characters in a formula. */
export const MAX_PREDICT_FORMULA = 200;

/** Limit of characters in a structure file; a cell of 100 atoms takes a tenth of it. */
export const MAX_PREDICT_TEXT = 200_000;

/** The predicted properties that have an interval. */
export const PREDICTED_PROPERTIES = [
  'formation_energy_per_atom',
  'band_gap',
  'bulk_modulus',
  'shear_modulus',
] as const;

export type PredictedProperty = (typeof PREDICTED_PROPERTIES)[number];

/** The energy scale of the training data: predicted energies are compared on this scale. */
export const PREDICTED_SCALE = 'PBE (MP 2018)';
