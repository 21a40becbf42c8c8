import {
  type CollectionDetail,
  getCollection,
  listCollections,
  MAX_COLLECTED,
  MAX_COLLECTIONS,
} from '@unitcell/contract/collections';
import type { CallAnswer } from '@unitcell/contract/common';
import type { screenMaterials } from '@unitcell/contract/matdata';
import { eraseAccount } from '../account/delete-account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { duringAccountDeletion } from '../../testing/during-account-deletion.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let owner: string;
let other: string;
beforeAll(async () => {
  test = await buildTestApp();
  owner = await test.signIn('13900000001');
  other = await test.signIn('13900000002');
  await storeMaterials(
    test.database,
    (['Mg', 'Ca', 'Sr', 'Ba'] as const).map((metal, index) =>
      rockSalt(metal, 'O', 4.2 + index / 3, { struct_id: 11 + index }),
    ),
  );
});
afterAll(() => test.close());

const post = (call: string, body: object, token = owner) =>
  test.post(`/api/collections/${call}/`, body, { token, language: 'en' });

async function made(name: string, add: readonly number[] = []): Promise<CollectionDetail> {
  return (await post('save', { name, add })).json<{ collection: CollectionDetail }>().collection;
}

describe('collections', () => {
  it('are created, filled, emptied, renamed and deleted, and record the release', async () => {
    const { id } = await made('Oxides', [13, 11]);
    const got = (await post('get', { id })).json<object>();
    expect(getCollection.answer.parse(got)).toEqual(got);
    const { rows } = await test.database.pool.query<{ id: number | null }>(
      'SELECT max(id) AS id FROM release',
    );
    expect(got).toMatchObject({
      collection: { name: 'Oxides', count: 2, struct_ids: [11, 13], is_own: true, release: rows[0]?.id },
    });
    const changed = (await post('change', { id, add: [14, 11], remove: [13] })).json<object>();
    expect(changed).toMatchObject({ collection: { struct_ids: [11, 14] } });
    await post('save', { id, name: 'Rock salts', note: 'best first' });
    const list = (await post('list', {})).json<object>();
    expect(listCollections.answer.parse(list)).toEqual(list);
    expect(list).toMatchObject({ collections: [{ id, name: 'Rock salts', note: 'best first', count: 2 }] });
    expect((await post('remove', { id })).json()).toMatchObject({ error: 'false' });
    expect((await post('get', { id })).statusCode).toBe(404);
  });

  it('list a merged material only once, under its new id', async () => {
    const { id } = await made('Merged', [11, 12, 13]);
    await test.database.pool.query('INSERT INTO retired_id (struct_id, target_id) VALUES (12, 13)');
    expect((await post('get', { id })).json()).toMatchObject({
      collection: { count: 2, struct_ids: [11, 13] },
    });
    expect((await post('change', { id, remove: [13] })).json()).toMatchObject({
      collection: { count: 1, struct_ids: [11] },
    });
    await test.database.pool.query('INSERT INTO retired_id (struct_id, target_id) VALUES (500, 13)');
    expect((await post('change', { id, add: [500, 13] })).json()).toMatchObject({
      collection: { count: 2, struct_ids: [11, 13] },
    });
    expect((await post('change', { id, remove: [500] })).json()).toMatchObject({
      collection: { count: 1, struct_ids: [11] },
    });
    await test.database.pool.query('DELETE FROM retired_id');
  });

  it('belong to one account and are invisible to others', async () => {
    const { id } = await made('Mine', [11]);
    for (const [call, body] of [
      ['get', { id }],
      ['save', { id, name: 'Theirs' }],
      ['change', { id, remove: [11] }],
      ['share', { id, is_shared: true }],
      ['remove', { id }],
    ] as const)
      expect([call, (await post(call, body, other)).statusCode]).toEqual([call, 404]);
    expect((await post('get', { id })).json()).toMatchObject({
      collection: { name: 'Mine', struct_ids: [11], share_key: null },
    });
    expect((await post('list', {}, other)).json()).toMatchObject({ collections: [] });
  });

  it('are readable by others with the key of the collection until sharing is withdrawn, which invalidates the key for good', async () => {
    const { id } = await made('Shared', [12]);
    const share = async (is_shared: boolean) =>
      (await post('share', { id, is_shared })).json<{ share_key: string | null }>().share_key;
    const key = await share(true);
    expect(await share(true)).toBe(key);
    expect((await post('get', { key }, other)).json()).toMatchObject({
      collection: { name: 'Shared', struct_ids: [12], is_own: false },
    });
    await share(false);
    expect((await post('get', { key }, other)).statusCode).toBe(404);
    expect(await share(true)).not.toBe(key);
    expect((await post('get', { key }, other)).statusCode).toBe(404);
    expect((await post('get', { key: '' }, other)).statusCode).toBe(404);
  });

  it('reject a whole list that contains an unknown material or exceeds their size', async () => {
    const { id } = await made('Small');
    expect((await post('change', { id, add: [11, 999] })).json()).toMatchObject({
      code: 'collections.unknown-material',
      message: 'There is no material 999: nothing was added.',
    });
    expect((await post('get', { id })).json()).toMatchObject({ collection: { count: 0, release: null } });
    await test.database.pool.query(
      'INSERT INTO collection_item (collection_id, struct_id) SELECT $1, 1000 + n FROM generate_series(1, $2) AS n',
      [id, MAX_COLLECTED],
    );
    expect((await post('change', { id, add: [11] })).json()).toMatchObject({ code: 'collections.full' });
    expect((await post('change', { id, add: [11], remove: [1001] })).json()).toMatchObject({
      error: 'false',
    });
  });

  it('are limited in number, also when many are created at once', async () => {
    const many = await test.signIn('13900000003');
    const { rows } = await test.database.pool.query<{ id: number }>('SELECT max(id) AS id FROM account');
    await test.database.pool.query(
      "INSERT INTO collection (account_id, name) SELECT $1, 'x' FROM generate_series(1, $2)",
      [rows[0]?.id, MAX_COLLECTIONS - 2],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () =>
        (await post('save', { name: 'y' }, many)).json<{ code?: string }>(),
      ),
    );
    expect(answers.filter(({ code }) => code === 'collections.too-many')).toHaveLength(3);
  });

  it.each([
    ['save', { name: '' }],
    ['save', { name: '   ' }],
    ['save', { name: 'x'.repeat(101) }],
    ['save', { name: 'x', note: 'x'.repeat(2001) }],
    ['save', { name: 'x', add: Array.from({ length: MAX_COLLECTED + 1 }, (_, i) => i + 1) }],
    ['change', { id: 'x' }],
    ['get', { id: 1, key: 'x' }],
    ['get', {}],
  ])('%s %j is not in the contract', async (call, body) =>
    expect((await post(call, body)).statusCode).toBe(400),
  );

  it('require a token', async () =>
    expect((await test.post('/api/collections/list/', {})).statusCode).toBe(401));

  it('store texts unchanged', async () => {
    const name = `<img src=x onerror=alert(1)> '; DROP TABLE collection; --`;
    expect((await made(name)).name).toBe(name);
  });
});

describe('saved searches', () => {
  it('count materials that match their filter and are new since the last visit', async () => {
    const saved = await post('save_search', { name: 'Ba', filter: 'elements HAS "Sr"' });
    const { search } = saved.json<{ search: { id: number; seen_at: string; filter: string } }>();
    const news = async (seenAt: string) =>
      (
        await test.post(
          '/api/matdata/screen/',
          { filter: `${search.filter} AND added > "${seenAt}"`, limit: 0 },
          { token: owner },
        )
      ).json<CallAnswer<typeof screenMaterials>>().total;
    expect(await news(search.seen_at)).toBe(0);
    await storeMaterials(test.database, [rockSalt('Sr', 'S', 6.02, { struct_id: 30 })]);
    await expect.poll(() => news(search.seen_at)).toBe(1);
    const seen = (await post('see_search', { id: search.id })).json<{ search: { seen_at: string } }>();
    expect(await news(seen.search.seen_at)).toBe(0);
    expect((await post('see_search', { id: search.id }, other)).statusCode).toBe(404);
    expect((await post('remove_search', { id: search.id }, other)).statusCode).toBe(404);
    expect((await post('remove_search', { id: search.id })).json()).toMatchObject({ error: 'false' });
    expect((await post('list', {})).json()).toMatchObject({ searches: [] });
  });

  it('are refused when their filter is invalid', async () =>
    expect((await post('save_search', { name: 'x', filter: 'band_gap >' })).json()).toMatchObject({
      code: 'collections.bad-filter',
    }));

  it('are deleted with the account', async () => {
    const gone = await test.signIn('13900000004');
    await post('save', { name: 'x', add: [11] }, gone);
    await post('save_search', { name: 'x', filter: '' }, gone);
    const { rows } = await test.database.pool.query<{ id: number }>(
      'SELECT max(account_id) AS id FROM saved_search',
    );
    await test.database.db.transaction().execute((tx) => eraseAccount(tx, rows[0]!.id));
    const left = await test.database.pool.query(
      'SELECT FROM collection WHERE account_id = $1 UNION ALL SELECT FROM saved_search WHERE account_id = $1',
      [rows[0]!.id],
    );
    expect(left.rowCount).toBe(0);
  });

  it.each([
    ['save', { name: 'x', add: [11] }, '13900000011'],
    ['save_search', { name: 'x', filter: '' }, '13900000012'],
  ])(
    'are not created by %s while the account is being deleted, because nothing would delete them later',
    async (call, body, mobile) => {
      const token = await test.signIn(mobile);
      const { userid } = (await test.get('/api/arkid/get_user_infor/', { token })).json<{ userid: number }>();
      const outcome = await duringAccountDeletion(test, userid, () => post(call, body, token));
      expect(outcome).toMatchObject({ value: { statusCode: 401 } });
      const left = await test.database.pool.query(
        'SELECT FROM collection WHERE account_id = $1 UNION ALL SELECT FROM saved_search WHERE account_id = $1',
        [userid],
      );
      expect(left.rowCount).toBe(0);
    },
  );
});
