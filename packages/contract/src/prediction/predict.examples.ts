/** Rutile from a fresh install; numbers and lists are shortened. */

export const examples = {
  predict: {
    request: { struct_id: 142 },
    response: {
      error: 'false',
      message: '',
      formula: 'TiO2',
      nsites: 6,
      formation_energy_per_atom: { value: -3.467, low: -3.499, high: -3.435 },
      band_gap: { value: 2.27, low: 1.58, high: 2.96 },
      insulator_probability: 0.994,
      bulk_modulus: { value: 174, low: 126, high: 240 },
      shear_modulus: { value: 83.8, low: 52.5, high: 133.9 },
      familiarity: 'near',
      nearest: [
        { id: 'mp-775938', formula: 'TiO2', distance: 0.32 },
        { id: 'mp-1439', formula: 'TiO2', distance: 0.72 },
      ],
      hull: {
        functional: 'PBE (MP 2018)',
        energy_above_hull: 0.052,
        probability_within_25_mev: 0.071,
        probability_within_50_mev: 0.462,
        competing_phases: [{ formula: 'TiO2', struct_id: 145, atomic_fraction: 1 }],
      },
      hull_message: '',
      model: '4bbeab527c32',
    },
  },
} as const;
