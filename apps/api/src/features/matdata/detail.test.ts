import { brillouinZoneData, materialDetail, materialXrd } from '@unitcell/contract/matdata';
import { latticeParameters, readCif } from '@unitcell/crystal';
import { matchStructures } from '@unitcell/symmetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, mergeMaterials, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

/** Stiffness of rutile, GPa: Isaak et al., Phys. Chem. Miner. 26, 31 (1998), rounded. */
const RUTILE_STIFFNESS = [
  [268, 175, 147, 0, 0, 0],
  [175, 268, 147, 0, 0, 0],
  [147, 147, 484, 0, 0, 0],
  [0, 0, 0, 124, 0, 0],
  [0, 0, 0, 0, 124, 0],
  [0, 0, 0, 0, 0, 190],
];

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 1 }),
    element('O', 3, { struct_id: 2 }),
    rutile('Ti', 4.594, 2.959, {
      struct_id: 3,
      formation_energy_per_atom: -3.48,
      band_gap: 1.78,
      names: { en: 'rutile', zh: '金红石' },
      elastic_tensor: RUTILE_STIFFNESS,
      dielectric: {
        electronic: [
          [6.8, 0, 0],
          [0, 6.8, 0],
          [0, 0, 8.4],
        ],
        total: [
          [89, 0, 0],
          [0, 89, 0],
          [0, 0, 173],
        ],
      },
      topology: { labels: ['class', 'nodes'], rows: [{ class: 'trivial', nodes: 0 }] },
      source: { name: 'test', id: 'r-1', licence: 'CC0', url: 'https://example.org/r-1' },
    }),
    rutile('Ti', 4.6, 2.96, {
      struct_id: 5,
      formation_energy_per_atom: -3.4,
      band_gap: 1.78,
      elastic_tensor: RUTILE_STIFFNESS,
      source: { name: 'Materials Project', id: 'mp-2657', licence: 'CC BY 4.0' },
      provenance: {
        structure: 'cell: literature; positions: mp-2657 (PBE)',
        elastic_tensor: {
          source: 'measured near 300 K, Bell & Rupprecht, Phys. Rev. 129, 90 (1963)',
          licence: 'facts, cited',
          citation_checked: 'no',
        },
        band_gap_experiment: { value: 3.03, unit: 'eV', source: 'commonly quoted, not looked up' },
        observed: { status: 'observed', evidence: 'structure: measured cell' },
      },
    }),
    // A cell of 1,000 Å³.
    element('Xe', 10, { struct_id: 4 }),
  ]);
});
afterAll(() => test.close());

const detail = (struct_id: unknown) => test.post('/api/matdata/get_struct_detail/', { struct_id }, { token });

describe('POST /api/matdata/get_struct_detail/', () => {
  it('states the origin of each part, also in the files', async () => {
    const answer = materialDetail.parse((await detail(5)).json());
    const kinds = Object.fromEntries(answer.sources.map((source) => [source.section, source.kinds]));
    expect(kinds).toMatchObject({
      structure: ['measured', 'calculated'],
      elastic: ['measured'],
      energy: ['calculated'],
      xrd: ['calculated'],
    });
    expect(answer.sources.find(({ section }) => section === 'elastic')).toMatchObject({
      licence: 'facts, cited',
      citation_checked: false,
      works: [{ url: 'https://doi.org/10.1103/PhysRev.129.90' }],
    });
    expect(answer.band_gaps).toEqual([
      { of: 'listed', functional: 'PBE (MP 2018)', value: 1.78 },
      { of: 'quoted', functional: '', value: 3.03 },
    ]);
    expect(answer.observed).toEqual({ status: 'observed', evidence: 'structure: measured cell' });
    for (const cif of [
      answer.output_structs.output_struct_primitive,
      answer.output_structs.output_struct_conventional,
    ]) {
      expect(readCif(cif).structures[0]?.structure.sites).toHaveLength(6);
      expect(cif).toContain("_unitcell_source 'cell: literature; positions: mp-2657 (PBE)'");
      expect(cif).toContain("_unitcell_licence 'CC BY 4.0'");
      expect(cif).toMatch(/^_unitcell_release '\d+ \(\d{4}-\d\d-\d\d\)'$/m);
      expect(cif).toMatch(/^_unitcell_address '?http\S+\/matdatades\/5'?$/m);
      expect(answer.address).toMatch(/\/matdatades\/5$/);
    }
  });

  it('returns everything in the contract', async () => {
    const answer = (await detail('0000000003')).json();
    expect(materialDetail.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      formula: 'TiO2',
      struct_id: 3,
      nsites: 6,
      names: { en: 'rutile', zh: '金红石' },
      symmetry_data: {
        space_group: 'P4_2/mnm',
        space_group_number: 136,
        point_group: '4/mmm',
        crystal_system: 'tetragonal',
        // Ti on 2a, O on 4f.
        wyckoffs: ['a', 'a', 'f', 'f', 'f', 'f'],
        multiplicities: [2, 2, 4, 4, 4, 4],
      },
      energies: { formation_energy_per_atom: -3.48, e_above_hull: 0, energy_vdw: null },
      source: { url: 'https://example.org/r-1' },
    });
    // Density of rutile: 4.25 g/cm³ (handbook value of the mineral).
    expect(answer.density).toBeCloseTo(4.25, 1);
  });

  it('derives moduli and indices from the stored tensors', async () => {
    const answer = materialDetail.parse((await detail(3)).json());
    expect(answer.elastic_dict.elastic_property?.k_voigt).toBeCloseTo(
      (268 + 268 + 484 + 2 * (175 + 147 + 147)) / 9,
      4,
    );
    const { dielectric_property } = answer.epsilon_piezo.epsilon_piezo_data;
    expect(dielectric_property?.refractive_index).toBeCloseTo(Math.sqrt((6.8 + 6.8 + 8.4) / 3), 6);
    expect(dielectric_property?.epsilon_total).toBeCloseTo((89 + 89 + 173) / 3, 6);
    expect(answer.epsilon_piezo.has_piezo).toBe(false);
  });

  it('offers CIFs that parse to the same crystal', async () => {
    const answer = materialDetail.parse((await detail(3)).json());
    const [primitive] = readCif(answer.output_structs.output_struct_primitive).structures;
    const [conventional] = readCif(answer.output_structs.output_struct_conventional).structures;
    expect(matchStructures(primitive!.structure, conventional!.structure)).not.toBeNull();
    expect(latticeParameters(conventional!.structure.latticeVectors).c).toBeCloseTo(2.959, 6);
    // Rutile has one Ti and one O in its asymmetric unit.
    expect(answer.output_structs.output_struct_conventional.match(/^(Ti|O)\d* /gm)).toHaveLength(2);
    expect(answer.output_structs.output_struct_conventional).toContain('-P 4n 2n');
  });

  it.each([99, '0', '99999999999', 'abc'])('reports that there is no material %s', async (id) => {
    const answer = await detail(id);
    expect([400, 404]).toContain(answer.statusCode);
    expect(answer.json()).toMatchObject({ error: 'true', message: expect.any(String) });
  });
});

describe('POST /api/matdata/get_xrd_handle/', () => {
  it('draws rutile with its (110) line at 27.4° for Cu Kα', async () => {
    const answer = (await test.post('/api/matdata/get_xrd_handle/', { struct_id: 3 }, { token })).json();
    expect(materialXrd.parse(answer)).toEqual(answer);
    const [peaks] = materialXrd.parse(answer).data;
    // d(110) = a/√2 = 3.248 Å; 2θ = 2 asin(1.54184 / 2d).
    expect(peaks!.x[0]).toBeCloseTo((2 * Math.asin(1.54184 / (2 * (4.594 / Math.SQRT2))) * 180) / Math.PI, 3);
    expect(peaks!.y[0]).toBe(100);
    expect(peaks!.text[0]).toMatch(/\(1 1 0\) ×4, d = 3\.248/);
    expect(answer).toMatchObject({ wavelength: 1.54184, crystal_size: 200 });
  });

  it.each([
    [{ wavelength: 0, crystalSize: 200 }, 'xrd.bad-wavelength'],
    [{ wavelength: -1.5, crystalSize: 200 }, 'xrd.bad-wavelength'],
    [{ wavelength: 1e9, crystalSize: 200 }, 'xrd.bad-wavelength'],
    [{ wavelength: 1.5, crystalSize: 0 }, 'xrd.bad-size'],
    [{ wavelength: 1.5, crystalSize: '' }, 'xrd.bad-size'],
  ])('refuses %o with a message', async (body, code) => {
    const answer = await test.post('/api/matdata/get_xrd_handle2/', { struct_id: 3, ...body }, { token });
    expect(answer.json()).toMatchObject({ error: 'true', code });
  });

  it('draws the pattern of neutrons, in which (1 1 1) of rutile is strongest', async () => {
    const answer = await test.post(
      '/api/matdata/get_xrd_handle2/',
      { struct_id: 3, wavelength: 1.5402, crystalSize: 200, probe: 'neutron' },
      { token },
    );
    const [peaks] = materialXrd.parse(answer.json()).data;
    expect(peaks!.text[peaks!.y.indexOf(100)]).toMatch(/^\(1 1 1\) ×8/);
  });

  it('states the shortest wavelength at which a large cell can be drawn', async () => {
    const ask = (wavelength: number) =>
      test.post(
        '/api/matdata/get_xrd_handle2/',
        { struct_id: 4, wavelength, crystalSize: 200 },
        { token, language: 'en' },
      );
    const refused = (await ask(0.1)).json();
    expect(refused).toMatchObject({ error: 'true', code: 'material.too-many-reflections' });
    const shortest = Number(/at least ([\d.]+) Å/.exec(refused.message)?.[1]);
    // About 5.9 million reflections per 1,000 Å³ at 0.1 Å: the limit of 200,000 is reached at 0.31 Å for this cell.
    expect(shortest).toBe(0.31);
  });

  it('draws the cell of another source as soon as that source is preferred', async () => {
    const store = (name: string, a: number) =>
      mergeMaterials(
        test.database,
        [rockSalt('K', 'Cl', a, { source: { name, id: '1', licence: 'CC0' } })],
        ['second', '*'],
      );
    const [id] = await store('first', 6.29);
    const angle = async (): Promise<number> => {
      const answer = await test.post('/api/matdata/get_xrd_handle/', { struct_id: id }, { token });
      const [peaks] = materialXrd.parse(answer.json()).data;
      return peaks!.x[peaks!.y.indexOf(100)]!;
    };
    // The strongest line is (200), d = a/2.
    const expected = (a: number): number => (2 * Math.asin(1.54184 / a) * 180) / Math.PI;
    expect(await angle()).toBeCloseTo(expected(6.29), 3);
    expect(await store('second', 6.38)).toEqual([id]);
    await expect.poll(angle).toBeCloseTo(expected(6.38), 3);
  });

  it.each([
    { wavelength: 'NaN', crystalSize: 1 },
    { wavelength: 1.5, crystalSize: null },
    { wavelength: 1.5, crystalSize: true },
    { wavelength: 1.5, crystalSize: [] },
    { wavelength: 1.5, crystalSize: '2 nm' },
  ])('answers 400 to an invalid number: %o', async (body) => {
    const answer = await test.post('/api/matdata/get_xrd_handle2/', { struct_id: 3, ...body }, { token });
    expect(answer.statusCode).toBe(400);
  });

  it('accepts a size that is sent as text', async () => {
    const ask = (crystalSize: number | string) =>
      test.post('/api/matdata/get_xrd_handle2/', { struct_id: 3, wavelength: 1.5, crystalSize }, { token });
    expect((await ask('50')).json()).toEqual((await ask(50)).json());
  });
});

describe('POST /api/matdata/get_brillouin_zone/', () => {
  it('returns a box with the path of a simple tetragonal lattice', async () => {
    const answer = (await test.post('/api/matdata/get_brillouin_zone/', { struct_id: 3 }, { token })).json();
    const zone = brillouinZoneData.parse(answer);
    expect(zone._points).toHaveLength(6);
    expect(zone.variant).toBe('TET');
    expect(Object.keys(zone.kpoints)).toContain('\\Gamma');
  });
});

describe('POST /api/irvsp/fetch_irvsp/', () => {
  it('returns the stored rows, or a message if there are none', async () => {
    const shown = await test.post('/api/irvsp/fetch_irvsp/', { struct_id: 3 }, { token });
    expect(shown.json()).toEqual({
      is_topo_display: true,
      labels: ['class', 'nodes'],
      topo_data_web: [{ class: 'trivial', nodes: 0 }],
    });
    const hidden = await test.post('/api/irvsp/fetch_irvsp/', { struct_id: 1 }, { token });
    expect(hidden.json()).toMatchObject({ is_topo_display: false });
    const unknown = await test.post('/api/irvsp/fetch_irvsp/', { struct_id: 999_999 }, { token });
    expect(unknown.statusCode).toBe(404);
  });
});
