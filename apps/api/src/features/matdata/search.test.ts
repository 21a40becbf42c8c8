import { type MaterialRow, searchByElements, searchByFormula } from '@unitcell/contract/matdata';
import { fieldOf, SEARCH_ROW, searchResultOf } from '@unitcell/material';
import { seededRandom } from '@unitcell/numerics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';

/** A row without any values. */
const NOTHING_FOUND = Object.fromEntries(
  SEARCH_ROW.map((name) => [name, fieldOf(name).kind === 'flag' ? false : null]),
);

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  // Cells of COD and the Materials Project's 2018 formation energies, rounded.
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 11 }),
    element('O', 3.0, { struct_id: 12 }),
    element('Mg', 3.2, { struct_id: 13 }),
    rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -3.48, band_gap: 1.78 }),
    rockSalt('Ti', 'O', 4.177, { struct_id: 22, formation_energy_per_atom: -2.6 }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.0, band_gap: 4.45 }),
    rockSalt('Co', 'O', 4.26, { struct_id: 24 }),
    rockSalt('Na', 'Cl', 5.64, { struct_id: 25, formation_energy_per_atom: -2.0, band_gap: 0 }),
  ]);
});
afterAll(() => test.close());

interface SearchAnswer {
  error: string;
  message: string;
  code?: string;
  results: MaterialRow[];
  len: number;
  formula?: string;
  functional: string;
}

const search = async (
  kind: string,
  include: unknown,
  language = 'en',
  functional?: string,
): Promise<SearchAnswer> =>
  (await test.post(`/api/matdata/search_by_${kind}/`, { include, functional }, { token, language })).json();

const ids = (answer: SearchAnswer): number[] => answer.results.map((row) => row[0]).sort((a, b) => a - b);

describe('POST /api/matdata/search_by_elements/', () => {
  it('finds materials of exactly these elements, in any order and with a trailing hyphen', async () => {
    for (const include of ['Ti-O', 'O-Ti', 'Ti-O-', ' Ti - O '])
      expect(ids(await search('elements', include))).toEqual([21, 22]);
  });

  it('finds materials with at least these elements for an asterisk', async () => {
    expect(ids(await search('elements', 'O-*'))).toEqual([12, 21, 22, 23, 24]);
    expect(ids(await search('elements', 'Ti-*'))).toEqual([11, 21, 22]);
  });

  it('returns rows in the field order of the contract, lowest energy above hull first', async () => {
    const answer = await search('elements', 'Ti-O');
    expect(searchByElements.response.parse(answer)).toEqual(answer);
    expect(searchResultOf(answer.results[0]!)).toEqual({
      ...NOTHING_FOUND,
      structId: 21,
      formula: 'TiO2',
      spaceGroup: 'P4_2/mnm',
      formationEnergyPerAtom: -3.48,
      energyAboveHull: 0,
      bandGap: 1.78,
      nSites: 6,
      crystalSystem: 'tetragonal',
      latticeType: 'tetragonal',
      sourceName: 'test',
      sourceId: '',
      sourceLicence: 'CC0',
    });
    // TiO is above the tie line TiO2 - Ti: at x(O) = 1/2 the hull is 3/4 × -3.48 = -2.61.
    expect(answer.results[1]?.[4]).toBeCloseTo(0.01, 9);
    expect(answer.len).toBe(2);
  });

  it('keeps missing energies as null, not as 0', async () => {
    const [row] = (await search('elements', 'Co-O')).results;
    expect(row?.slice(3, 6)).toEqual([null, null, null]);
  });

  it('never finds more rows when an element is added to a wildcard search', async () => {
    const random = seededRandom(20261121);
    const pool = ['Ti', 'O', 'Mg', 'Co', 'Na', 'Cl', 'Fe'];
    for (let round = 0; round < 40; round++) {
      const chosen = pool.filter(() => random() < 0.4);
      const added = pool[Math.floor(random() * pool.length)]!;
      if (chosen.length === 0) continue;
      const before = ids(await search('elements', `${chosen.join('-')}-*`));
      const after = ids(await search('elements', `${[...chosen, added].join('-')}-*`));
      expect(before).toEqual(expect.arrayContaining(after));
    }
  });

  it.each([
    ['Xx-O', 'search.unknown-elements', /Xx is not an element/],
    ['TiO2', 'search.formula-in-element-mode', /by Formula.*Ti-O/],
    ['', 'search.no-elements', /at least one/],
    ['-', 'search.no-elements', /at least one/],
    ['*', 'search.no-elements', /at least one/],
    ['ti-o', 'search.unknown-elements', /ti, o/],
    ["Ti'; DROP TABLE material; --", 'search.unknown-elements', /not an element/],
    ['<script>alert(1)</script>', 'search.unknown-elements', /not an element/],
    ['A'.repeat(201), 'search.too-long', /201 characters/],
    ['A'.repeat(200), 'search.unknown-elements', /not an element/],
  ])('answers %j with a message', async (include, code, message) => {
    const answer = await search('elements', include);
    expect(answer).toMatchObject({ error: 'true', code });
    expect(answer.message).toMatch(message);
    expect(answer.message.length).toBeLessThan(400);
  });

  it('answers in Chinese by default', async () => {
    expect((await search('elements', '', 'zh-CN,zh;q=0.9')).message).toBe(
      '请至少输入一个元素符号，例如 Ti-O。',
    );
    expect((await search('elements', '', 'fr')).message).toMatch(/元素/);
  });
});

describe('POST /api/matdata/search_by_formula/', () => {
  it.each(['TiO2', 'O2Ti', 'Ti2O4', 'Ti(O)2', 'TiO₂'])(
    'finds rutile as %s and answers the canonical formula',
    async (include) => {
      const answer = await search('formula', include);
      expect(ids(answer)).toEqual([21]);
      expect(answer.formula).toBe('TiO2');
      expect(searchByFormula.response.parse(answer)).toEqual(answer);
    },
  );

  it('searches Li(CoO2)2 when nothing is typed', async () => {
    expect(await search('formula', '')).toMatchObject({
      error: 'false',
      formula: 'Li(CoO2)2',
      len: 0,
      results: [],
    });
  });

  it.each(['Xx2', 'Ti((', 'TiO)2', 'Ti0'])('refuses %s with a message', async (include) => {
    const answer = await search('formula', include);
    expect(answer).toMatchObject({ error: 'true', code: 'search.bad-formula' });
  });
});

describe('POST /api/matdata/search_by_formula/ with an invalid beginning', () => {
  it.each(['2TiO', '<b>', 'tio2', '  2', '💥'])('reports the invalid beginning of %s', async (include) => {
    expect(await search('formula', include)).toMatchObject({ error: 'true', code: 'search.formula-start' });
  });
});

describe('POST /api/matdata/search_by_struct_id/', () => {
  it('accepts numbers, text and leading zeros', async () => {
    for (const include of [21, '21', '0000000021', ' 21 '])
      expect(ids(await search('struct_id', include))).toEqual([21]);
  });

  it('finds nothing for an id that does not exist', async () => {
    for (const include of ['999999', '99999999999999999999'])
      expect(await search('struct_id', include)).toMatchObject({ error: 'false', len: 0, results: [] });
  });

  it.each(['abc', '', '1.5', '-3', '1 OR 1=1', '１２'])('reports that %j is not an id', async (include) => {
    expect(await search('struct_id', include)).toMatchObject({ error: 'true', code: 'search.bad-struct-id' });
  });
});

describe('energies in search answers', () => {
  /**
   * SiO2 as in the seed data: coesite only on the experimental scale, cristobalite on both scales (eV/atom,
   * rounded).
   */
  beforeAll(async () => {
    const scale = (functional: string, formation_energy_per_atom: number) => ({
      functional,
      formation_energy_per_atom,
    });
    await storeMaterials(test.database, [
      element('Si', 2.5, { struct_id: 30, energies: [scale('experiment-298K', 0)] }),
      // The elements have energies only on the other scale.
      element('O', 3.1, { struct_id: 34, ...scale('experiment-298K', 0) }),
      rutile('Si', 4.18, 2.67, { struct_id: 31, ...scale('experiment-298K', -3.136) }),
      rutile('Si', 4.5, 2.8, {
        struct_id: 32,
        formation_energy_per_atom: -3.274,
        energies: [scale('experiment-298K', -3.126)],
      }),
      rutile('Si', 4.6, 2.9, { struct_id: 33, formation_energy_per_atom: -3.282 }),
    ]);
  });

  const energiesOf = (answer: SearchAnswer) =>
    answer.results.map((row) => [row[0], row[3], row[4] === null ? null : Number(row[4].toFixed(6))]);

  it("are on the site's scale by default, without materials that have energies only on other scales", async () => {
    const answer = await search('formula', 'SiO2');
    expect(answer.functional).toBe('PBE (MP 2018)');
    expect(energiesOf(answer)).toEqual([
      [33, -3.282, 0],
      [32, -3.274, 0.008],
      [31, null, null],
    ]);
    expect(searchByFormula.response.parse(answer)).toEqual(answer);
  });

  it('are on the requested scale in every search, nearest to the hull first', async () => {
    const found = [
      [31, -3.136, 0],
      [32, -3.126, 0.01],
      [33, null, null],
    ];
    for (const [kind, include] of [
      ['formula', 'SiO2'],
      ['elements', 'Si-O'],
      ['elements', 'Si-O-*'],
    ] as const) {
      const answer = await search(kind, include, 'en', 'experiment-298K');
      expect(answer.functional).toBe('experiment-298K');
      expect(energiesOf(answer)).toEqual(found);
      expect(answer.len).toBe(3);
    }
    expect(energiesOf(await search('struct_id', 32, 'en', 'experiment-298K'))).toEqual([found[1]]);
  });

  it('are refused on an unknown scale, with a list of the known scales', async () => {
    const answer = await search('formula', 'SiO2', 'en', 'LDA');
    expect(answer).toMatchObject({ error: 'true', code: 'phase.unknown-scale' });
    expect(answer.message).toMatch(/experiment-298K/);
  });
});
