/** Tests screening by element, by chosen rows and as points of a plot. */
import type { CallAnswer } from '@unitcell/contract/common';
import { materialRows, screenElements } from '@unitcell/contract/matdata';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { screening, storeScreened } from '../../testing/screening.ts';

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeScreened(test.database);
});
afterAll(() => test.close());
const { ask } = screening(() => ({ test, token }));

const inOrder = (filter: string, fields: string[]) => ask({ filter, fields, sort: 'struct_id', limit: 1000 });

describe('POST /api/matdata/screen/elements/', () => {
  const elements = async (body: object) =>
    (await test.post('/api/matdata/screen/elements/', body, { token })).json<
      CallAnswer<typeof screenElements>
    >();

  it('counts rows and computes medians by element with the same result as a plain loop', async () => {
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

  it('counts rows without medians if no field is given, and refuses a field that is not a number', async () => {
    expect((await elements({})).elements['Cl']).toEqual({ count: 3, known: 0, median: null });
    expect(await elements({ field: 'formula' })).toMatchObject({ code: 'screen.unknown-field' });
  });
});

describe('POST /api/matdata/screen/rows/', () => {
  it('returns the rows of the given ids in this order, without deleted materials', async () => {
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
    // The test catalogue has no list of stable compositions.
    expect(completeness).toMatchObject({ status: 'not-known' });
  });

  it.each([[{ ids: [-1] }], [{ ids: Array.from({ length: 1001 }, (_, i) => i + 1) }], [{}]])(
    'refuses requests outside the contract',
    async (body) =>
      expect((await test.post('/api/matdata/screen/rows/', body, { token })).statusCode).toBe(400),
  );
});

describe('POST /api/matdata/screen/points/', () => {
  it('returns the two numbers of every material that has both', async () => {
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

  it('plots calculated columns against stored columns', async () => {
    const product = '[band_gap * nsites]';
    const points = (
      await test.post('/api/matdata/screen/points/', { x: 'band_gap', y: product, color: product }, { token })
    ).json<{ x: number[]; y: number[]; color: number[] }>();
    const { rows } = await inOrder('', ['band_gap', 'nsites']);
    expect(points.x).toHaveLength(rows.filter(([gap]) => gap !== null).length);
    expect(points.y).toEqual(
      rows.flatMap(([gap, sites]) =>
        gap === null ? [] : [Number((Number(gap) * Number(sites)).toPrecision(5))],
      ),
    );
    expect(points.color).toEqual(points.y);
    const elements = await test.post('/api/matdata/screen/elements/', { field: product }, { token });
    expect(elements.json<CallAnswer<typeof screenElements>>().elements['F']).toEqual({
      count: 1,
      known: 1,
      median: 8.7 * 2,
    });
  });

  it('refuses a field that is not a number', async () => {
    const answer = await test.post('/api/matdata/screen/points/', { x: 'formula', y: 'density' }, { token });
    expect(answer.json()).toMatchObject({ code: 'screen.unknown-field' });
  });
});
