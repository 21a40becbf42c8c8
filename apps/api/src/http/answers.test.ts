import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '@unitcell/contract';
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

describe('compressed answers', () => {
  it.each([['gzip, deflate, br'], ['gzip']])(
    'cached answers are sent as gzip to a client that accepts %s, with the same content',
    async (accepted) => {
      const [plain, packed] = [await search('identity'), await search(accepted)];
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(String(packed.headers.vary).toLowerCase()).toContain('accept-encoding');
      expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    },
  );

  it('small answers are not compressed', async () => {
    const refused = await search('br', JSON.stringify({ include: 'Xx' }));
    expect(refused.headers['content-encoding']).toBeUndefined();
  });

  it('compressed request bodies are refused and never unpacked', async () => {
    const { gzipSync } = await import('node:zlib');
    const answer = await search('identity', gzipSync(JSON.stringify({ include: 'Ti' })), {
      'content-encoding': 'gzip',
    });
    expect(answer.statusCode).toBe(400);
  });
});

// Answers that depend only on the site's data can be revalidated cheaply.

const cached = calls.filter(({ cache }) => cache !== undefined);
const get = (url: string, headers: Record<string, string> = {}) =>
  test.app.inject({ url, headers: { authorization: `token ${token}`, 'accept-language': 'en', ...headers } });

describe.each(cached.map((call) => [call.path, call.cache] as const))('%s', (path, cache) => {
  it('an answer has an entity tag, is 304 for a request with this tag, and may be cached', async () => {
    const answer = await get(path);
    expect(answer.statusCode).toBe(200);
    const etag = String(answer.headers.etag);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(answer.headers['cache-control']).toBe(`${cache}, no-cache`);
    const again = await get(path, { 'if-none-match': `"other", ${etag}` });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await get(path, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });
});

describe('GET /api/about/lists/', () => {
  it('lists lattices, sources, ions and scales in the form that other calls accept', async () => {
    const answer = (await get('/api/about/lists/')).json();
    expect(answer.lattices.length).toBeGreaterThan(250);
    expect(answer.radiation_sources).toHaveLength(24);
    expect(answer.working_ions).toEqual([
      { symbol: 'Li', charge: 1 },
      { symbol: 'Na', charge: 1 },
      { symbol: 'K', charge: 1 },
      { symbol: 'Mg', charge: 2 },
      { symbol: 'Ca', charge: 2 },
      { symbol: 'Zn', charge: 2 },
      { symbol: 'Al', charge: 3 },
    ]);
    for (const { grid_id } of answer.lattices.slice(0, 5)) {
      const drawn = await test.post('/api/tight_binding/get_lattice_structure/', { grid_id }, { token });
      expect(drawn.json()).toMatchObject({ error: 'false', grid_id });
    }
  });
});
