/** Answers that depend only on the site's data are cheap to revalidate. */
import { calls } from '@unitcell/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
});
afterAll(() => test.close());

const cached = calls.filter(({ cache }) => cache !== undefined);
const get = (url: string, headers: Record<string, string> = {}) =>
  test.app.inject({ url, headers: { authorization: `token ${token}`, 'accept-language': 'en', ...headers } });

describe.each(cached.map((call) => [call.path, call.cache] as const))('%s', (path, cache) => {
  it('an answer has an entity tag, is 304 for a client that sends the tag, and may be cached', async () => {
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
  it('lists lattices, sources, ions and scales as the other calls accept them', async () => {
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
