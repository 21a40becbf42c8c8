/** Answers from a fresh install; lists are shortened. */

export const examples = {
  screenMaterials: {
    request: {
      filter: 'elements HAS "O" AND crystal_system = "cubic" AND band_gap >= 2 AND band_gap <= 4',
      sort: '-band_gap',
      fields: ['struct_id', 'formula', 'band_gap', 'energy_above_hull'],
      facets: ['has_elastic'],
      limit: 1,
    },
    response: {
      error: 'false',
      message: '',
      filter: 'elements HAS "O" AND crystal_system = "cubic" AND band_gap >= 2 AND band_gap <= 4',
      scale: { functional: 'PBE (MP 2018)', release: { id: 5, date: '2026-11-21' } },
      release: 6,
      catalogue: 1671,
      total: 2,
      fields: ['struct_id', 'formula', 'band_gap', 'energy_above_hull'],
      rows: [[137, 'CaO', 3.642, 0]],
      completeness: {
        status: 'known',
        incomplete: {},
        source: 'Materials Project, release of 2018 …; CC BY 4.0',
      },
      next: 'Ni5hYmNkZWZnaGlqa2xtbm9wLjEzNw',
      facets: {
        has_elastic: {
          kind: 'values',
          values: [
            { value: true, count: 1 },
            { value: false, count: 1 },
          ],
          others: 0,
          missing: 0,
          total: 2,
        },
      },
      conditions: [
        { filter: 'elements HAS "O"', without: 20 },
        { filter: 'crystal_system = "cubic"', without: 9 },
        { filter: 'band_gap >= 2 AND band_gap <= 4', without: 31 },
      ],
    },
  },
  downloadScreened: {
    request: { filter: 'elements HAS "O" AND has_elastic = TRUE', format: 'jsonl' },
    response:
      '{"struct_id":134,"formula":"CaO","band_gap":3.818,"source_name":"Materials Project","source_licence":"CC BY 4.0","energy_scale":"PBE (MP 2018)","missing_compounds":""}\n',
  },
  screenPoints: {
    request: { filter: 'elements HAS "O"', x: 'band_gap', y: 'density', color: 'energy_above_hull' },
    response: {
      error: 'false',
      message: '',
      total: 3,
      x: [3.818, 4.74],
      y: [3.3463, 3.58],
      color: [0, null],
    },
  },
  screenElements: {
    request: { filter: 'nelements = 2', field: 'band_gap' },
    response: {
      error: 'false',
      message: '',
      total: 812,
      elements: {
        O: { count: 143, known: 140, median: 2.151 },
        Ti: { count: 21, known: 19, median: 0 },
      },
    },
  },
  materialRows: {
    request: { ids: [137, 142], fields: ['struct_id', 'formula', 'band_gap'] },
    response: {
      error: 'false',
      message: '',
      scale: { functional: 'PBE (MP 2018)', release: { id: 5, date: '2026-11-21' } },
      release: 6,
      fields: ['struct_id', 'formula', 'band_gap'],
      rows: [
        [137, 'CaO', 3.642],
        [142, 'TiO2', 1.781],
      ],
    },
  },
} as const;
