/** An answer from a fresh install; lists and texts are shortened. */

export const examples = {
  fetchIrvsp: {
    request: { struct_id: 37 },
    response: {
      is_topo_display: true,
      labels: ['Class', 'Spin-orbit coupling'],
      topo_data_web: [{ Class: 'topological insulator class', 'Spin-orbit coupling': 'included' }],
    },
  },
} as const;
