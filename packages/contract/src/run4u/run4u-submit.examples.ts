/** Europium selenide in its primitive cell: submitted, cancelled, submitted again. */

export const examples = {
  run4uSubmit: {
    request: {
      submit: true,
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
    },
    response: { error: 'false', message: 'Success', id: 1, status: 'queued', struct_id: null },
  },
  run4uCancel: {
    request: { id: 1 },
    response: { error: 'false', message: 'Success', id: 1, status: 'cancelled' },
  },
  run4uResubmit: {
    request: { id: 1 },
    response: { error: 'false', message: 'Success', id: 2, status: 'queued', struct_id: null },
  },
} as const;
