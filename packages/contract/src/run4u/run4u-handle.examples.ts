/** A CIF of europium selenide; lists and texts are shortened. */

export const examples = {
  run4uHandle: {
    response: {
      error: 'false',
      message: '',
      formula: 'EuSe',
      nsites: 2,
      script:
        'data_EuSe\n_cell_length_a 4.3800000000\n_cell_length_b 4.3800000000\n_cell_length_c 4.3800000000\n_cell_angle_alpha 60.00000…',
      lattice: { a: 4.38, b: 4.38, c: 4.38, alpha: 60, beta: 60, gamma: 60, volume: 59.4165 },
      symmetry: { hall: '-F 4 2 3', spacegroup: 'Fm-3m', pointgroup: 'm-3m', crystal_system: 'cubic' },
      structure: {
        lattice: {
          matrix: [
            [4.38, 0, 0],
            [2.19, 3.79319, 0],
            [2.19, 1.2644, 3.57626],
          ],
        },
        sites: [
          { species: [{ element: 'Eu', occu: 1 }], abc: [0, 0, 0] },
          { species: [{ element: 'Se', occu: 1 }], abc: [0.5, 0.5, 0.5] },
        ],
      },
      warnings: ['the file gives no symmetry: all its atoms were taken as they are (P 1)'],
    },
  },
} as const;
