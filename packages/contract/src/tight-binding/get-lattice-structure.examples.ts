/** The kagome net; the script is shortened. */

export const examples = {
  getLatticeStructure: {
    request: { grid_id: 'kgm' },
    response: {
      error: 'false',
      message: '',
      grid_id: 'kgm',
      script:
        'data_kgm\n_cell_length_a 2.8400000000\n_cell_length_b 2.8400002366\n_cell_length_c 10.0000000000\n_cell_angle_alpha 90.0000000000\n_cell_angle_beta 90.0000000000\n_cell_angle_gamma 119.9999972436\n_cell_volu…',
      wyckoeffs: [{ idx: 0, symbol: 'c', onsite: 0 }],
    },
  },
} as const;
