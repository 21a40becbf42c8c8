import {
  type CallAnswer,
  type Facet,
  materialRows,
  screenElements,
  screenMaterials,
} from '@unitcell/contract';
import {
  allOf,
  type Constant,
  evaluateFilter,
  type Filter,
  printFilter,
  type PropertyValue,
  sqlOfFilter,
} from '@unitcell/filter';
import { randomFilter } from '@unitcell/filter/testing';
import { seededRandom } from '@unitcell/numerics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filterSql } from '../../domain/query/filter-sql.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, importLineOf, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { SCREEN_FIELDS, sqlOf } from './screen-fields.ts';

let test: TestApp;
let token: string;

/** Cells of COD, energies of the Materials Project of 2018, rounded; gaps are made up where they must differ. */
const ROCK_SALTS = [
  ['Mg', 'O', 4.212, -3.0, 4.45],
  ['Ca', 'O', 4.811, -3.27, 3.64],
  ['Sr', 'O', 5.16, -3.0, 3.3],
  ['Ba', 'O', 5.54, -2.8, 2.1],
  ['Ni', 'O', 4.177, -1.3, 2.2],
  ['Ti', 'O', 4.177, -2.6, 0],
  ['Na', 'Cl', 5.64, -2.0, 5.0],
  ['K', 'Cl', 6.29, -2.1, 5.1],
  ['Li', 'F', 4.03, -3.1, 8.7],
] as const;
const TENSOR = Array.from({ length: 6 }, (_, row) =>
  Array.from({ length: 6 }, (__, at) => (row === at ? 100 : 0)),
);

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    ...['Mg', 'Ca', 'Ti', 'O', 'Na', 'Cl'].map((symbol, index) =>
      element(symbol, 3 + index / 10, { struct_id: 1 + index }),
    ),
    ...ROCK_SALTS.map(([cation, anion, a, formation, gap], index) =>
      rockSalt(cation, anion, a, {
        struct_id: 20 + index,
        formation_energy_per_atom: formation,
        band_gap: gap,
        band_gap_type: index % 2 ? 'direct' : 'indirect',
        ...(index % 3 === 0 ? { elastic_tensor: TENSOR } : {}),
        names: { en: `salt "${index}" 100%`, zh: '盐' },
      }),
    ),
    rutile('Ti', 4.594, 2.959, { struct_id: 40, formation_energy_per_atom: -3.48, band_gap: 1.78 }),
    rutile('Sn', 4.737, 3.186, { struct_id: 41, formation_energy_per_atom: -2.0, band_gap: 0.7 }),
    rockSalt('Co', 'O', 4.26, { struct_id: 42 }),
    // Known on another scale only.
    importLineOf({ a: 4.5 }, [['Fe', 0, 0, 0]], {
      struct_id: 50,
      functional: 'experiment-298K',
      formation_energy_per_atom: 0,
    }),
  ]);
  const { pool } = test.database;
  await pool.query('DELETE FROM electrochemical_window');
  await pool.query(`INSERT INTO electrochemical_window (struct_id, working_ion, functional, reduction_onset, oxidation_onset)
    VALUES (28, 'Li', 'PBE (MP 2018)', 0, 6.36), (26, 'Li', 'PBE (MP 2018)', 0.5, NULL),
      (26, 'Na', 'PBE (MP 2018)', 0.1, 3.9), (22, 'Li', 'experiment-298K', 1, 2)`);
  await pool.query(`INSERT INTO topology (struct_id, labels, rows)
    VALUES (41, '{Class}', '[{"Class": "LCEBR"}, {"Class": "TI"}]'), (25, '{Other}', '[{"Other": "x"}]')`);
  await pool.query(`INSERT INTO structure_arrangement (struct_id, prototype, vector, to_close, to_diamond, to_salt)
    SELECT id, CASE WHEN id < 40 THEN '225:a4 b4' ELSE '136:a2 f4' END, '', 0, 0, 0 FROM unnest(ARRAY[20, 21, 40, 41]) id
    ON CONFLICT (struct_id) DO UPDATE SET prototype = excluded.prototype`);
}, 60_000);
afterAll(() => test.close());

type Answer = CallAnswer<typeof screenMaterials>;

/** Rows a facet speaks of. */
function sumOf(facet: Facet): number {
  if (facet.kind === 'elements') return facet.counts['O'] ?? 0;
  const counts = facet.kind === 'histogram' ? facet.counts : facet.values.map(({ count }) => count);
  const others = facet.kind === 'values' ? facet.others : 0;
  return counts.reduce((sum, count) => sum + count, others + facet.missing);
}

const ask = async (body: object, language = 'en') =>
  (await test.post('/api/matdata/screen/', body, { token, language })).json<Answer & { code?: string }>();

const idsOf = async (body: object): Promise<number[]> =>
  (await ask({ fields: ['struct_id'], limit: 1000, ...body })).rows.map(([id]) => Number(id));

describe('POST /api/matdata/screen/', () => {
  it('lets everything pass without a filter, lowest above the hull first, in the columns of the searches', async () => {
    const answer = await ask({});
    expect(screenMaterials.answer.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ error: 'false', total: 19, catalogue: 19, next: null, filter: '' });
    const [first] = answer.rows;
    const searched = await test.post('/api/matdata/search_by_struct_id/', { include: first![0] }, { token });
    expect(searched.json<{ results: unknown[][] }>().results[0]).toEqual(first);
  });

  it('finds cubic oxides with a gap, near the hull, that have an elastic tensor', async () => {
    const filter =
      'elements HAS "O" AND crystal_system = "cubic" AND band_gap >= 2 AND band_gap <= 4 AND energy_above_hull <= 0.05 AND has_elastic = TRUE';
    expect(await idsOf({ filter })).toEqual([23]);
    const { conditions } = await ask({ filter: filter.replace('"cubic"', '"hexagonal"') });
    expect(conditions.map(({ filter: text, without }) => [text, without])).toEqual([
      ['elements HAS "O"', 0],
      ['crystal_system = "hexagonal"', 1],
      ['band_gap >= 2 AND band_gap <= 4', 0],
      ['energy_above_hull <= 0.05', 0],
      ['has_elastic = TRUE', 0],
    ]);
  });

  it('sorts by any column, unknown values last both ways', async () => {
    const gaps = async (sort: string) =>
      (await ask({ sort, fields: ['band_gap'], limit: 1000 })).rows.map(([gap]) => gap as number | null);
    const rising = await gaps('band_gap');
    const known = rising.filter((gap) => gap !== null);
    expect(rising.slice(known.length).every((gap) => gap === null)).toBe(true);
    expect(known).toEqual([...known].sort((a, b) => a - b));
    expect(await gaps('-band_gap')).toEqual([...known.toReversed(), ...rising.slice(known.length)]);
    const formulas = (await ask({ sort: 'formula', fields: ['formula'], limit: 1000 })).rows.map(
      ([text]) => text,
    );
    expect(formulas).toEqual([...formulas].map(String).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  });

  it('goes through all rows by cursor, and to any page by offset', async () => {
    const body = { filter: 'nelements = 2', sort: '-band_gap', fields: ['struct_id'], limit: 4 };
    const all = await idsOf({ ...body, limit: 1000 });
    const walked: unknown[] = [];
    let cursor: string | null = null;
    do {
      const answer: Answer = await ask(cursor === null ? body : { ...body, cursor });
      walked.push(...answer.rows.map(([id]) => id));
      cursor = answer.next;
    } while (cursor !== null);
    expect(walked).toEqual(all);
    expect(await idsOf({ ...body, offset: 8 })).toEqual(all.slice(8, 12));
    expect(await idsOf({ ...body, offset: 100 })).toEqual([]);
  });

  it('counts what would remain, every facet adding up', async () => {
    const facets = [
      'crystal_system',
      'band_gap',
      'nsites',
      'has_elastic',
      'space_group',
      'energy_above_hull',
      'elements',
    ];
    const answer = await ask({ filter: 'elements HAS "O" AND crystal_system = "cubic"', facets, limit: 0 });
    for (const [name, facet] of Object.entries(answer.facets)) {
      // The condition on the field itself is left out.
      expect([name, facet.total]).toEqual([name, name === 'crystal_system' ? 10 : answer.total]);
      // Elements overlap; every other facet adds up.
      expect([name, sumOf(facet)]).toEqual([name, facet.total]);
    }
    expect(answer.facets['crystal_system']).toMatchObject({
      values: [
        { value: 'cubic', count: 8 },
        { value: 'tetragonal', count: 2 },
      ],
    });
  });

  it('compares energies of one scale', async () => {
    const filter = 'formation_energy_per_atom IS KNOWN';
    expect(await idsOf({ filter, scale: 'experiment-298K' })).toEqual([50]);
    expect(await idsOf({ filter })).not.toContain(50);
    expect((await ask({ filter: 'struct_id = 50', fields: ['formation_energy_per_atom'] })).rows).toEqual([
      [null],
    ]);
  });

  it('knows moduli, dielectric means, windows by ion on the scale, topology and the time of import', async () => {
    // Hill's bulk modulus of the diagonal tensor of 100 GPa is 100/3, its shear modulus (1200/15 + 1500/21)/2.
    expect(await idsOf({ filter: 'bulk_modulus > 33.3 AND bulk_modulus < 33.4' })).toEqual([20, 23, 26]);
    expect(await idsOf({ filter: 'shear_modulus > 75.71 AND shear_modulus < 75.72' })).toHaveLength(3);
    expect(await idsOf({ filter: 'window_width_li >= 6' })).toEqual([28]);
    expect(await idsOf({ filter: 'reduction_onset_li = 0.5 AND oxidation_onset_li IS UNKNOWN' })).toEqual([
      26,
    ]);
    expect(await idsOf({ filter: 'oxidation_onset_na > 3' })).toEqual([26]);
    expect(await idsOf({ filter: 'window_width_li IS KNOWN', scale: 'experiment-298K' })).toEqual([22]);
    expect(await idsOf({ filter: 'topology_class = "LCEBR"' })).toEqual([41]);
    expect(await idsOf({ filter: 'prototype = "136:a2 f4"' })).toEqual(expect.arrayContaining([40, 41]));
    expect(await idsOf({ filter: 'prototype STARTS WITH "225:" AND struct_id <= 21' })).toEqual(
      expect.arrayContaining([20, 21]),
    );
    expect(await idsOf({ filter: 'added > "2026" AND added < "9"' })).toHaveLength(19);
    expect(await idsOf({ filter: 'added > "9"' })).toEqual([]);
    const { rows } = await ask({
      filter: 'struct_id = 28',
      fields: ['window_width_li', 'oxidation_onset_li'],
    });
    expect(rows).toEqual([[6.36, 6.36]]);
  });

  it('takes a tree for a text', async () => {
    const tree: Filter = {
      kind: 'compare',
      property: 'band_gap',
      operator: '>=',
      to: { value: 3.3 },
    };
    expect(await idsOf({ filter: tree })).toEqual(await idsOf({ filter: 'band_gap >= 3.3' }));
  });
});

describe('a screening that starts wrongly', () => {
  it.each([
    [{ filter: 'bandgap > 2' }, 'filter.unknown-property', /band_gap.*character 1/],
    [{ filter: 'band_gap > 2 eV' }, 'filter.unexpected-character', /without a unit/],
    [{ filter: 'band_gap >= 4 AND band_gap <= 2' }, 'filter.upside-down', /exchange/],
    [{ filter: "formula = 'x'; DROP TABLE material; --" }, 'filter.unexpected-character', /./],
    [{ filter: '<script>alert(1)</script>' }, 'filter.unexpected-character', /./],
    [{ filter: `formula = "${'x'.repeat(10_000)}"` }, 'filter.too-long', /10000/],
    [{ filter: `${'('.repeat(201)}band_gap > 2${')'.repeat(201)}` }, 'filter.too-deep', /200/],
    [{ filter: { kind: 'drop' } }, 'filter.bad-tree', /filter\.kind/],
    [{ sort: 'band_gaps' }, 'screen.unknown-field', /nearest is band_gap/],
    [{ sort: '-elements' }, 'screen.unknown-field', /nearest/],
    [{ fields: ['content_hash'] }, 'screen.unknown-field', /content_hash/],
    [{ facets: ["x'; --"] }, 'screen.unknown-field', /nearest/],
    [{ scale: 'LDA' }, 'phase.unknown-scale', /LDA/],
    [{ cursor: 'abc' }, 'screen.cursor-unreadable', /first page/],
  ])('%j', async (body, code, message) => {
    const answer = await ask(body);
    expect(answer).toMatchObject({ error: 'true', code });
    expect(answer.message).toMatch(message);
    expect((await ask(body, 'zh')).message).toMatch(/[一-龥]/);
  });

  it.each([[{ limit: 1e9 }], [{ offset: -1 }], [{ filter: 7 }], [{ cursor: 'a', offset: 1 }]])(
    '%j is not in the contract',
    async (body) => expect((await test.post('/api/matdata/screen/', body, { token })).statusCode).toBe(400),
  );

  it('says so to a cursor of another query, and of another release', async () => {
    const { next } = await ask({ limit: 1 });
    expect(await ask({ limit: 1, cursor: next, sort: 'formula' })).toMatchObject({
      code: 'screen.cursor-query',
    });
    const [release, ...others] = Buffer.from(next!, 'base64url').toString().split('.');
    const older = Buffer.from([Number(release) + 1, ...others].join('.')).toString('base64url');
    expect(await ask({ limit: 1, cursor: older })).toMatchObject({ code: 'screen.cursor-release' });
  });

  it('needs a token', async () => expect((await test.post('/api/matdata/screen/', {})).statusCode).toBe(401));
});

describe('POST /api/matdata/screen/elements/', () => {
  const elements = async (body: object) =>
    (await test.post('/api/matdata/screen/elements/', body, { token })).json<
      CallAnswer<typeof screenElements>
    >();

  it('counts and takes the median by element, as a plain loop over the rows does', async () => {
    for (const filter of ['', 'elements HAS "O"', 'band_gap > 2']) {
      const answer = await elements({ filter, field: 'band_gap' });
      expect(screenElements.answer.parse(answer)).toEqual(answer);
      const { rows, total } = await ask({ filter, fields: ['elements', 'band_gap'], limit: 1000 });
      expect(answer.total).toBe(total);
      const symbols = new Set(rows.flatMap(([list]) => list as string[]));
      expect(new Set(Object.keys(answer.elements))).toEqual(symbols);
      for (const symbol of symbols) {
        const own = rows.filter(([list]) => (list as string[]).includes(symbol));
        const gaps = own.flatMap(([, gap]) => (gap === null ? [] : Number(gap))).sort((a, b) => a - b);
        const [low, high] = [gaps[(gaps.length - 1) >> 1], gaps[gaps.length >> 1]];
        expect([symbol, answer.elements[symbol]]).toEqual([
          symbol,
          { count: own.length, known: gaps.length, median: gaps.length === 0 ? null : (low! + high!) / 2 },
        ]);
      }
    }
  });

  it('counts alone without a field, and refuses what is no number', async () => {
    expect((await elements({})).elements['Cl']).toEqual({ count: 3, known: 0, median: null });
    expect(await elements({ field: 'formula' })).toMatchObject({ code: 'screen.unknown-field' });
  });
});

describe('POST /api/matdata/screen/rows/', () => {
  it('gives the rows of the numbers in their order, and leaves out what is gone', async () => {
    const answer = await test.post(
      '/api/matdata/screen/rows/',
      { ids: [28, 999_999, 20], fields: ['struct_id', 'formula'] },
      { token },
    );
    const { rows, completeness } = materialRows.answer.parse(answer.json());
    expect(rows).toEqual([
      [28, 'LiF'],
      [20, 'MgO'],
    ]);
    // No list of stable compositions is held here.
    expect(completeness).toMatchObject({ status: 'not-known' });
  });

  it.each([[{ ids: [-1] }], [{ ids: Array.from({ length: 1001 }, (_, i) => i + 1) }], [{}]])(
    'refuses what is outside the contract',
    async (body) =>
      expect((await test.post('/api/matdata/screen/rows/', body, { token })).statusCode).toBe(400),
  );
});

/** What nothing is known of has no column to count in. */
const COUNTED = [
  'crystal_system',
  'band_gap',
  'energy_above_hull',
  'nsites',
  'has_elastic',
  'source_name',
  'added',
];

const EVERYTHING: Filter = { kind: 'known', property: 'struct_id', isKnown: true };

describe('filters of a random source', () => {
  const columnOf = (name: string): string => sqlOf(name, "'PBE (MP 2018)'");

  async function rowsByName(): Promise<readonly Record<string, PropertyValue>[]> {
    const select = [...SCREEN_FIELDS.keys()].map((name) => `${columnOf(name)} AS ${name}`).join(', ');
    const { rows } = await test.database.pool.query<Record<string, PropertyValue>>(
      `SELECT ${select} FROM material LEFT JOIN material_energy energies
        ON energies.struct_id = material.struct_id AND energies.functional = 'PBE (MP 2018)'`,
    );
    return rows;
  }

  const bySql = async (tree: Filter): Promise<number[]> => {
    const rows = await test.database.db
      .selectFrom('material')
      .leftJoin('material_energy as energies', (join) =>
        join
          .onRef('energies.struct_id', '=', 'material.struct_id')
          .on('energies.functional', '=', 'PBE (MP 2018)'),
      )
      .select('material.struct_id')
      .where(filterSql(sqlOfFilter(tree, SCREEN_FIELDS), columnOf))
      .execute();
    return rows.map(({ struct_id }) => struct_id).sort((a, b) => a - b);
  };

  it('find the same in the columns, in SQL and in a plain loop, and never more with one condition more', async () => {
    const random = seededRandom(20261122);
    const rows = await rowsByName();
    const values = new Map(
      [...SCREEN_FIELDS].map(([name, { options = [] }]): [string, readonly Constant[]] => {
        const held = [...new Set(rows.flatMap((row) => row[name] ?? []))] as readonly Constant[];
        return [name, held.length === 0 ? options : held];
      }),
    );
    const from = { fields: SCREEN_FIELDS, values };
    const all = rows.map((row) => Number(row['struct_id']));
    let before: { readonly tree: Filter; readonly found: readonly number[] } = {
      tree: EVERYTHING,
      found: all,
    };
    let hits = 0;
    for (let round = 0; round < 300; round++) {
      const tree = randomFilter(from, random);
      const looped = rows
        .filter((row) => evaluateFilter(tree, (name) => row[name] ?? null) === true)
        .map((row) => Number(row['struct_id']))
        .sort((a, b) => a - b);
      const text = printFilter(tree);
      const counted = [...COUNTED].filter(() => random() < 0.2);
      const answer = await ask({
        filter: text,
        fields: ['struct_id'],
        facets: counted,
        limit: 1000,
        sort: 'struct_id',
      });
      // A range upside down is refused: it would find nothing.
      if (answer.code === 'filter.upside-down') continue;
      const found = answer.rows.map(([id]) => Number(id));
      expect([text, found]).toEqual([text, looped]);
      expect([text, await bySql(tree)]).toEqual([text, looped]);
      expect(answer.total).toBe(looped.length);
      for (const [name, facet] of Object.entries(answer.facets)) {
        expect([text, name, sumOf(facet)]).toEqual([text, name, facet.total]);
        expect(facet.total).toBeGreaterThanOrEqual(answer.total);
      }
      if (looped.length > 0 && looped.length < rows.length) hits++;
      const both = await bySql(allOf([before.tree, tree])!);
      expect(before.found).toEqual(expect.arrayContaining(both));
      before = { tree, found };
    }
    expect(hits).toBeGreaterThan(60);
  });
});

describe('POST /api/matdata/screen/points/', () => {
  it('gives the two numbers of every material that has both', async () => {
    const filter = 'elements HAS "O"';
    const body = { filter, x: 'band_gap', y: 'density', color: 'nsites' };
    const points = (await test.post('/api/matdata/screen/points/', body, { token })).json<{
      total: number;
      x: number[];
      y: number[];
      color: number[];
    }>();
    const known = `${filter} AND band_gap IS KNOWN`;
    const fields = ['band_gap', 'density', 'nsites'];
    const { rows } = await inOrder(known, fields);
    expect(points.total).toBe((await inOrder(filter, fields)).total);
    expect(points.x).toEqual(rows.map(([gap]) => gap));
    expect(points.color).toEqual(rows.map(([, , sites]) => sites));
    for (const [index, density] of points.y.entries())
      expect(density).toBeCloseTo(Number(rows[index]![1]), 3);
  });

  it('refuses what is no number', async () => {
    const answer = await test.post('/api/matdata/screen/points/', { x: 'formula', y: 'density' }, { token });
    expect(answer.json()).toMatchObject({ code: 'screen.unknown-field' });
  });
});

const inOrder = (filter: string, fields: string[]) => ask({ filter, fields, sort: 'struct_id', limit: 1000 });
