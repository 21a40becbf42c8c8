/** Rutile from a fresh install; numbers and lists are shortened. */

export const examples = {
  predict: {
    request: { struct_id: 142 },
    response: {
      error: 'false',
      message: '',
      formula: 'TiO2',
      nsites: 6,
      formation_energy_per_atom: { value: -3.46685, low: -3.4989, high: -3.4348 },
      band_gap: { value: 2.272, low: 1.581, high: 2.964 },
      insulator_probability: 0.994,
      bulk_modulus: { value: 173.7, low: 125.9, high: 239.5 },
      shear_modulus: { value: 83.8, low: 52.5, high: 133.9 },
      familiarity: 'near',
      nearest: [
        { id: 'mp-775938', formula: 'TiO2', struct_id: null, distance: 0.321 },
        { id: 'mp-1439', formula: 'TiO2', struct_id: 145, distance: 0.715 },
      ],
      hull: {
        functional: 'PBE (MP 2018)',
        energy_above_hull: 0.05198,
        probability_within_25_mev: 0.071,
        probability_within_50_mev: 0.462,
        competing_phases: [{ formula: 'TiO2', struct_id: 145, atomic_fraction: 1 }],
      },
      hull_message: '',
      model: '4bbeab527c32',
    },
  },
} as const;
