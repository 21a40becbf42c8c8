import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { element, storeMaterials } from '../testing/material-factory.ts';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(
    test.database,
    Array.from({ length: 40 }, (_, index) => element('Ti', 2.9 + index / 100, { struct_id: index + 1 })),
  );
});
afterAll(() => test.close());

const search = (encoding: string, body: string | Buffer = JSON.stringify({ include: 'Ti' }), more = {}) =>
  test.app.inject({
    method: 'POST',
    url: '/api/matdata/search_by_elements/',
    headers: {
      authorization: `token ${token}`,
      'content-type': 'application/json',
      'accept-encoding': encoding,
      ...more,
    },
    payload: body,
  });

describe('answers', () => {
  it.each([['gzip, deflate, br'], ['gzip']])(
    'that are kept are sent as gzip to a client that takes %s, with the same content',
    async (accepted) => {
      const [plain, packed] = [await search('identity'), await search(accepted)];
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(String(packed.headers.vary).toLowerCase()).toContain('accept-encoding');
      expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    },
  );

  it('that are small stay as they are', async () => {
    const refused = await search('br', JSON.stringify({ include: 'Xx' }));
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it('of requests that are packed are a refusal: nothing is unpacked here', async () => {
    const { gzipSync } = await import('node:zlib');
    const answer = await search('identity', gzipSync(JSON.stringify({ include: 'Ti' })), {
      'content-encoding': 'gzip',
    });
    expect(answer.statusCode).toBe(400);
  });
});
