/** One finished calculation. */

export const examples = {
  predictionScore: {
    response: {
      error: 'false',
      message: '',
      rows: [
        {
          struct_id: 1700,
          formula: 'Si',
          model: '4bbeab527c32',
          functional: 'PBE (ABINIT 9)',
          property: 'band_gap',
          predicted: { value: 0.59, low: 0, high: 1.2 },
          calculated: 0.61,
          is_within: true,
        },
      ],
      summary: [
        {
          property: 'band_gap',
          functional: 'PBE (ABINIT 9)',
          compared: 1,
          mean_absolute_error: 0.02,
          within: 1,
        },
      ],
    },
  },
} as const;
