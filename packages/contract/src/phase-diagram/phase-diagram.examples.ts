/** Answers from a fresh install; lists and texts are shortened. */

export const examples = {
  phaseDiagramHandle: {
    request: { include: 'Li O' },
    response: {
      error: 'false',
      message: '',
      data: [
        { name: 'Hull', x: [0, 0.333333, 0.5, 1], y: [0, -2.07151, -1.65049, 0] },
        {
          name: 'Unstable',
          x: [],
          y: [],
          formula: [],
          space_group: [],
          fEnergy: [],
          eAboveHull: [],
          text: [],
          tid: [],
          decomposition: [],
        },
        {
          name: 'Stable',
          x: [0, 1, 0.333333, 0.5],
          y: [0, 0, -2.07151, -1.65049],
          formula: ['Li', 'O2', 'Li2O', 'Li2O2'],
          space_group: ['Im-3m', 'C2/m', 'Fm-3m', 'P6_3/mmc'],
          fEnergy: [0, 0, -2.07151, -1.65049],
          eAboveHull: [0, 0, 0, 0],
          text: [
            'Li Im-3m #1<br>0.000 eV/atom',
            'O2 C2/m #57<br>0.000 eV/atom',
            'Li2O Fm-3m #121<br>-2.072 eV/atom',
            'Li2O2 P6_3/mmc #122<br>-1.650 eV/atom',
          ],
          id: [1, 57, 121, 122],
        },
      ],
      annotations: [
        { x: 0, y: 0, text: 'Li' },
        { x: 1, y: 0, text: 'O' },
      ],
      title: 'Li-O',
      components: ['Li', 'O'],
      expected_errors: [
        {
          compound_class: 'oxide',
          count: 103,
          mean: -0.0911,
          mean_absolute: 0.1092,
          measured_scale: 'experiment-298K',
        },
      ],
      scale_failures: [],
      completeness: {
        status: 'complete',
        chemical_system: 'Li-O',
        missing: [],
        missing_count: 0,
        bounds: {},
        source:
          'Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013)), ground states of Bartel et al., npj Comput. Mater. 6, 97 (2020); CC BY 4.0',
      },
      functional: 'PBE (MP 2018)',
      release: { id: 5, date: '2026-11-21' },
    },
  },
  getPhaseDiagram: {
    request: { include: ['O', 'Ti'], n: '2' },
    response: {
      error: 'false',
      message: '',
      data: [
        {
          name: 'Hull',
          x: [0, 0.333333, 0.375, 0.4, 0.5, 0.666667, 0.75, 0.857143, 1],
          y: [0, -3.51883, -3.39862, -3.31885, -2.92069, -2.04329, -1.57589, -0.91874, 0],
        },
        {
          name: 'Unstable',
          x: [0.333333, 0.333333, 0.333333, 0.5],
          y: [-3.48212, -3.51279, -3.49884, -2.87771],
          formula: ['TiO2', 'TiO2', 'TiO2', 'TiO'],
          space_group: ['P4_2/mnm', 'I4_1/amd', 'Pbca', 'C2/m'],
          fEnergy: [-3.48212, -3.51279, -3.49884, -2.87771],
          eAboveHull: [0.03671, 0.00604, 0.01999, 0.04298],
          text: [
            'TiO2 P4_2/mnm #142<br>-3.482 eV/atom, 0.037 above hull<br>→ TiO2',
            'TiO2 I4_1/amd #143<br>-3.513 eV/atom, 0.006 above hull<br>→ TiO2',
            'TiO2 Pbca #144<br>-3.499 eV/atom, 0.020 above hull<br>→ TiO2',
            'TiO C2/m #147<br>-2.878 eV/atom, 0.043 above hull<br>→ TiO',
          ],
          tid: [142, 143, 144, 147],
          decomposition: ['TiO2', 'TiO2', 'TiO2', 'TiO'],
        },
        {
          name: 'Stable',
          x: [1, 0, 0.333333, 0.4, 0.375, 0.5, 0.666667, 0.75, 0.857143],
          y: [0, 0, -3.51883, -3.31885, -3.39862, -2.92069, -2.04329, -1.57589, -0.91874],
          formula: ['Ti', 'O2', 'TiO2', 'Ti2O3', 'Ti3O5', 'TiO', 'Ti2O', 'Ti3O', 'Ti6O'],
          space_group: ['P6_3/mmc', 'C2/m', 'C2/m', 'R-3c', 'C2/m', 'P-62m', 'P-3m1', 'P-31c', 'P-31c'],
          fEnergy: [0, 0, -3.51883, -3.31885, -3.39862, -2.92069, -2.04329, -1.57589, -0.91874],
          eAboveHull: [0, 0, 0, 0, 0, 0, 0, 0, 0],
          text: [
            'Ti P6_3/mmc #13<br>0.000 eV/atom',
            'O2 C2/m #57<br>0.000 eV/atom',
            'TiO2 C2/m #145<br>-3.519 eV/atom',
            'Ti2O3 R-3c #146<br>-3.319 eV/atom',
            'Ti3O5 C2/m #148<br>-3.399 eV/atom',
            'TiO P-62m #285<br>-2.921 eV/atom',
            'Ti2O P-3m1 #286<br>-2.043 eV/atom',
            'Ti3O P-31c #287<br>-1.576 eV/atom',
            'Ti6O P-31c #288<br>-0.919 eV/atom',
          ],
          id: [13, 57, 145, 146, 148, 285, 286, 287, 288],
        },
      ],
      annotations: [
        { x: 0, y: 0, text: 'O' },
        { x: 1, y: 0, text: 'Ti' },
      ],
      title: 'O-Ti',
      components: ['O', 'Ti'],
      expected_errors: [
        {
          compound_class: 'oxide',
          count: 103,
          mean: -0.0911,
          mean_absolute: 0.1092,
          measured_scale: 'experiment-298K',
        },
      ],
      scale_failures: [
        {
          functional: 'PBE (MP 2018)',
          struct_id: 142,
          text: {
            en: 'Rutile is the stable form of TiO2 by experiment; semi-local functionals put anatase and other open forms below it.',
            zh: '实验上金红石是 TiO2 的稳定相；半局域泛函却把锐钛矿等较疏松的相算得更低。',
          },
          source:
            'Trail et al., Phys. Rev. B 95, 121108 (2017); measured: Ranade et al., PNAS 99, 6476 (2002)',
        },
      ],
      completeness: {
        status: 'complete',
        chemical_system: 'O-Ti',
        missing: [],
        missing_count: 0,
        bounds: {},
        source:
          'Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013)), ground states of Bartel et al., npj Comput. Mater. 6, 97 (2020); CC BY 4.0',
      },
      functional: 'PBE (MP 2018)',
      release: { id: 5, date: '2026-11-21' },
    },
  },
  placeCompound: {
    request: { include: 'Li Fe O', formula: 'LiFeO2', energy_per_atom: -1.9, energy_kind: 'formation' },
    response: {
      error: 'false',
      message: '',
      formula: 'LiFeO2',
      x: 0.5,
      y: 0.433013,
      fEnergy: -1.9,
      eAboveHull: 0.15925,
      decomposition: [{ formula: 'LiFeO2', id: 99, fraction: 1 }],
      completeness: {
        status: 'complete',
        chemical_system: 'Fe-Li-O',
        missing: [],
        missing_count: 0,
        bounds: {},
        source:
          'Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013)), ground states of Bartel et al., npj Comput. Mater. 6, 97 (2020); CC BY 4.0',
      },
      functional: 'PBE (MP 2018)',
      release: { id: 5, date: '2026-11-21' },
    },
  },
  getChemicalPotentials: {
    request: { include: 'Ti O', formula: 'TiO2' },
    response: {
      error: 'false',
      message: '',
      elements: ['Ti', 'O'],
      compound: { formula: 'TiO2', id: 145, amounts: [1, 2], formation_energy: -10.55649 },
      limits: [
        { formula: 'Ti3O5', id: 148, amounts: [3, 5], formation_energy: -27.18896 },
        { formula: 'O2', id: 57, amounts: [0, 2], formation_energy: 0 },
      ],
      corners: [
        { potentials: [-1.59547, -4.48051], limits: [0] },
        { potentials: [-10.55649, 0], limits: [1] },
      ],
      completeness: {
        status: 'complete',
        chemical_system: 'O-Ti',
        missing: [],
        missing_count: 0,
        bounds: {},
        source:
          'Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013)), ground states of Bartel et al., npj Comput. Mater. 6, 97 (2020); CC BY 4.0',
      },
      functional: 'PBE (MP 2018)',
      release: { id: 5, date: '2026-11-21' },
    },
  },
} as const;
