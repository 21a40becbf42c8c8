/** Random filters, and one filter for every field, give the same result in three implementations. */
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
import {
  FIELD_NAMES,
  type FieldName,
  fieldOf,
  type Given,
  placedNames,
  scaledToCell,
  unplace,
} from '@unitcell/material';
import { seededRandom } from '@unitcell/numerics';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filterSql } from '../optimade/structure-filter.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { isColumn } from './index/screen-index.ts';
import { SCREEN_FIELDS, sqlOf } from './screen-fields.ts';
import { storeMaterials } from '../../testing/material-factory.ts';
import { randomMaterial } from '../../testing/random-import-line.ts';
import { screening, storeScreened, sumOf } from '../../testing/screening.ts';

/** Random lines that cover every field. */
const RANDOM = fc.sample(randomMaterial, { seed: 2026, numRuns: 30 });
const FIRST_RANDOM = 1001;
const FILTERS = process.env.NIGHTLY ? 300 : 100;

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(
    test.database,
    RANDOM.map(({ line }, at) => ({ ...line, struct_id: FIRST_RANDOM + at })),
  );
  await storeScreened(test.database);
});
afterAll(() => test.close());
const { ask } = screening(() => ({ test, token }));

/** A field without any value has no column to count. */
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

describe('random filters', () => {
  const columnOf = (name: string) => sqlOf(name, 'PBE (MP 2018)');

  const screened = () =>
    test.database.db
      .selectFrom('material')
      .leftJoin('material_energy as energies', (join) =>
        join
          .onRef('energies.struct_id', '=', 'material.struct_id')
          .on('energies.functional', '=', 'PBE (MP 2018)'),
      );

  const rowsByName = (): Promise<readonly Record<string, PropertyValue>[]> =>
    screened()
      .select([...SCREEN_FIELDS.keys()].map((name) => sql<PropertyValue>`${columnOf(name)}`.as(name)))
      .execute();

  const bySql = async (tree: Filter): Promise<number[]> => {
    const rows = await screened()
      .select('material.struct_id')
      .where(filterSql(sqlOfFilter(tree, SCREEN_FIELDS), columnOf))
      .execute();
    return rows.map(({ struct_id }) => struct_id).sort((a, b) => a - b);
  };

  it('give the same rows in columns, SQL and a plain loop, and no more rows with another condition', async () => {
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
    for (let round = 0; round < FILTERS; round++) {
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
      // A reversed range is refused because it would find nothing.
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
    expect(hits).toBeGreaterThan(FILTERS / 5);
  });

  it('find rows by every field with the values of the imported lines', async () => {
    const rows = await rowsByName();
    const given = new Map(
      RANDOM.map(({ line, cells }, at) => [
        FIRST_RANDOM + at,
        scaledToCell(unplace<'line', Given>('line', line as never), 1 / cells),
      ]),
    );
    const isGiven = (name: FieldName): name is keyof Given => placedNames('line').includes(name);
    for (const name of FIELD_NAMES) {
      const { column } = fieldOf(name);
      if (!SCREEN_FIELDS.has(column) || !isColumn(column)) continue;
      const values = rows.map((row): readonly [number, PropertyValue] => {
        const id = Number(row['struct_id']);
        const line = given.get(id);
        return [id, (line && isGiven(name) ? line[name] : row[column]) ?? null];
      });
      const known = values.flatMap(([, value]) => (value === null ? [] : [value as Constant]));
      expect([column, known.length]).not.toEqual([column, 0]);
      const value = known[known.length >> 1]!;
      const tree: Filter = { kind: 'compare', property: column, operator: '=', to: { value } };
      const wanted = values.flatMap(([id, other]) => (other === value ? [id] : [])).sort((a, b) => a - b);
      const answer = await ask({
        filter: printFilter(tree),
        fields: ['struct_id'],
        limit: 1000,
        sort: 'struct_id',
      });
      expect([column, value, answer.rows.map(([id]) => Number(id))]).toEqual([column, value, wanted]);
      expect([column, value, await bySql(tree)]).toEqual([column, value, wanted]);
    }
  });
});
