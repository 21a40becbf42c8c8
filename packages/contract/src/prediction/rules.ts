/** Limits and lists of prediction that the web client shares with the server. No schemas. */

/** Characters of a formula. */
export const MAX_PREDICT_FORMULA = 200;

/** The predicted properties that have an interval. */
export const PREDICTED_PROPERTIES = [
  'formation_energy_per_atom',
  'band_gap',
  'bulk_modulus',
  'shear_modulus',
] as const;

export type PredictedProperty = (typeof PREDICTED_PROPERTIES)[number];

/** The energy scale that the network learnt: its energies are compared with those of this scale. */
export const PREDICTED_SCALE = 'PBE (MP 2018)';
