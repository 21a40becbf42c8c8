/** Lithium iron phosphate from a fresh install; lists and texts are shortened. */

export const examples = {
  getEcwDetail: {
    request: { struct_id: 95, work_ion: 'Li' },
    response: {
      error: 'false',
      message: '',
      formula: 'LiFePO4',
      struct_id: 95,
      work_ion: 'Li',
      charge: 1,
      ref_miu: 0,
      voltage: [0, 0.410885, 0.752241, 0.76948, 0.792876, 0.831768, 2.14011, 3.28584, 3.32713, 5],
      rxn_energy: [
        -1.39884, -0.811864, -0.421743, -0.409224, -0.394184, -0.373812, 0, 0, -0.00393238, -0.242914,
      ],
      reduction_onset: 2.14011,
      oxidation_onset: 3.28584,
      d_e_reduction_onset: 0,
      d_e_oxidation_onset: 0,
      hovertext: [
        '0.000 V: -1.3988 eV/atom<br>Li2O + Li3P + Fe',
        '0.411 V: -0.8119 eV/atom<br>Li2O + LiFeP',
        '0.752 V: -0.4217 eV/atom<br>Li2O + Li3PO4 + Li2Fe12P7',
        '0.769 V: -0.4092 eV/atom<br>Li2O + Li3PO4 + Fe2P',
        '0.793 V: -0.3942 eV/atom<br>Li3PO4 + Li2O + Fe3P',
        '0.832 V: -0.3738 eV/atom<br>Li3PO4 + Fe',
        '2.140 V: 0.0000 eV/atom<br>LiFePO4',
        '3.286 V: 0.0000 eV/atom<br>Fe7(PO4)6 + Li3Fe2(PO4)3',
        '3.327 V: -0.0039 eV/atom<br>FePO4',
        '5.000 V: -0.2429 eV/atom<br>FePO4',
      ],
      e_above_hull: 0,
      decomposition_table_data: [
        {
          Voltage_range: '0.000 – 0.411',
          Phase_equilibria:
            '<a href="/matdatades/0000000121">Li<sub>2</sub>O</a> + <a href="/matdatades/0000000119">Li<sub>3</sub>P</a> + <a href="/matdatades/0000000025">Fe</a>',
          Reaction: 'LiFePO4 + 10 Li → 4 Li2O + Li3P + Fe',
          min_voltage: 0,
          max_voltage: 0.410885,
          ion_uptake: 10,
          phases: [
            { formula: 'Li2O', struct_id: 121, moles: 4 },
            { formula: 'Li3P', struct_id: 119, moles: 1 },
            { formula: 'Fe', struct_id: 25, moles: 1 },
          ],
        },
        {
          Voltage_range: '0.411 – 0.752',
          Phase_equilibria:
            '<a href="/matdatades/0000000121">Li<sub>2</sub>O</a> + <a href="/matdatades/0000000339">LiFeP</a>',
          Reaction: 'LiFePO4 + 8 Li → 4 Li2O + LiFeP',
          min_voltage: 0.410885,
          max_voltage: 0.752241,
          ion_uptake: 8,
          phases: [
            { formula: 'Li2O', struct_id: 121, moles: 4 },
            { formula: 'LiFeP', struct_id: 339, moles: 1 },
          ],
        },
        {
          Voltage_range: '0.752 – 0.769',
          Phase_equilibria:
            '<a href="/matdatades/0000000121">Li<sub>2</sub>O</a> + <a href="/matdatades/0000000126">Li<sub>3</sub>PO<sub>4</sub></a> + <a href="/matdatades/0000000350">Li<sub>2</sub>Fe<sub>12</sub>P<sub>7</sub></a>',
          Reaction: 'LiFePO4 + 5.0833 Li → 2.3333 Li2O + 0.4167 Li3PO4 + 0.0833 Li2Fe12P7',
          min_voltage: 0.752241,
          max_voltage: 0.76948,
          ion_uptake: 5.08333,
          phases: [
            { formula: 'Li2O', struct_id: 121, moles: 2.33333 },
            { formula: 'Li3PO4', struct_id: 126, moles: 0.416667 },
            { formula: 'Li2Fe12P7', struct_id: 350, moles: 0.0833333 },
          ],
        },
        {
          Voltage_range: '0.769 – 0.793',
          Phase_equilibria:
            '<a href="/matdatades/0000000121">Li<sub>2</sub>O</a> + <a href="/matdatades/0000000126">Li<sub>3</sub>PO<sub>4</sub></a> + <a href="/matdatades/0000000259">Fe<sub>2</sub>P</a>',
          Reaction: 'LiFePO4 + 4.5 Li → 2 Li2O + 0.5 Li3PO4 + 0.5 Fe2P',
          min_voltage: 0.76948,
          max_voltage: 0.792876,
          ion_uptake: 4.5,
          phases: [
            { formula: 'Li2O', struct_id: 121, moles: 2 },
            { formula: 'Li3PO4', struct_id: 126, moles: 0.5 },
            { formula: 'Fe2P', struct_id: 259, moles: 0.5 },
          ],
        },
        {
          Voltage_range: '0.793 – 0.832',
          Phase_equilibria:
            '<a href="/matdatades/0000000126">Li<sub>3</sub>PO<sub>4</sub></a> + <a href="/matdatades/0000000121">Li<sub>2</sub>O</a> + <a href="/matdatades/0000000260">Fe<sub>3</sub>P</a>',
          Reaction: 'LiFePO4 + 3.6667 Li → 0.6667 Li3PO4 + 1.3333 Li2O + 0.3333 Fe3P',
          min_voltage: 0.792876,
          max_voltage: 0.831768,
          ion_uptake: 3.66667,
          phases: [
            { formula: 'Li3PO4', struct_id: 126, moles: 0.666667 },
            { formula: 'Li2O', struct_id: 121, moles: 1.33333 },
            { formula: 'Fe3P', struct_id: 260, moles: 0.333333 },
          ],
        },
        {
          Voltage_range: '0.832 – 2.140',
          Phase_equilibria:
            '<a href="/matdatades/0000000126">Li<sub>3</sub>PO<sub>4</sub></a> + <a href="/matdatades/0000000025">Fe</a>',
          Reaction: 'LiFePO4 + 2 Li → Li3PO4 + Fe',
          min_voltage: 0.831768,
          max_voltage: 2.14011,
          ion_uptake: 2,
          phases: [
            { formula: 'Li3PO4', struct_id: 126, moles: 1 },
            { formula: 'Fe', struct_id: 25, moles: 1 },
          ],
        },
        {
          Voltage_range: '2.140 – 3.286',
          Phase_equilibria: '<a href="/matdatades/0000000095">LiFePO<sub>4</sub></a>',
          Reaction: 'LiFePO4 → LiFePO4',
          min_voltage: 2.14011,
          max_voltage: 3.28584,
          ion_uptake: 0,
          phases: [{ formula: 'LiFePO4', struct_id: 95, moles: 1 }],
        },
        {
          Voltage_range: '3.286 – 3.327',
          Phase_equilibria:
            '<a href="/matdatades/0000000349">Fe<sub>7</sub>(PO<sub>4</sub>)<sub>6</sub></a> + <a href="/matdatades/0000000385">Li<sub>3</sub>Fe<sub>2</sub>(PO<sub>4</sub>)<sub>3</sub></a>',
          Reaction: 'LiFePO4 → 0.1111 Fe7(PO4)6 + 0.1111 Li3Fe2(PO4)3 + 0.6667 Li',
          min_voltage: 3.28584,
          max_voltage: 3.32713,
          ion_uptake: -0.666667,
          phases: [
            { formula: 'Fe7(PO4)6', struct_id: 349, moles: 0.111111 },
            { formula: 'Li3Fe2(PO4)3', struct_id: 385, moles: 0.111111 },
          ],
        },
        {
          Voltage_range: '> 3.327',
          Phase_equilibria: '<a href="/matdatades/0000000096">FePO<sub>4</sub></a>',
          Reaction: 'LiFePO4 → FePO4 + Li',
          min_voltage: 3.32713,
          max_voltage: null,
          ion_uptake: -1,
          phases: [{ formula: 'FePO4', struct_id: 96, moles: 1 }],
        },
      ],
      transition_indexes: { reduction_onset: 5, oxidation_onset: 7 },
      completeness: {
        status: 'complete',
        chemical_system: 'Fe-Li-O-P',
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
