import { reducedFormula } from '@unitcell/crystal';
import { parseFilter } from '@unitcell/filter';
import { rowTimesMatrix3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { optimadeAnonymous, optimadeRatios, optimadeReduced } from '../../domain/federated-texts.ts';
import { element, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { inMemory } from './structure-filter.ts';

let test: TestApp;

const LINES = [
  element('Ti', 2.9, { struct_id: 1 }),
  element('O', 3, { struct_id: 2 }),
  rutile('Ti', 4.594, 2.959, { struct_id: 3, band_gap: 1.78, formation_energy_per_atom: -3.48 }),
  rutile('Sn', 4.737, 3.186, { struct_id: 4, band_gap: 0.65, formation_energy_per_atom: -1.9 }),
  rutile('Ge', 4.4, 2.86, { struct_id: 5, formation_energy_per_atom: -1.9 }),
];

beforeAll(async () => {
  test = await buildTestApp({ env: { OPTIMADE_ACCESS: 'public' } });
  await storeMaterials(test.database, LINES);
});
afterAll(() => test.close());

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly links: { readonly next: string | null };
  readonly meta: { readonly data_returned: number; readonly more_data_available: boolean };
}

/** Filters with the ids that they find. */
const FILTERS: readonly (readonly [filter: string, ids: readonly string[]])[] = [
  ['elements HAS ONLY "O","Ti"', ['1', '2', '3']],
  ['elements HAS ALL "O","Ti"', ['3']],
  ['NOT elements HAS "O"', ['1']],
  ['nelements=2 AND _unitcell_band_gap > 1', ['3']],
  ['_unitcell_band_gap IS UNKNOWN AND nelements=2', ['5']],
  ['chemical_formula_reduced="O2Sn"', ['4']],
  ['chemical_formula_anonymous="A2B"', ['3', '4', '5']],
  ['chemical_formula_anonymous="A"', ['1', '2']],
  ['chemical_formula_reduced="O"', ['2']],
  ['site_coordinate_span="unit_cell" AND optimization_type IS UNKNOWN AND nelements=1', ['1', '2']],
  ['elements_ratios HAS 1', ['1', '2']],
  ['elements:elements_ratios HAS "O":>0.7', ['2']],
  ['id="4" OR id="5"', ['4', '5']],
  ['chemical_formula_descriptive STARTS WITH "Ti"', ['1', '3']],
  ['nsites>=6 AND nperiodic_dimensions=3 AND dimension_types HAS 1', ['3', '4', '5']],
  ['structure_features HAS "disorder"', []],
  ['structure_features LENGTH 0 AND nelements=1', ['1', '2']],
  ['type="structures" AND last_modified>"2020-01-01T00:00:00Z" AND nelements=1', ['1', '2']],
  ['_other_thing > 5', []],
  ['NOT (space_group_it_number != 136)', ['3', '4', '5']],
  ['elements LENGTH 2 AND elements_ratios HAS ANY 0.5,>0.9 OR id < "2"', ['1']],
  ['elements_ratios LENGTH 1', ['1', '2']],
  ['chemical_formula_reduced CONTAINS "O2" AND NOT id CONTAINS "4"', ['3', '5']],
  ['chemical_formula_anonymous STARTS WITH "A2" AND id != "5"', ['3', '4']],
  ['space_group_it_number > 200 OR nsites < nelements OR type CONTAINS "x"', ['1', '2']],
  ['NOT (chemical_formula_hill IS KNOWN OR nperiodic_dimensions != 3) AND nelements=1', ['1', '2']],
  ['last_modified IS KNOWN AND _unitcell_band_gap < 1', ['4']],
];
/** Sort orders, with the first ids of the sorted list. */
const SORTS: readonly (readonly [sort: string, beginning: readonly string[]])[] = [
  ['', ['1', '2', '3', '4', '5']],
  ['-_unitcell_band_gap', ['3', '4', '1', '2', '5']],
  ['-nelements', ['5', '4', '3', '2', '1']],
  ['nelements,-id', ['2', '1', '5', '4', '3']],
  ['_unitcell_formation_energy_per_atom,-nsites', ['3', '4', '5']],
];

const cursorOf = (...values: (string | number)[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');
const get = (path: string, headers = {}) =>
  test.app.inject({ method: 'GET', url: `/optimade/v1${path}`, headers });
const found = async (filter: string, more = ''): Promise<string[]> => {
  const answer = await get(`/structures?filter=${encodeURIComponent(filter)}&response_fields=nsites${more}`);
  expect([answer.statusCode, answer.body]).toEqual([200, answer.body]);
  const { data, meta } = answer.json();
  expect(meta.data_returned).toBe(data.length);
  return data.map(({ id }: { id: string }) => id);
};

/** Reads the whole list through its next links, two entries per page. */
async function readOn(sort: string): Promise<{ readonly ids: string[]; readonly counts: number[] }> {
  const ids: string[] = [];
  const counts: number[] = [];
  let next: string | null = `/structures?page_limit=2&sort=${sort}&response_fields=elements`;
  while (next !== null) {
    const { data, links, meta }: Page = (await get(next)).json();
    expect(meta.more_data_available).toBe(links.next !== null);
    counts.push(meta.data_returned);
    ids.push(...data.map(({ id }) => id));
    next = links.next === null ? null : links.next.replace(/^.*\/optimade\/v1/, '');
  }
  return { ids, counts };
}

describe('/optimade/v1/structures', () => {
  it('returns a crystal with the properties of the specification', async () => {
    const { data, meta } = (await get('/structures/3')).json();
    expect(meta).toMatchObject({ api_version: '1.2.0', more_data_available: false });
    expect(data).toMatchObject({ id: '3', type: 'structures' });
    expect(data.attributes).toMatchObject({
      elements: ['O', 'Ti'],
      nelements: 2,
      elements_ratios: [expect.closeTo(2 / 3, 12), expect.closeTo(1 / 3, 12)],
      chemical_formula_descriptive: 'TiO2',
      chemical_formula_reduced: 'O2Ti',
      chemical_formula_anonymous: 'A2B',
      nsites: 6,
      nperiodic_dimensions: 3,
      _unitcell_source_licence: LINES[2]?.source?.licence,
      dimension_types: [1, 1, 1],
      structure_features: [],
      space_group_it_number: 136,
      _unitcell_band_gap: 1.78,
    });
    const { lattice_vectors, cartesian_site_positions, species, species_at_sites } = data.attributes;
    expect(lattice_vectors.map((row: number[]) => Math.hypot(...row))).toEqual(
      expect.arrayContaining([expect.closeTo(4.594, 6), expect.closeTo(2.959, 6)]),
    );
    expect(cartesian_site_positions).toHaveLength(6);
    expect(species_at_sites.toSorted()).toEqual(['O', 'O', 'O', 'O', 'Ti', 'Ti']);
    expect(species).toContainEqual({ name: 'Ti', chemical_symbols: ['Ti'], concentration: [1] });
  });

  it.each(FILTERS)('%s', async (filter, ids) => {
    expect((await found(filter)).toSorted()).toEqual(ids);
  });

  it.each(SORTS)('returns its pages by links.next, sorted by %s', async (sort, beginning) => {
    const { ids, counts } = await readOn(sort);
    expect(ids.slice(0, beginning.length)).toEqual(beginning);
    expect(ids.toSorted()).toEqual(['1', '2', '3', '4', '5']);
    expect(new Set(counts)).toEqual(new Set([5]));
  });

  it.each([
    ['_unitcell_source_id', ['5', '4', '3', '2', '1']],
    ['-_unitcell_source_id,id', ['1', '2', '3', '4', '5']],
  ])('sorts by %s in the order of the characters, whatever the collation', async (sort, wanted) => {
    const { pool } = test.database;
    const before = await pool.query('SELECT struct_id, source_id FROM material');
    await pool.query('ALTER TABLE material ALTER COLUMN source_id TYPE text COLLATE "und-x-icu"');
    await pool.query("UPDATE material SET source_id = (ARRAY['a', 'Z', 'C-2', 'C', 'B'])[struct_id]");
    try {
      expect((await readOn(sort)).ids).toEqual(wanted);
    } finally {
      await pool.query('ALTER TABLE material ALTER COLUMN source_id TYPE text COLLATE "default"');
      for (const { struct_id, source_id } of before.rows)
        await pool.query('UPDATE material SET source_id = $2 WHERE struct_id = $1', [struct_id, source_id]);
    }
  });

  it('offers no further page after a full last page', async () => {
    const { links, meta }: Page = (await get(`/structures?page_limit=${LINES.length}`)).json();
    expect([links.next, meta.more_data_available]).toEqual([null, false]);
  });

  it.each(['filter=band_gap%3E1', 'sort=-band_gap', 'response_fields=band_gap'])(
    'suggests the prefixed name for a provider property requested without its prefix: %s',
    async (query) => {
      const answer = await get(`/structures?${query}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors[0].detail).toBe(
        'there is no property band_gap; ours is _unitcell_band_gap',
      );
    },
  );

  it.each([
    ['/structures?filter=nelements+%3E', 400, 'filter'],
    ['/structures?filter=nelement%3D2', 400, 'filter'],
    ['/structures?filter=species+HAS+%22O%22', 501, 'filter'],
    ['/structures?page_limit=0', 400, 'page_limit'],
    ['/structures?page_limit=100000', 403, 'page_limit'],
    ['/structures?page_cursor=WzEsMl0', 400, 'page_cursor'],
    ['/structures?page_cursor=%27%3B--', 400, 'page_cursor'],
    // A text in a cursor of numbers, an id too large for its column, and a zero byte must not reach the database.
    [`/structures?sort=nelements&page_cursor=${cursorOf('abc', 1)}`, 400, 'page_cursor'],
    [`/structures?sort=elements_count&page_cursor=${cursorOf(1, 1)}`, 400, 'sort'],
    [`/structures?page_cursor=${cursorOf(99_999_999_999)}`, 400, 'page_cursor'],
    [`/structures?page_cursor=${cursorOf(-1)}`, 400, 'page_cursor'],
    [`/structures?sort=id&page_cursor=${cursorOf('a\u0000', 1)}`, 400, 'page_cursor'],
    ['/structures?filter=id%3D%22%00%22', 400, 'filter'],
    ['/structures?sort=species', 400, 'sort'],
    ['/structures?response_fields=nope', 400, 'response_fields'],
    ['/structures?response_format=xml', 400, 'response_format'],
    ['/structures?nonsense=1', 400, 'nonsense'],
    ['/structures?dimension_slices=dim_sites:1:2:1', 400, 'dimension_slices'],
    ['/structures?filter=fractional_site_positions+HAS+1', 501, 'filter'],
    ['/structures/999', 404, undefined],
    ['/structures/abc', 404, undefined],
    ['/nothing', 404, undefined],
  ])('%s is refused with a JSON:API error', async (path, status, parameter) => {
    const answer = await get(path);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('application/vnd.api+json');
    const [error] = answer.json().errors;
    expect(error).toMatchObject({ status: String(status), detail: expect.any(String) });
    expect(error.source?.parameter).toBe(parameter);
  });

  it('ignores parameters and properties of other providers, with a warning', async () => {
    const answer = (await get('/structures?_exmpl_x=1&response_fields=nsites,_exmpl_y')).json();
    expect(answer.meta.warnings).toHaveLength(2);
    expect(Object.keys(answer.data[0].attributes)).toEqual(['nsites']);
  });

  it('includes properties added in version 1.3 only when requested by name', async () => {
    const newer = ['fractional_site_positions', 'site_coordinate_span', 'wyckoff_positions'];
    const { properties } = (await get('/info/structures')).json().data;
    const usual = (await get('/structures/3')).json().data.attributes;
    for (const name of newer) expect([name in properties, name in usual]).toEqual([false, false]);
    const asked = (await get(`/structures/3?response_fields=${newer.join()}`)).json().data.attributes;
    expect(asked).toMatchObject({ site_coordinate_span: 'unit_cell', wyckoff_positions: null });
    expect(
      asked.fractional_site_positions.map((at: Vec3) => rowTimesMatrix3(at, usual.lattice_vectors)),
    ).toEqual(usual.cartesian_site_positions);
  });

  it('returns every property in full, without the partial data of the specification', async () => {
    const { data } = (await get('/structures')).json();
    expect(data).toHaveLength(LINES.length);
    for (const { id, meta, attributes } of data) {
      expect([id, meta, attributes.cartesian_site_positions.length]).toEqual([
        id,
        undefined,
        attributes.nsites,
      ]);
      expect(attributes.species_at_sites).toHaveLength(attributes.nsites);
    }
  });

  it('ignores unknown parameters for a single entry', async () => {
    const answer = await get('/structures/3?nonsense=1&page_limit=0&response_fields=nsites');
    expect([answer.statusCode, answer.json().data.attributes]).toEqual([200, { nsites: 6 }]);
    expect((await get('/structures/3?response_fields=nope')).statusCode).toBe(400);
  });

  it('lists its sources as references', async () => {
    const { data, included } = (await get('/structures/3?include=references')).json();
    const [{ id }] = data.relationships.references.data;
    expect(included.map((entry: { id: string }) => entry.id)).toEqual([id]);
    expect((await get(`/references/${id}`)).json().data.attributes.title).toBe(LINES[2]?.source?.name ?? '');
    expect((await get('/references?filter=title+IS+KNOWN')).json().data.length).toBeGreaterThan(0);
    // No reference has this identifier, so sorting by it does not change their order.
    const ids = async (query: string): Promise<string[]> =>
      (await get(`/references${query}`)).json().data.map(({ id: one }: { id: string }) => one);
    expect(await ids('?sort=immutable_id')).toEqual(await ids(''));
  });
});

describe('columns in memory', () => {
  // The first screening loads the columns. Afterwards they are used for all queries that they support.
  beforeAll(async () => {
    const token = await test.signIn();
    const screened = (await test.post('/api/matdata/screen/', {}, { token })).json();
    if (screened.total !== LINES.length) throw new Error(screened.message);
  });

  it.each(FILTERS)('find the same structures as PostgreSQL: %s', async (filter, ids) => {
    expect((await found(filter)).toSorted()).toEqual(ids);
    expect((await found(filter, '&sort=nsites')).toSorted()).toEqual(ids);
  });

  it.each(SORTS)('are read page by page, sorted by %s', async (sort, beginning) => {
    const { ids, counts } = await readOn(sort);
    expect(ids.slice(0, beginning.length)).toEqual(beginning);
    expect(ids.toSorted()).toEqual(['1', '2', '3', '4', '5']);
    expect(new Set(counts)).toEqual(new Set([5]));
  });

  it('evaluate most filters; PostgreSQL evaluates the others', () => {
    const isHeld = (filter: string) => inMemory(parseFilter(filter).tree) !== null;
    const left = FILTERS.map(([filter]) => filter).filter((filter) => !isHeld(filter));
    expect(left).toEqual([
      'elements:elements_ratios HAS "O":>0.7',
      'structure_features HAS "disorder"',
      'structure_features LENGTH 0 AND nelements=1',
    ]);
    expect(isHeld('_unitcell_energy_above_hull < 0.1')).toBe(false);
  });

  it('contain the same texts as the PostgreSQL functions return', async () => {
    const random = seededRandom(20);
    const symbols = ['H', 'Li', 'C', 'N', 'O', 'Na', 'Al', 'Ca', 'Fe', 'Co', 'Cl', 'U'];
    const formulas = Array.from({ length: 300 }, (_, round) => {
      const amounts = symbols
        .filter(() => random() < 0.25)
        .map((symbol): [string, number] => [symbol, round % 7 === 0 ? 0.25 : 1 + Math.floor(24 * random())]);
      return reducedFormula(Object.fromEntries(amounts.length > 0 ? amounts : [['O', 1]]));
    });
    const { rows } = await test.database.pool.query(
      `SELECT formula, optimade_reduced(formula) AS reduced, optimade_anonymous(formula) AS anonymous,
         optimade_ratios(formula) AS ratios FROM unnest($1::text[]) AS given (formula)`,
      [formulas],
    );
    for (const { formula, reduced, anonymous, ratios } of rows)
      expect([optimadeReduced(formula), optimadeAnonymous(formula), optimadeRatios(formula)]).toEqual([
        reduced,
        anonymous,
        ratios,
      ]);
  });
});

describe('/optimade', () => {
  it('lists versions, endpoints and descriptions of every property', async () => {
    const versions = await test.app.inject({ method: 'GET', url: '/optimade/versions' });
    expect([versions.body, versions.headers['access-control-allow-origin']]).toEqual(['version\n1\n', '*']);
    expect((await get('/info')).json().data.attributes.available_endpoints).toContain('structures');
    const { properties } = (await get('/info/structures')).json().data;
    expect(properties._unitcell_band_gap).toMatchObject({ unit: 'eV', type: 'float', sortable: true });
    expect(properties.elements).toMatchObject({ type: 'list', sortable: false });
    expect(
      Object.values(properties).every((one) => (one as { description: string }).description !== ''),
    ).toBe(true);
    expect((await get('/links')).json().data[0].attributes.link_type).toBe('root');
  });

  it('serves the newest version at the unversioned address, and refuses unsupported versions', async () => {
    const ask = (path: string) => test.app.inject({ method: 'GET', url: path });
    for (const base of ['/optimade', '/optimade/v1.2', '/optimade/v1.2.0'])
      expect((await ask(`${base}/structures/3`)).json().data.id).toBe('3');
    expect((await ask('/optimade/v2/structures')).statusCode).toBe(553);
    expect((await ask('/optimade/nothing')).statusCode).toBe(404);
  });

  it('redirects clients that drop "optimade" from an address without a trailing slash', async () => {
    const answer = await test.app.inject({ method: 'GET', url: '/v1/structures?filter=id%3D%223%22' });
    expect(answer).toMatchObject({
      statusCode: 307,
      headers: { location: '/optimade/v1/structures?filter=id%3D%223%22' },
    });
  });

  it('states licences per entry and per source, but not for the whole database', async () => {
    const { attributes } = (await get('/info')).json().data;
    expect(attributes).toMatchObject({
      license: { href: expect.stringMatching(/^http/) },
      available_licenses: null,
      available_licenses_for_entries: null,
    });
    const { data, included } = (await get('/structures?response_fields=_unitcell_source_licence')).json();
    const notes = new Map(
      included.map((entry: { id: string; attributes: { note: string } }) => [
        entry.id,
        entry.attributes.note,
      ]),
    );
    for (const { attributes: entry, relationships } of data) {
      const [{ id }] = relationships.references.data;
      expect(notes.get(id)).toBe(`Licence: ${entry._unitcell_source_licence}`);
    }
  });

  it('allows requests from pages of other sites (CORS), unlike the rest of the site', async () => {
    const origin = { origin: 'https://elsewhere.example' };
    const ask = (url: string, method: 'GET' | 'OPTIONS' = 'GET') =>
      test.app.inject({ method, url, headers: origin });
    for (const path of [
      '/versions',
      '/v1/info',
      '/v1/structures',
      '/v1/structures/999',
      '/v1/links',
      '/nothing',
    ])
      expect([path, (await ask(`/optimade${path}`)).headers['access-control-allow-origin']]).toEqual([
        path,
        '*',
      ]);
    const token = await test.signIn();
    const closed = [
      '/',
      '/api/health',
      '/api/openapi.json',
      '/api/about/get_data/',
      '/api/materials/3.cif',
      '/api/key/',
      '/api/nothing/',
    ];
    for (const url of closed) {
      const answer = await test.app.inject({ url, headers: { ...origin, authorization: `token ${token}` } });
      const given = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
      expect([url, given]).toEqual([url, []]);
    }
    const preflight = await ask('/api/matdata/screen/', 'OPTIONS');
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('returns an OPTIMADE error in the language of the caller while it is switched off', async () => {
    const closed = await buildTestApp();
    try {
      const ask = (url: string, language?: string) =>
        closed.app.inject({ url, headers: language === undefined ? {} : { 'accept-language': language } });
      for (const url of ['/optimade', '/optimade/v1/info', '/optimade/versions']) {
        const answer = await ask(url);
        expect(answer.statusCode).toBe(404);
        expect(answer.headers['content-type']).toMatch(/^application\/vnd\.api\+json/);
        expect(answer.json()).toMatchObject({
          errors: [{ status: '404', detail: expect.stringMatching(/^OPTIMADE is switched off/) }],
          meta: { api_version: '1.2.0' },
        });
      }
      expect((await ask('/optimade/v1/info', 'zh-CN')).json().errors[0].detail).toMatch(/^本站未开启/);
    } finally {
      await closed.close();
    }
  });

  it('runs a few queries of one visitor at a time, and refuses the others as specified', async () => {
    const text = 'nsites > 0 OR '.repeat(300) + 'immutable_id CONTAINS "a"';
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const filter = encodeURIComponent(`${text} OR nsites > ${i}`);
        return test.app.inject({ url: `/optimade/v1/structures?filter=${filter}` });
      }),
    );
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused.length).toBeGreaterThanOrEqual(24);
    for (const answer of refused) {
      expect(answer.statusCode).toBe(429);
      expect(answer.json()).toMatchObject({ errors: [{ status: '429' }] });
    }
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(8);
  });

  it('exists only if the operator enables it, and requires a key if so configured', async () => {
    const closed = await buildTestApp();
    const byKey = await buildTestApp({ env: { OPTIMADE_ACCESS: 'key' } });
    try {
      const ask = (app: TestApp, headers = {}) =>
        app.app.inject({ method: 'GET', url: '/optimade/v1/structures', headers });
      expect((await ask(closed)).statusCode).toBe(404);
      expect((await ask(byKey)).statusCode).toBe(401);
      const token = await byKey.signIn();
      expect((await ask(byKey, { authorization: `Bearer ${token}` })).statusCode).toBe(200);
    } finally {
      await closed.close();
      await byKey.close();
    }
  });

  it('answers the id of a merged material with the material that it became', async () => {
    await test.database.pool.query('INSERT INTO retired_id (struct_id, target_id) VALUES (77, 3)');
    expect((await get('/structures/77')).json().data.id).toBe('3');
  });

  it('states the share of a vacancy beside the atoms of a partly empty site', async () => {
    const { structure, ...line } = element('Ti', 3.1, { struct_id: 6 });
    const sites = structure.sites.map((site) => ({ ...site, species: [{ element: 'Ti', occu: 0.75 }] }));
    await storeMaterials(test.database, [{ ...line, structure: { ...structure, sites } }]);
    expect((await get('/structures/6')).json().data.attributes.species).toEqual([
      { name: 'Ti0.75', chemical_symbols: ['Ti', 'vacancy'], concentration: [0.75, 0.25] },
    ]);
    expect(await found('structure_features HAS "disorder"')).toEqual(['6']);
  });
});
