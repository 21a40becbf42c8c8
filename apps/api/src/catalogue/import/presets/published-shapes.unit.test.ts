/**
 * Converts documents of published formats to drafts. Keys and units come from the documentation of the
 * formats, crystals are our own.
 */
import { atomCount, compositionOf } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { draftsOfUnit, type SourceUnit } from '../draft/drafts-of-unit.ts';
import type { StatedOrigin } from '../draft/stated-origin.ts';

const draftOf = (document: object, origin: StatedOrigin = {}, more: Partial<SourceUnit> = {}) =>
  draftsOfUnit({ label: 'x', format: 'json', text: JSON.stringify(document), ...more }, origin).drafts[0]!;

/** Rock salt in its primitive cell, a = 5.64 Å. */
const matrix = [
  [0, 2.82, 2.82],
  [2.82, 0, 2.82],
  [2.82, 2.82, 0],
];
const sites = ['Na', 'Cl'].map((element, i) => ({
  species: [{ element, occu: 1 }],
  abc: [i / 2, i / 2, i / 2],
}));
const structure = { lattice: { matrix }, sites };

describe('AFLOW', () => {
  const entry = {
    compound: 'Cl1Na1',
    auid: 'aflow:0123456789abcdef',
    aurl: 'aflowlib.duke.edu:AFLOWDATA/ICSD_WEB/FCC/Cl1Na1_ICSD_0',
    geometry: [3.988, 3.988, 3.988, 60, 60, 60],
    positions_fractional: [
      [0, 0, 0],
      [0.5, 0.5, 0.5],
    ],
    species: ['Cl', 'Na'],
    composition: [1, 1],
    enthalpy_formation_atom: -1.78,
    Egap: 5.1,
    spin_cell: 0,
  };

  it('AFLOW: formation energy, gap and moment are read with id and address', () => {
    const draft = draftOf(entry);
    expect(draft).toMatchObject({
      energies: [{ functional: 'PBE (AFLOW)', formationEnergyPerAtom: -1.78 }],
      given: { bandGap: 5.1, totalMagnetization: 0, sourceName: 'AFLOW', sourceId: 'aflow:0123456789abcdef' },
    });
    expect(compositionOf(draft.structure)).toEqual({ Cl: 1, Na: 1 });
  });

  it('AFLOW: lists may be texts, as in its REST interface', () => {
    const draft = draftOf({
      ...entry,
      geometry: '3.988,3.988,3.988,60,60,60',
      positions_fractional: '0,0,0;0.5,0.5,0.5',
      species: 'Cl,Na',
      composition: '1,1',
    });
    expect(draft.structure).toEqual(draftOf(entry).structure);
  });

  it('AFLOW: a document is refused when positions and composition do not agree', () =>
    expect(() => draftOf({ ...entry, composition: [2, 1] })).toThrow(/2 positions of 3 atoms/));
});

describe('NOMAD', () => {
  const archive = {
    metadata: { entry_id: 'zQJMKax7xk384h_rx7VW_-6bRIgi' },
    run: [
      {
        calculation: [
          { energy: { total: { value: -1e-18 } } },
          { energy: { total: { value: -1.0252e-18 } } },
        ],
      },
    ],
    results: {
      method: {
        simulation: {
          program_name: 'VASP',
          program_version: '5.4.4',
          dft: { xc_functional_names: ['GGA_C_PBE', 'GGA_X_PBE'] },
        },
      },
      properties: {
        structures: {
          structure_original: {
            lattice_vectors: matrix.map((row) => row.map((x) => x * 1e-10)),
            cartesian_site_positions: [
              [0, 0, 0],
              [2.82e-10, 2.82e-10, 2.82e-10],
            ],
            species_at_sites: ['Na', 'Cl'],
          },
        },
        electronic: { band_structure_electronic: [{ band_gap: [{ value: 8.0108831e-19 }] }] },
      },
    },
  };

  it('NOMAD: SI units are converted and a scale is required', () => {
    expect(() => draftOf(archive)).toThrow(/--scale NAME/);
    for (const document of [archive, { entry_id: 'x', archive }]) {
      const draft = draftOf(document, { scale: 'PBE (NOMAD VASP 520 eV)' });
      expect(draft.energies[0]?.energyPerAtom).toBeCloseTo(-3.1994, 3);
      expect(draft.given.bandGap).toBeCloseTo(5, 6);
      expect(draft.given).toMatchObject({ sourceName: 'NOMAD', sourceId: 'zQJMKax7xk384h_rx7VW_-6bRIgi' });
      expect(draft.provenance).toMatchObject({ program: 'VASP', engine_version: '5.4.4' });
      expect(draft.structure.latticeVectors[0]?.[1]).toBeCloseTo(2.82, 9);
    }
  });
});

const CIF = `data_image0
_cell_length_a 3.988
_cell_length_b 3.988
_cell_length_c 3.988
_cell_angle_alpha 60
_cell_angle_beta 60
_cell_angle_gamma 60
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Na1 Na 0 0 0
Cl1 Cl 0.5 0.5 0.5
`;

describe('a CIF file with a table row', () => {
  const unit = (row: Readonly<Record<string, string>>): SourceUnit => ({
    label: 'by_id/00001abcde.CIF',
    format: 'cif',
    text: CIF,
    row,
  });

  it('a GNoME row is read with formation energy and gap, under its own scale and licence', () => {
    const [draft] = draftsOfUnit(
      unit({
        MaterialId: '00001abcde',
        'Formation Energy Per Atom': '-2.05',
        Bandgap: '5.0',
        'Dimensionality Cheon': '3D',
      }),
    ).drafts;
    expect(draft).toMatchObject({
      energies: [{ functional: 'PBE (GNoME)', formationEnergyPerAtom: -2.05 }],
      given: { bandGap: 5, sourceName: 'GNoME', sourceId: '00001abcde', sourceLicence: 'CC BY-NC 4.0' },
      provenance: { dimensionality: '3D' },
    });
  });

  it('columns named as in the import format are read as values, and other columns become provenance', () => {
    const [draft] = draftsOfUnit(
      unit({
        id: '7',
        band_gap: '4.9',
        formation_energy_per_atom: '-2.1',
        functional: 'PBE (own)',
        student: 'Li',
      }),
      { source: 'Group X' },
    ).drafts;
    expect(draft).toMatchObject({
      energies: [{ functional: 'PBE (own)', formationEnergyPerAtom: -2.1 }],
      given: { bandGap: 4.9, sourceName: 'Group X' },
      provenance: { student: 'Li' },
    });
    expect(() => draftsOfUnit(unit({ id: '7', band_gap: 'wide' }))).toThrow(
      'band_gap: expected a number, found "wide"',
    );
  });
});

describe('a ComputedStructureEntry', () => {
  const entry = (more: object) => ({
    '@class': 'ComputedStructureEntry',
    entry_id: 'mp-22862',
    structure,
    energy: -6,
    parameters: { run_type: 'GGA' },
    ...more,
  });

  it('a Materials Project entry with the MP2020 correction, raw or corrected, is on the MP2020 scale', () => {
    for (const [correction, scheme] of [[-0.614], [0, 'MP2020, calculated at import']] as const)
      expect(draftOf(entry({ correction })).energies).toMatchObject([
        {
          functional: 'PBE (MP2020)',
          energyPerAtom: -6.614 / 2,
          source: scheme === undefined ? { correction } : { correction: -0.614, scheme },
        },
      ]);
  });

  it('an entry with another correction scheme or another U is refused until its scale is named', () => {
    const legacy = entry({ correction: -0.5 });
    expect(() => draftOf(legacy)).toThrow(/-0\.5 eV is not that of MP2020 \(-0\.614 eV\)/);
    expect(draftOf(legacy, { scale: 'PBE (MP 2018)' }).energies).toMatchObject([
      { functional: 'PBE (MP 2018)', energyPerAtom: -3.25 },
    ]);
    const withU = entry({ parameters: { run_type: 'GGA+U', hubbards: { Na: 1 } } });
    expect(() => draftOf(withU)).toThrow(/U is 1 eV on Na/);
  });
});

describe('electronic structure written by pymatgen', () => {
  const bandstructure = {
    '@class': 'BandStructureSymmLine',
    lattice_rec: {
      matrix: [
        [-1, 1, 1],
        [1, -1, 1],
        [1, 1, -1],
      ],
    },
    efermi: 1.5,
    kpoints: [
      [0, 0, 0],
      [0.25, 0, 0.25],
      [0.5, 0, 0.5],
      [0.5, 0.5, 0.5],
      [0, 0, 0],
    ],
    bands: {
      '1': [
        [0, -0.5, -1, -1, 0],
        [5, 5.5, 6, 6, 5],
      ],
    },
    labels_dict: { '\\Gamma': [0, 0, 0], X: [0.5, 0, 0.5], L: [0.5, 0.5, 0.5] },
    branches: [
      { start_index: 0, end_index: 2, name: '\\Gamma-X' },
      { start_index: 3, end_index: 4, name: 'L-\\Gamma' },
    ],
    is_metal: false,
    band_gap: { direct: true, energy: 5, transition: '\\Gamma-\\Gamma' },
  };
  const dos = {
    '@class': 'CompleteDos',
    efermi: 1.4,
    energies: [0, 1, 2],
    densities: { '1': [1, 0, 2] },
    pdos: [
      { s: { densities: { '1': [0.5, 0, 0] } } },
      { px: { densities: { '1': [0.25, 0, 1] } }, py: { densities: { '1': [0.25, 0, 1] } } },
    ],
  };

  it('is read as bands along their path and densities by element and orbital', () => {
    const document = { material_id: 'mp-22862', structure, bandstructure, dos };
    const { given, properties } = draftOf(document, { scale: 'PBE' });
    expect(given).toMatchObject({ bandGap: 5, fermiEnergy: 1.5, sourceId: 'mp-22862' });
    const [bands] = properties.bands;
    // |Γ–X| is |½ b1 + ½ b3| = 1, |L–Γ| is |½ (b1 + b2 + b3)| = √3/2; the jump between path segments has no
    // length.
    expect(bands?.kDistance.map((x) => Number(x.toFixed(6)))).toEqual([0, 0.5, 1, 1, 1.866025]);
    expect(bands).toMatchObject({
      functional: 'PBE',
      spinUp: [
        [0, 5],
        [-0.5, 5.5],
        [-1, 6],
        [-1, 6],
        [0, 5],
      ],
      labels: [
        { index: 0, label: '\\Gamma' },
        { index: 2, label: 'X' },
        { index: 3, label: 'L' },
        { index: 4, label: '\\Gamma' },
      ],
    });
    expect(properties.dos[0]).toMatchObject({
      total: [1, 0, 2],
      projected: { 'Na s': [0.5, 0, 0], 'Cl p': [0.5, 0, 2] },
    });
  });

  it('bands or densities alone suffice if they contain the structure; functional and structure are required', () => {
    expect(atomCount(compositionOf(draftOf({ ...dos, structure }, { scale: 'HSE' }).structure))).toBe(2);
    expect(() => draftOf(dos, { scale: 'HSE' })).toThrow(
      /neither the bands nor the density of states contain it/,
    );
    expect(() => draftOf({ ...bandstructure, structure })).toThrow(/pass it with --scale/);
    expect(() => draftOf({ ...bandstructure, structure, branches: [] }, { scale: 'PBE' })).toThrow(
      /branches/,
    );
  });
});
