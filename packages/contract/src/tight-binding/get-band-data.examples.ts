/** The kagome net; lists are shortened. */

export const examples = {
  getBandData: {
    request: { grid_id: 'kgm', t1_ratio: -1, t2_ratio: -0.1, onsites_symbol: [0], new_grid: false },
    response: {
      error: 'false',
      message: '',
      grid_id: 'kgm',
      k_dist: [0, 0.0248466, 0.0496931],
      plotly_data: [
        {
          type: 'scatter',
          mode: 'lines',
          name: 'band 1',
          x: [0, 0.0248466, 0.0496931],
          y: [-4.8, -4.79895, -4.7958],
        },
        {
          type: 'scatter',
          mode: 'lines',
          name: 'band 2',
          x: [0, 0.0248466, 0.0496931],
          y: [1.8, 1.79969, 1.79876],
        },
        { type: 'scatter', mode: 'lines', name: 'band 3', x: [0, 0.0248466, 0.0496931], y: [1.8, 1.8, 1.8] },
      ],
      hsp_nodes: [0, 1.8138, 2.861, 4.95539],
      hsp_labels: ['Γ', 'M', 'K', 'Γ'],
    },
  },
} as const;
