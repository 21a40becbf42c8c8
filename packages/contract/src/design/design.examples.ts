/** New lithium oxides and sulphides; lists are shortened. */

const run = {
  id: 1,
  request: { elements: ['Li', 'O', 'S', 'Zr'], required: ['Li'], nelements: 3, max_atoms: 20 },
  status: 'finished',
  progress: 1,
  counts: {
    templates: 412,
    considered: 7416,
    unbalanced: 6120,
    predicted: 230,
    refused: 3,
    filtered: 0,
    without_hull: 0,
    duplicates: 14,
    known: 5,
    kept: 208,
  },
  model: '4bbeab527c32',
  reason: '',
  created_at: '2026-11-22T08:00:00.000Z',
  finished_at: '2026-11-22T08:00:21.000Z',
} as const;

export const examples = {
  startDesign: {
    request: { elements: ['Li', 'O', 'S', 'Zr'], required: ['Li'], nelements: 3, max_atoms: 20 },
    response: { error: 'false', message: '', id: 1 },
  },
  listDesigns: {
    request: {},
    response: { error: 'false', message: '', runs: [run] },
  },
  getDesign: {
    request: { id: 1 },
    response: {
      error: 'false',
      message: '',
      run,
      candidates: [
        {
          rank: 1,
          formula: 'Li2ZrO3',
          elements: ['Li', 'O', 'Zr'],
          nsites: 12,
          space_group: 'C2/c',
          density: 4.1,
          template: { struct_id: 311, formula: 'Li2SnO3' },
          replaced: [{ from: 'Sn', to: 'Zr' }],
          volume_ratio: 1.021,
          distance: 0.31,
          predicted: {
            formation_energy_per_atom: { value: -2.93, low: -2.99, high: -2.87 },
            band_gap: { value: 4.1, low: 3.4, high: 4.8 },
            insulator_probability: 0.99,
            bulk_modulus: { value: 110, low: 80, high: 151 },
            shear_modulus: { value: 62, low: 39, high: 99 },
            familiarity: 'near',
          },
          energy_above_hull: 0.012,
          probability_within_25_mev: 0.71,
          probability_within_50_mev: 0.86,
          windows: [],
          known_struct_id: null,
        },
      ],
    },
  },
  cancelDesign: {
    request: { id: 1 },
    response: { error: 'false', message: '', run: { ...run, status: 'cancelled', progress: 0.4 } },
  },
  designStructure: {
    request: { id: 1, rank: 1 },
    response: {
      error: 'false',
      message: '',
      formula: 'MgO',
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
      cif: 'data_MgO\n_cell_length_a 2.9783…',
    },
  },
} as const;
