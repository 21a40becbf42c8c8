/** Rutile from a fresh install; lists and texts are shortened. */

export const examples = {
  getStructDetail: {
    request: { struct_id: 142 },
    response: {
      formula: 'TiO2',
      struct_id: 142,
      nelements: 2,
      nsites: 6,
      elements: ['O', 'Ti'],
      elements_type: 2,
      elements_quantity: [4, 2],
      names: { en: 'titanium dioxide (rutile)', zh: '金红石' },
      lattice: { a: 4.59373, b: 4.59373, c: 2.95812, alpha: 90, beta: 90, gamma: 90, volume: 62.4233 },
      density: 4.24902,
      energies: {
        energy: null,
        energy_per_atom: null,
        energy_vdw: null,
        energy_per_atom_vdw: null,
        e_above_hull: 0.03671,
        formation_energy_per_atom: -3.48212,
        efermi: 5.7217,
      },
      energy_scales: [
        {
          functional: 'PBE (MP 2018)',
          formation_energy_per_atom: -3.48212,
          e_above_hull: 0.03671,
          decomposition: [{ struct_id: 145, formula: 'TiO2', fraction: 1 }],
          release: 5,
          completeness: {
            status: 'complete',
            chemical_system: 'O-Ti',
            missing: [],
            missing_count: 0,
            bounds: {},
            source:
              'Materials Project, release of 2018 (Jain et al., APL Materials 1, 011002 (2013)), ground states of Bartel et al., npj Comput. Mater. 6, 97 (2020); CC BY 4.0',
          },
          expected_error: {
            compound_class: 'oxide',
            count: 103,
            mean: -0.091,
            mean_absolute: 0.109,
            measured_scale: 'experiment-298K',
          },
          source: {},
        },
        {
          functional: 'experiment-298K',
          formation_energy_per_atom: -3.2613,
          e_above_hull: 0,
          decomposition: [{ struct_id: 142, formula: 'TiO2', fraction: 1 }],
          release: 6,
          source: { id: '', name: 'Robie & Hemingway, USGS Bulletin 2131 (1995)', licence: 'facts, cited' },
        },
      ],
      symmetry_data: {
        hall: '-P 4n 2n',
        space_group: 'P4_2/mnm',
        space_group_number: 136,
        point_group: '4/mmm',
        crystal_system: 'tetragonal',
        lattice_type: 'tetragonal',
        symprec: 0.1,
        wyckoffs: ['a', 'a', 'f', 'f', 'f', 'f'],
        stated: [
          {
            tolerance: 0.01,
            symprec: 0.01,
            space_group: 'P4_2/mnm',
            space_group_number: 136,
            hall: '-P 4n 2n',
            point_group: '4/mmm',
            crystal_system: 'tetragonal',
            lattice_type: 'tetragonal',
          },
        ],
      },
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
      run_type: 'PBE (MP 2018)',
      calculated_at: '',
      vasp_version: '',
      potcar_symbols: [],
      hubbards: {},
      band_gap_type: 'direct',
      band_gap: 1.781,
      total_magnetization: null,
      decomposition: '1 TiO2',
      output_structs: {
        jsmol_struct:
          'data_TiO2\n_cell_length_a 4.5937300000\n_cell_length_b 4.5937300000\n_cell_length_c 2.9581200000\n_cell_angle_alpha 90.00000…',
        output_struct_primitive:
          'data_TiO2-142-primitive\n_cell_length_a 4.5937300000\n_cell_length_b 4.5937300000\n_cell_length_c 2.9581200000\n_cell_angle_…',
        output_struct_conventional:
          'data_TiO2-142-conventional\n_cell_length_a 4.5937300000\n_cell_length_b 4.5937300000\n_cell_length_c 2.9581200000\n_cell_ang…',
      },
      structures: {
        given: null,
        primitive: {
          lattice: {
            matrix: [
              [4.59373, 0, 0],
              [0, 4.59373, 0],
              [0, 0, 2.95812],
            ],
          },
          sites: [
            { species: [{ element: 'Ti', occu: 1 }], abc: [0, 0, 0] },
            { species: [{ element: 'Ti', occu: 1 }], abc: [0.5, 0.5, 0.5] },
            { species: [{ element: 'O', occu: 1 }], abc: [0.3053, 0.3053, 0] },
            { species: [{ element: 'O', occu: 1 }], abc: [0.6947, 0.6947, 0] },
            { species: [{ element: 'O', occu: 1 }], abc: [0.8053, 0.1947, 0.5] },
            { species: [{ element: 'O', occu: 1 }], abc: [0.1947, 0.8053, 0.5] },
          ],
        },
        conventional: {
          lattice: {
            matrix: [
              [4.59373, 0, 0],
              [0, 4.59373, 0],
              [0, 0, 2.95812],
            ],
          },
          sites: [
            { species: [{ element: 'Ti', occu: 1 }], abc: [0, 0, 0] },
            { species: [{ element: 'Ti', occu: 1 }], abc: [0.5, 0.5, 0.5] },
            { species: [{ element: 'O', occu: 1 }], abc: [0.3053, 0.3053, 0] },
            { species: [{ element: 'O', occu: 1 }], abc: [0.6947, 0.6947, 0] },
            { species: [{ element: 'O', occu: 1 }], abc: [0.8053, 0.1947, 0.5] },
            { species: [{ element: 'O', occu: 1 }], abc: [0.1947, 0.8053, 0.5] },
          ],
        },
      },
      elec_diagram: {
        pbe_elec_diagram_display: 'block',
        pbe_elec_diagram:
          '<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 900 440" role="img" font-family="sans-serif" font-size…',
        hse_elec_diagram_display: 'none',
        hse_elec_diagram: '',
        band_structures: [
          {
            labels: [
              { index: 0, label: 'Γ' },
              { index: 11, label: 'X' },
            ],
            spinUp: [
              [-13.873, -12.741],
              [-13.866, -12.742],
            ],
            kPoints: [
              [0, 0, 0],
              [0, 0.045452, 0],
            ],
            kDistance: [0, 0.06149],
            functional: 'PBE',
            fermiEnergy: 5.7217,
            reciprocalLattice: [
              [1.35285, 0, 0],
              [0, 1.35285, 0],
              [0, 0, 2.11539],
            ],
          },
        ],
        densities_of_states: [
          {
            total: [0, 0],
            energies: [-11.819, -11.769],
            projected: {
              'O d': [0, 0],
              'O p': [0, 0],
              'O s': [0, 0],
              'Ti d': [0, 0],
              'Ti p': [0, 0],
              'Ti s': [0, 0],
            },
            functional: 'PBE',
            fermiEnergy: 5.7217,
          },
        ],
      },
      epsilon_piezo: {
        has_epsilon: true,
        has_piezo: false,
        epsilon_piezo_data: {
          dielectric_property: {
            epsilon_tensor: [
              [6.84, 0, 0],
              [0, 6.84, 0],
              [0, 0, 8.43],
            ],
            epsilon_total_tensor: [
              [86, 0, 0],
              [0, 86, 0],
              [0, 0, 170],
            ],
            epsilon_electron: 7.37,
            epsilon_total: 114,
            refractive_index: 2.71477,
          },
          piezo_total_tensor: null,
        },
      },
      tensor_symmetry: { elastic: null, dielectric: null, piezoelectric: null },
      elastic_dict: {
        has_elastic: true,
        elastic_tensor: [
          [269, 177, 146, 0, 0, 0],
          [177, 269, 146, 0, 0, 0],
          [146, 146, 480, 0, 0, 0],
          [0, 0, 0, 124, 0, 0],
          [0, 0, 0, 0, 124, 0],
          [0, 0, 0, 0, 0, 192],
        ],
        elastic_property: {
          g_voigt: 124.6,
          k_voigt: 217.333,
          g_reuss: 98.6538,
          k_reuss: 208.574,
          g_vrh: 111.627,
          k_vrh: 212.954,
          universal_anisotropy: 1.35701,
          homogeneous_poisson: 0.276891,
          y_mod: 285.071,
          debye_temperature: 778.538,
          long_v: 9227.49,
          trans_v: 5125.54,
        },
      },
      source: {
        name: 'Materials Project',
        id: 'mp-2657',
        licence: 'CC BY 4.0',
        url: 'https://materialsproject.org/materials/mp-2657',
      },
      provenance: {
        structure: 'cell and positions: COD 9009083',
        dielectric: {
          unit: 'relative to vacuum',
          source:
            'measured, room temperature, handbook values (Young & Frederikse, J. Phys. Chem. Ref. Data 2, 313 (1973); Palik, Handbook…',
          licence: 'facts, cited',
        },
        formation_energy: 'Materials Project 2018 by mp-id',
      },
      release: { id: 5, date: '2026-11-21T05:32:17.508+00:00' },
      address: 'https://unitcell.example.org/matdatades/142',
      sources: [
        {
          section: 'structure',
          of: '',
          kinds: ['measured'],
          statement: 'cell and positions: COD 9009083 (Wyckoff, Crystal Structures, 2nd ed., vol. 1 (1963))',
          is_derived: false,
          method: [],
          licence: 'CC0-1.0',
          works: [
            {
              text: 'Wyckoff, Crystal Structures, 2nd ed., vol. 1 (1963), from Crystallography Open Database 9009083',
              url: 'https://www.crystallography.net/cod/9009083.html',
            },
          ],
          citation_checked: true,
        },
        {
          section: 'energy',
          of: 'PBE (MP 2018)',
          kinds: ['calculated'],
          statement: 'Materials Project 2018 by mp-id',
          is_derived: false,
          method: [{ key: 'functional', value: 'PBE' }],
          licence: 'CC BY 4.0',
          works: [
            {
              text: 'Materials Project mp-2657',
              url: 'https://materialsproject.org/materials/mp-2657',
            },
          ],
          citation_checked: true,
        },
        {
          section: 'energy',
          of: 'experiment-298K',
          kinds: ['measured'],
          statement: 'Robie & Hemingway, USGS Bulletin 2131 (1995)',
          is_derived: false,
          method: [{ key: 'temperature', value: '298 K' }],
          licence: 'facts, cited',
          works: [
            {
              text: 'Robie & Hemingway, USGS Bulletin 2131 (1995)',
              url: 'https://doi.org/10.3133/b2131',
            },
          ],
          citation_checked: true,
        },
        {
          section: 'band_gap',
          of: 'listed',
          kinds: ['calculated'],
          statement: 'Materials Project mp-2657',
          is_derived: false,
          method: [{ key: 'functional', value: 'PBE' }],
          licence: 'CC BY 4.0',
          works: [
            {
              text: 'Materials Project mp-2657',
              url: 'https://materialsproject.org/materials/mp-2657',
            },
          ],
          citation_checked: true,
        },
        {
          section: 'bands',
          of: 'PBE',
          kinds: ['calculated'],
          statement: 'computed for Unitcell',
          is_derived: false,
          method: [
            { key: 'code', value: 'ABINIT 9.6.2' },
            { key: 'functional', value: 'PBE' },
            { key: 'cutoff', value: '598.7 eV' },
            { key: 'k_mesh', value: '5 × 5 × 8' },
          ],
          licence: 'CC0-1.0',
          works: [{ text: 'computed for Unitcell', url: null }],
          citation_checked: null,
        },
        {
          section: 'elastic',
          of: '',
          kinds: ['measured'],
          statement:
            'measured near 300 K, as given by: Bass, Elasticity of Minerals, Glasses, and Melts, AGU Reference Shelf 2 (1995); read in a transcription of it',
          is_derived: false,
          method: [{ key: 'temperature', value: 'near 300 K' }],
          licence: 'facts, cited',
          works: [
            {
              text: 'Bass, Elasticity of Minerals, Glasses, and Melts, AGU Reference Shelf 2 (1995)',
              url: null,
            },
          ],
          citation_checked: true,
        },
      ],
      band_gaps: [
        { of: 'listed', functional: 'PBE (MP 2018)', value: 1.781 },
        { of: 'bands', functional: 'PBE', value: 1.847 },
        { of: 'measured', functional: '', value: 3.03 },
      ],
      observed: { status: 'observed', evidence: 'structure: measured cell' },
      predicted: {
        model: '4bbeab527c32',
        formation_energy_per_atom: { value: -3.46685, low: -3.4989, high: -3.4348 },
        band_gap: { value: 2.272, low: 1.581, high: 2.964 },
        insulator_probability: 0.994,
        bulk_modulus: { value: 173.7, low: 125.9, high: 239.5 },
        shear_modulus: { value: 83.8, low: 52.5, high: 133.9 },
        familiarity: 'near',
        calculated: {
          formation_energy_per_atom: -3.48212,
          band_gap: 1.781,
          bulk_modulus: null,
          shear_modulus: null,
        },
        disagreements: [],
      },
      records: [],
      comparison: [],
    },
  },
} as const;
