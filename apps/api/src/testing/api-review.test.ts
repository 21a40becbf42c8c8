/** Tests findings of an API review (docs/api/index.md lists them) that no feature test covers. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '@unitcell/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../http/openapi/openapi-document.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { element, rutile, storeMaterials } from './material-factory.ts';

let test: TestApp;
let token: string;
const web = mkdtempSync(join(tmpdir(), 'unitcell-web-'));
beforeAll(async () => {
  writeFileSync(join(web, 'index.html'), '<!doctype html><title>The page</title>');
  writeFileSync(join(web, 'robots.txt'), 'User-agent: *');
  mkdirSync(join(web, 'assets', 'fonts'), { recursive: true });
  writeFileSync(join(web, 'assets', 'fonts', 'own-1a2b.woff2'), 'a font');
  test = await buildTestApp({ env: { WEB_DIST: web } });
  token = await test.signIn();
  // Energies above hull are differences of these energies, and floating-point 3.3 - 3.1 is not exactly 0.2.
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 1 }),
    element('O', 3, { struct_id: 2 }),
    rutile('Ti', 4.594, 2.959, { struct_id: 3, formation_energy_per_atom: -3.3 }),
    rutile('Ti', 4.7, 3.1, { struct_id: 4, formation_energy_per_atom: -3.1 }),
    rutile('Ti', 4.8, 3.2, { struct_id: 5, formation_energy_per_atom: -3.29396 }),
  ]);
});
afterAll(async () => {
  await test.close();
  rmSync(web, { recursive: true });
});

interface Described {
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly tags: readonly string[];
}

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as {
    info: { license: { name: string; identifier: string } };
    tags: readonly { name: string; description: string }[];
    paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };

  it('O4: offers the token for calls that recognise members but do not require a token', () => {
    const known = calls.filter(({ knowsMembers }) => knowsMembers);
    expect(known.length).toBeGreaterThan(1);
    for (const { path, method } of known)
      expect([path, document.paths[path]?.[method.toLowerCase()]?.security]).toEqual([
        path,
        [{}, { token: [] }, { key: [] }],
      ]);
  });

  it('O5: states its licence and describes every group of calls', () => {
    expect(document.info.license).toMatchObject({ identifier: 'MIT' });
    for (const { name, description } of document.tags)
      expect([name, description.length > name.length]).toEqual([name, true]);
  });

  it('O6: is public and can be revalidated cheaply', async () => {
    const answer = await test.get('/api/openapi.json');
    expect(answer.statusCode).toBe(200);
    const { etag } = answer.headers;
    const again = await test.app.inject({
      url: '/api/openapi.json',
      headers: { 'if-none-match': String(etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});

describe('R13: energies above the hull', () => {
  const isShort = (energy: number) => energy === Number(energy.toFixed(8));
  it('have no rounding noise and are equal in all answers', async () => {
    const search = (
      await test.post('/api/matdata/search_by_elements/', { include: 'Ti-O' }, { token })
    ).json();
    const aboveHull = new Map<number, number>(search.results.map((row: number[]) => [row[0], row[4]]));
    expect([...aboveHull.values()].toSorted((a, b) => a - b)).toEqual([0, 0.00604, 0.2]);
    for (const [id, energy] of aboveHull) {
      const detail = (
        await test.post('/api/matdata/get_struct_detail/', { struct_id: id }, { token })
      ).json();
      expect(JSON.stringify(detail)).toContain(`"e_above_hull":${energy}`);
    }
    const diagram = (
      await test.post('/api/phase_diagram/phase_diagram_handle/', { include: 'Ti O' }, { token })
    ).body;
    const energies = [...diagram.matchAll(/"eAboveHull":\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
      list.split(',').filter(Boolean).map(Number),
    );
    expect(energies.toSorted((a, b) => a - b).slice(-2)).toEqual([0.00604, 0.2]);
    expect(energies.filter((energy) => !isShort(energy))).toEqual([]);
  });
});

describe('R15: an address that does not exist', () => {
  const ask = (url: string, accept: string) => test.app.inject({ url, headers: { accept } });
  it.each(['/health', '/doc', '/swagger', '/api/nothing/'])(
    '%s is 404 in JSON for a program',
    async (url) => {
      for (const accept of ['*/*', 'application/json']) {
        const answer = await ask(url, accept);
        expect([answer.statusCode, answer.json().code]).toEqual([404, 'request.not-found']);
      }
    },
  );
  it('returns the page to a browser', async () => {
    const answer = await ask('/nothing', 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('The page')]);
    expect((await ask('/api/health', '*/*')).statusCode).toBe(200);
  });
});

describe('files of the site', () => {
  const ask = (url: string) => test.app.inject({ url, headers: { accept: '*/*' } });
  it.each([
    ['/robots.txt', 'User-agent: *', 'no-cache'],
    ['/assets/fonts/own-1a2b.woff2', 'a font', 'public, max-age=31536000, immutable'],
  ])('%s is served with its caching rule', async (url, body, rule) => {
    const answer = await ask(url);
    expect([answer.statusCode, answer.body, answer.headers['cache-control']]).toEqual([200, body, rule]);
  });
  it.each([
    '/assets/none.js',
    '/assets/fonts',
    '/assets/fonts/',
    '/assets//fonts/own-1a2b.woff2',
    '/assets/..%2f..%2fetc%2fpasswd',
    '/assets/%00',
  ])('%s, which is no file of the site, is 404', async (url) => {
    const answer = await ask(url);
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'request.not-found']);
  });
});

describe('R16: methods and bodies', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)(
    '%s of a POST call is 405 with Allow',
    async (method) => {
      const answer = await test.app.inject({ method, url: '/api/matdata/search_by_elements/' });
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
    },
  );
  it.each([
    ['QUERY', '/api/matdata/search_by_elements/', 'POST'],
    ['POST', '/api/about/lists/', 'GET, HEAD'],
    ['DELETE', '/api/openapi.json', 'GET, HEAD'],
    ['QUERY', '/api/materials/3.cif?cell=given', 'GET, HEAD'],
    ['PUT', '/api/materials/3/xrd.csv', 'GET, HEAD'],
    ['TRACE', '/api/health', 'GET, HEAD'],
  ] as const)('%s %s is 405 with Allow, whatever its body is', async (method, url, allow) => {
    for (const [type, payload] of [
      [undefined, undefined],
      ['application/json', '{'],
      ['text/plain', 'what'],
    ] as const) {
      const answer = await test.app.inject({
        method: method as 'PUT',
        url,
        headers: type === undefined ? {} : { 'content-type': type },
        ...(payload === undefined ? {} : { payload }),
      });
      expect([type, answer.statusCode, answer.headers.allow]).toEqual([type, 405, allow]);
      expect(answer.json().code).toBe('request.method');
    }
  });
  it('an address that does not exist is 404 for every method', async () => {
    for (const url of ['/api/nothing/', '/api/materials/3.gif'])
      for (const method of ['PUT', 'QUERY'] as const) {
        const answer = await test.app.inject({ method: method as 'PUT', url });
        expect([url, method, answer.statusCode, answer.json().code]).toEqual([
          url,
          method,
          404,
          'request.not-found',
        ]);
      }
  });
  it('a form is 415 with the accepted type', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/matdata/search_by_elements/',
      headers: {
        authorization: `token ${token}`,
        'accept-language': 'en',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'include=Ti',
    });
    expect([answer.statusCode, answer.json().message]).toEqual([415, 'This call takes a JSON body.']);
  });
});

describe('R17: a body that is too large', () => {
  it('is refused with a message before it has arrived', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    const announced = 20 * 1024 * 1024;
    socket.write(
      [
        'POST /api/matdata/search_by_elements/ HTTP/1.1',
        'Host: localhost',
        `Authorization: token ${token}`,
        'Accept-Language: en',
        'Content-Type: application/json',
        `Content-Length: ${announced}`,
        '',
        `{"include":"${'x'.repeat(100_000)}`,
      ].join('\r\n'),
    );
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('The request is too large: at most 64 KB are accepted.');
  });
});
