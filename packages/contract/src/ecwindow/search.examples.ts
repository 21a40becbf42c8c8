/** Answers from a fresh install; lists and texts are shortened. */

export const examples = {
  searchWindowsByElements: {
    request: { include: 'Fe-Li-O-P', collapse_work_ion: 'Li', collapse_ehull: [0, 0.05] },
    response: {
      error: 'false',
      message: '',
      len: 5,
      results: [
        [95, 'LiFePO4', 2.14011, 3.28584, 'Li', 0, 4.178, 28, 'Pnma', 'orthorhombic', 'mmm', '-P 2ac 2n'],
        [383, 'LiFeP2O7', 3.03892, 4.7077, 'Li', 0, 2.607, 22, 'P2_1', 'monoclinic', '2', 'P 2yb'],
      ],
      completeness: {
        status: 'known',
        incomplete: {},
        source:
          'Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013)), ground states of Bartel et al., npj Comput. Mater. 6, 97 (2020); CC BY 4.0',
      },
      functional: 'PBE (MP 2018)',
      release: { id: 5, date: '2026-11-21' },
    },
  },
  searchWindowsByFormula: {
    request: { include: 'LiFePO4' },
    response: {
      error: 'false',
      message: '',
      formula: 'LiFePO4',
      len: 1,
      results: [
        [95, 'LiFePO4', 2.14011, 3.28584, 'Li', 0, 4.178, 28, 'Pnma', 'orthorhombic', 'mmm', '-P 2ac 2n'],
      ],
      completeness: {
        status: 'known',
        incomplete: {},
        source:
          'Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013)), ground states of Bartel et al., npj Comput. Mater. 6, 97 (2020); CC BY 4.0',
      },
      functional: 'PBE (MP 2018)',
      release: { id: 5, date: '2026-11-21' },
    },
  },
  searchWindowsById: {
    request: { include: '95' },
    response: {
      error: 'false',
      message: '',
      len: 1,
      results: [
        [95, 'LiFePO4', 2.14011, 3.28584, 'Li', 0, 4.178, 28, 'Pnma', 'orthorhombic', 'mmm', '-P 2ac 2n'],
      ],
      completeness: {
        status: 'known',
        incomplete: {},
        source:
          'Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013)), ground states of Bartel et al., npj Comput. Mater. 6, 97 (2020); CC BY 4.0',
      },
      functional: 'PBE (MP 2018)',
      release: { id: 5, date: '2026-11-21' },
    },
  },
} as const;
