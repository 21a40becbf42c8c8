/** The model that ships; lists are shortened. */

export const examples = {
  modelCard: {
    response: {
      error: 'false',
      message: '',
      model: 'a66c2edb98bf',
      is_shipped: true,
      members: 3,
      taught_crystals: 83013,
      taught_formulas: 71901,
      calibration_crystals: 9057,
      test_crystals: 5475,
      figures: [
        {
          of: 'crystals',
          property: 'formation_energy_per_atom',
          rows: 5475,
          mean_absolute_error: 0.0324,
          coverage: 0.902,
        },
      ],
      classes: [
        {
          compound_class: 'oxide',
          crystals: 2050,
          systems: 640,
          mean_absolute_error: 0.0274,
          coverage: 0.901,
          coverage_error: 0.007,
          mean_half_width: 0.058,
        },
      ],
      detection: [
        {
          of: 'crystals',
          margin: 25,
          prevalence: 0.52,
          precision: 0.903,
          recall: 0.896,
          f1: 0.899,
          f1_of_all_yes: 0.687,
          chances: [{ told: 0.97, found: 0.97, rows: 1873 }],
        },
      ],
    },
  },
} as const;
