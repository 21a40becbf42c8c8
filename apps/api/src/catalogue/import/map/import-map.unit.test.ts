/** Published document formats, read by the presets and by an operator's map. */
import { fields, GIVEN_NUMBERS } from '@unitcell/material';
import { describe, expect, it } from 'vitest';
import { draftsOfUnit } from '../draft/drafts-of-unit.ts';
import type { StatedOrigin } from '../draft/stated-origin.ts';
import { importMap } from './import-map-schema.ts';

const draftOf = (document: object, origin: StatedOrigin = {}) =>
  draftsOfUnit({ label: 'x', format: 'json', text: JSON.stringify(document) }, origin).drafts[0]!;

/** Rock salt in its primitive cell, a = 5.64 Å. */
const matrix = [
  [0, 2.82, 2.82],
  [2.82, 0, 2.82],
  [2.82, 2.82, 0],
];
const structure = {
  lattice: { matrix },
  sites: [
    { species: [{ element: 'Na', occu: 1 }], abc: [0, 0, 0] },
    { species: [{ element: 'Cl', occu: 1 }], abc: [0.5, 0.5, 0.5] },
  ],
};

describe('published document formats', () => {
  it('a Materials Project summary is read with scale, gap, Fermi level and moment', () => {
    const draft = draftOf({
      material_id: 'mp-22862',
      structure,
      formation_energy_per_atom: -2.1,
      energy_above_hull: 0,
      band_gap: 5.0,
      efermi: 0.9,
      total_magnetization: 0,
      theoretical: false,
    });
    expect(draft).toMatchObject({
      energies: [{ functional: 'MP mixed (GGA, GGA+U, r2SCAN)', formationEnergyPerAtom: -2.1 }],
      given: {
        bandGap: 5,
        fermiEnergy: 0.9,
        totalMagnetization: 0,
        sourceId: 'mp-22862',
        sourceLicence: 'CC BY 4.0',
      },
      provenance: { theoretical: false },
    });
    expect(draft.given.sourceUrl).toBe('https://materialsproject.org/materials/mp-22862');
  });

  it('an Alexandria document requires a scale and is read with gap, moment and Fermi level', () => {
    const entry = {
      '@class': 'ComputedStructureEntry',
      structure,
      energy: -6.8,
      correction: 0,
      parameters: {},
      data: { mat_id: 'agm1', band_gap_ind: 5.1, total_mag: 0.2, dos_ef: 1.1, e_form: -2 },
    };
    expect(() => draftOf(entry)).toThrow(/--scale NAME/);
    expect(draftOf(entry, { scale: 'PBEsol (Alexandria)' })).toMatchObject({
      energies: [{ functional: 'PBEsol (Alexandria)', energyPerAtom: -3.4 }],
      given: {
        bandGap: 5.1,
        totalMagnetization: 0.2,
        fermiEnergy: 1.1,
        sourceName: 'Alexandria',
        sourceId: 'agm1',
      },
    });
  });

  it('a JARVIS-DFT document is read with both gaps and the moment; `na` means no value', () => {
    const draft = draftOf({
      jid: 'JVASP-23862',
      atoms: {
        lattice_mat: matrix,
        coords: [
          [0, 0, 0],
          [2.82, 2.82, 2.82],
        ],
        elements: ['Na', 'Cl '],
        cartesian: true,
      },
      formation_energy_peratom: -1.9,
      optb88vdw_bandgap: '5.2',
      mbj_bandgap: 8.4,
      magmom_oszicar: 'na',
    });
    expect(draft).toMatchObject({
      energies: [{ functional: 'OptB88vdW (JARVIS-DFT)', formationEnergyPerAtom: -1.9 }],
      given: { bandGap: 5.2, totalMagnetization: null },
      provenance: { band_gap_tbmbj_ev: 8.4 },
    });
    expect(draft.structure.sites[1]?.fractionalCoords.map((x) => Number(x.toFixed(9)))).toEqual([
      0.5, 0.5, 0.5,
    ]);
  });

  it('a missing number is not read as zero: a blank gap stays unknown, and an incomplete tensor is refused', () => {
    const summary = { material_id: 'mp-1', structure, formation_energy_per_atom: -2.1, band_gap: ' ' };
    expect(draftOf(summary).given.bandGap).toBeNull();
    const row = [100, 0, 0, 0, 0, null];
    const jarvis = {
      jid: 'JVASP-1',
      atoms: { lattice_mat: matrix, coords: [[0, 0, 0]], elements: ['Na'], cartesian: false },
      elastic_tensor: [row, row, row, row, row, row],
    };
    expect(() => draftOf(jarvis)).toThrow(/elastic_tensor/);
  });

  it('elastic constants of JARVIS-DFT are read in VASP order and in the axes of the conventional cell', () => {
    const c = (i: number, j: number): number => (i === j ? (i < 3 ? 100 + i : 40 + i) : 0);
    const { properties, tensorFrame } = draftOf({
      jid: 'JVASP-1',
      atoms: { lattice_mat: matrix, coords: [[0, 0, 0]], elements: ['Cu'], cartesian: false },
      elastic_tensor: [0, 1, 2, 3, 4, 5].map((i) =>
        [0, 1, 2, 3, 4, 5].map((j) => c(i, j) + (i === 3 && j === 4 ? 7 : 0)),
      ),
    });
    // VASP rows are xx yy zz xy yz zx: the fourth is C66, the fifth C44, the sixth C55.
    expect(properties.tensors.elastic?.map((row, i) => row[i])).toEqual([100, 101, 102, 44, 45, 43]);
    expect(properties.tensors.elastic?.[5]?.[3]).toBe(7);
    expect(tensorFrame).toBe('conventional');
  });

  it('an OQMD document from OPTIMADE is read with its formation energy', () => {
    const draft = draftOf({
      id: '4061',
      type: 'structures',
      attributes: {
        lattice_vectors: matrix,
        cartesian_site_positions: [
          [0, 0, 0],
          [2.82, 2.82, 2.82],
        ],
        species_at_sites: ['Na', 'Cl'],
        species: ['Na', 'Cl'].map((name) => ({ name, chemical_symbols: [name], concentration: [1] })),
        _oqmd_delta_e: -2.05,
        _oqmd_band_gap: 5.01,
        _oqmd_entry_id: 4061,
      },
    });
    expect(draft).toMatchObject({
      energies: [{ functional: 'PBE (OQMD)', formationEnergyPerAtom: -2.05 }],
      given: { bandGap: 5.01, sourceName: 'OQMD', sourceId: '4061' },
    });
  });
});

describe("an operator's map", () => {
  const map = importMap.parse({
    structure: { from: 'crystal', form: 'pymatgen' },
    source: { name: 'Group X', id: 'key', licence: 'CC BY 4.0', url: 'https://example.org/{id}' },
    scale: 'PBE (own)',
    energy: { from: 'results.total', unit: 'Ry/fu' },
    formation_energy: { from: 'results.heat', unit: 'kJ/mol/fu' },
    total_magnetization: { from: 'results.moment', unit: 'μB/atom' },
    elastic_tensor: { from: 'results.c', unit: 'kbar' },
  });
  const rows = [0, 1, 2, 3, 4, 5];
  const stiffness = rows.map((i) => rows.map((j) => (i === j ? 500 : 100)));

  it('a map converts Ry, kJ/mol, μB per formula unit and per atom, and kbar', () => {
    const doubled = {
      lattice: { matrix: matrix.map((row, i) => (i === 0 ? row.map((x) => 2 * x) : row)) },
      sites: structure.sites.flatMap(({ species, abc: [a, b, c] }) => [
        { species, abc: [a! / 2, b!, c!] },
        { species, abc: [a! / 2 + 0.5, b!, c!] },
      ]),
    };
    const document = {
      key: 7,
      crystal: doubled,
      results: { total: -1, heat: -411.12, moment: 0.5, c: stiffness },
    };
    const { energies, given, properties } = draftOf(document, { map });
    expect(energies[0]?.energyPerAtom).toBeCloseTo(-13.605693 / 2, 6);
    // NaCl: −411.12 kJ/mol (Chase, NIST-JANAF, 1998) is −4.261 eV per formula unit.
    expect(energies[0]?.formationEnergyPerAtom).toBeCloseTo(-2.1305, 4);
    expect(given).toMatchObject({ totalMagnetization: 2, sourceId: '7', sourceUrl: 'https://example.org/7' });
    expect(properties.tensors.elastic?.[0]?.slice(0, 2)).toEqual([50, 10]);
  });

  it('a map reports a missing field, a value that is not a number, and an unknown unit', () => {
    expect(() => draftOf({ key: 7 }, { map })).toThrow('structure: the document has no crystal');
    expect(() => draftOf({ crystal: structure, results: { total: 'much' } }, { map })).toThrow(
      'results.total: expected a number, found "much"',
    );
    const odd = importMap.parse({ ...map, energy: { from: 'results.total', unit: 'horsepower' } });
    expect(() => draftOf({ crystal: structure, results: { total: 1 } }, { map: odd })).toThrow(
      /"horsepower": expected eV/,
    );
    expect(importMap.safeParse({ ...map, bandgap: { from: 'x' } }).success).toBe(false);
  });
});

describe('every numeric field that a source may give', () => {
  const values = GIVEN_NUMBERS.map((name, at) => ({ name, ...fields[name], value: 1.5 + at }));

  it('is read from a document by a map that states the unit of the field', () => {
    const map = importMap.parse({
      structure: { from: 'structure', form: 'pymatgen' },
      source: { name: 'Group X' },
      ...Object.fromEntries(values.map(({ name, line, unit }) => [line, { from: `found.${name}`, unit }])),
    });
    const found = Object.fromEntries(values.map(({ name, value }) => [name, value]));
    expect(draftOf({ structure, found }, { map }).given).toMatchObject(found);
  });

  it('is read from a table column of the same name', () => {
    const row = Object.fromEntries(values.map(({ line, value }) => [line, String(value)]));
    const line = { structure, source: { name: 'Group X' } };
    const { drafts } = draftsOfUnit({ label: 'x', format: 'json', text: JSON.stringify(line), row });
    expect(drafts[0]!.given).toMatchObject(
      Object.fromEntries(values.map(({ name, value }) => [name, value])),
    );
    expect(drafts[0]!.provenance).toEqual({});
  });
});
