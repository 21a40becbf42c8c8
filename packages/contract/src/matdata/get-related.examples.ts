/** Rutile from a fresh install; lists are shortened. */

export const examples = {
  getRelated: {
    request: { struct_id: 142 },
    response: {
      functional: 'PBE (MP 2018)',
      windows: [{ working_ion: 'Li', reduction_onset: 1.563, oxidation_onset: 3.874 }],
      polymorphs: {
        count: 3,
        rows: [{ struct_id: 143, formula: 'TiO2', space_group: 'I4_1/amd', e_above_hull: 0.006 }],
      },
      same_system: {
        count: 5,
        rows: [{ struct_id: 145, formula: 'Ti2O3', space_group: 'R-3c', e_above_hull: 0 }],
      },
      prototype: '136:a2 f4',
      same_prototype: {
        count: 12,
        rows: [{ struct_id: 151, formula: 'SnO2', space_group: 'P4_2/mnm', e_above_hull: 0, distance: 0.06 }],
      },
      similar: {
        count: 1,
        rows: [{ struct_id: 160, formula: 'CaCl2', space_group: 'Pnnm', e_above_hull: 0, distance: 0.14 }],
      },
    },
  },
} as const;
