/** Magnesium oxide, before it is submitted. */

export const examples = {
  run4uExpect: {
    request: {
      structure: {
        lattice: {
          matrix: [
            [0, 2.106, 2.106],
            [2.106, 0, 2.106],
            [2.106, 2.106, 0],
          ],
        },
        sites: [
          { species: [{ element: 'Mg', occu: 1 }], abc: [0, 0, 0] },
          { species: [{ element: 'O', occu: 1 }], abc: [0.5, 0.5, 0.5] },
        ],
      },
    },
    response: {
      error: 'false',
      message: '',
      prediction: {
        model: '4bbeab527c32',
        formation_energy_per_atom: { value: -3.035, low: -3.079, high: -2.991 },
        band_gap: { value: 4.43, low: 3.74, high: 5.12 },
        insulator_probability: 0.998,
        bulk_modulus: { value: 150, low: 109, high: 207 },
        shear_modulus: { value: 115, low: 72, high: 184 },
        familiarity: 'near',
        hull: {
          functional: 'PBE (MP 2018)',
          energy_above_hull: 0.005,
          probability_within_25_mev: 0.86,
          probability_within_50_mev: 0.95,
          competing_phases: [{ formula: 'MgO', struct_id: 23, atomic_fraction: 1 }],
        },
      },
      prediction_message: '',
      seconds: 48,
    },
  },
} as const;
