/** Rutile from a fresh install; numbers and lists are shortened. */

export const examples = {
  predict: {
    request: { struct_id: 142 },
    response: {
      error: 'false',
      message: '',
      formula: 'TiO2',
      nsites: 6,
      formation_energy_per_atom: { value: -3.479, low: -3.521, high: -3.437 },
      band_gap: { value: 2.11, low: 1.44, high: 2.78 },
      insulator_probability: 0.992,
      bulk_modulus: { value: 193.7, low: 146.1, high: 256.8 },
      shear_modulus: { value: 94.5, low: 61.2, high: 145.9 },
      measured_band_gap: null,
      measured_insulator_probability: null,
      familiarity: 'near',
      nearest: [
        { id: 'mp-775938', formula: 'TiO2', struct_id: null, distance: 0.32 },
        { id: 'mp-1439', formula: 'TiO2', struct_id: 145, distance: 0.72 },
      ],
      hull: {
        functional: 'PBE (MP 2018)',
        energy_above_hull: 0.04,
        probability_within_25_mev: 0.274,
        probability_within_50_mev: 0.782,
        competing_phases: [{ formula: 'TiO2', struct_id: 145, atomic_fraction: 1 }],
      },
      hull_message: '',
      model: 'a66c2edb98bf',
    },
  },
} as const;
