/** An account with one submission; lists and texts are shortened. */

export const examples = {
  dashboardHandle: {
    request: {},
    response: {
      user_data: {
        script:
          'data_EuSe\n_cell_length_a 4.3800000000\n_cell_length_b 4.3800000012\n_cell_length_c 4.3799999965\n_cell_angle_alpha 59.99999…',
        lattice: { a: 4.38, b: 4.38, c: 4.38, alpha: 60, beta: 60, gamma: 60, volume: 59.4165 },
        symmetry: { hall: '-F 4 2 3', spacegroup: 'Fm-3m', pointgroup: 'm-3m', crystal_system: 'cubic' },
        formula: 'EuSe',
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
        history: [
          {
            index: 1,
            id: 1,
            formula: 'EuSe',
            spacegroup: 'Fm-3m',
            nsites: 2,
            status: 'queued',
            struct_id: null,
            submit_time: '2026-11-21T07:11:29.439Z',
            start_time: null,
            finish_time: null,
            reason: '',
            reason_code: '',
            step: '',
            progress: 0,
            queue_position: 0,
            estimate_seconds: null,
            can_cancel: true,
            can_resubmit: false,
          },
        ],
      },
      quota: { limit: 3, left: 2, resets_at: '2026-11-21T16:00:00.000Z' },
      service: {
        engine: 'abinit',
        engine_version: '9.10.4',
        cutoff: 598.7,
        is_paused: false,
        waiting: 1,
        wait_seconds: 49,
        run_seconds: [
          { atoms: 2, seconds: 49 },
          { atoms: 10, seconds: 883 },
          { atoms: 30, seconds: 6382 },
        ],
      },
    },
  },
  watchSubmissions: {
    response:
      'event: dashboard\ndata: {"user_data":{"script":"","lattice":null,"symmetry":null,"formula":"","structure":null,"history":[]},"quota":{"limit":3,"left":3,"resets_at":"2026-11-21T16:00:00.000Z"}}\n\n',
  },
} as const;
