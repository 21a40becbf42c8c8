import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redirectTarget } from './authorize.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchJson } from './oauth-providers.ts';

const SITE = 'https://materials.example.org';

describe('redirectTarget', () => {
  it.each([
    [SITE, `${SITE}/`],
    [`${SITE}/`, `${SITE}/`],
    [`${SITE}/account?tab=account`, `${SITE}/account?tab=account`],
    [`${SITE}?tab=1`, `${SITE}/?tab=1`],
    [`${SITE}/matdata?q=Ti-O%20%23%5C`, `${SITE}/matdata?q=Ti-O+%23%5C`],
    [`${SITE}/apish`, `${SITE}/apish`],
    [`${SITE}/matdata/../phase`, `${SITE}/phase`],
  ])('accepts %j', (typed, page) => {
    expect(redirectTarget(typed, SITE)?.href).toBe(page);
  });

  it('removes our own fields from the query', () => {
    const typed = `${SITE}/account?token=x&tab=1&third_party_id=y&token=z&third_party_error=e`;
    expect(redirectTarget(typed, SITE)?.href).toBe(`${SITE}/account?tab=1`);
  });

  it.each([
    ['another host', 'https://evil.example/account'],
    ['a host that begins like ours', `${SITE}.evil.example/`],
    ['a host that goes on after ours', `${SITE}evil.example/`],
    ['a host above ours', 'https://example.org/'],
    ['a host below ours', 'https://www.materials.example.org/'],
    ['a host with a final dot', `${SITE}./`],
    ['a host in capitals', 'https://MATERIALS.example.org/'],
    ['a scheme in capitals', 'HTTPS://materials.example.org/'],
    ['a host with an escaped letter', 'https://m%61terials.example.org/'],
    ['a host with a full-width letter', 'https://ｍaterials.example.org/'],
    ['a host with a Cyrillic letter', 'https://mаterials.example.org/'],
    ['another scheme', 'http://materials.example.org/account'],
    ['no http at all', 'javascript:alert(1)'],
    ['a scheme before ours', `view-source:${SITE}/`],
    ['a data address', 'data:text/html,hello'],
    ['another port', `${SITE}:8443/account`],
    ['the port that goes without saying', `${SITE}:443/account`],
    ['an empty port', `${SITE}:/account`],
    ['a user name', 'https://user@materials.example.org/account'],
    ['a user name and a password', 'https://user:word@materials.example.org/'],
    ['an empty user name', 'https://@materials.example.org/'],
    ['our host as a user name', `${SITE}@evil.example/`],
    ['our host as user name and password', `${SITE}:443@evil.example/`],
    ['a backslash before @', `${SITE}\\@evil.example/`],
    ['backslashes for slashes', 'https:\\\\materials.example.org\\account'],
    ['a backslash in the path', `${SITE}/\\evil.example/`],
    ['an escaped backslash in the path', `${SITE}/%5cevil.example/`],
    ['a fragment', `${SITE}/account#token=x`],
    ['an empty fragment', `${SITE}/account#`],
    ['one slash', 'https:/materials.example.org/'],
    ['three slashes', 'https:///materials.example.org/'],
    ['no scheme', '//materials.example.org/'],
    ['a path alone', '/account'],
    ['a path that looks like a host', `${SITE}//evil.example/`],
    ['a path that becomes a host', `${SITE}/x/..//evil.example/`],
    ['a path that becomes a host, escaped', `${SITE}/%2fevil.example/`],
    ['the API', `${SITE}/api/arkid/github/callback/`],
    ['the API behind slashes', `${SITE}///api/x`],
    ['the API escaped', `${SITE}/%61pi/x`],
    ['the API with an escaped slash', `${SITE}/api%2fx`],
    ['the API behind dots', `${SITE}/matdata/../api/x`],
    ['the API behind escaped dots', `${SITE}/matdata/%2e%2E/api/x`],
    ['the API in capitals', `${SITE}/API/x`],
    ['the API alone', `${SITE}/api`],
    ['a broken escape', `${SITE}/%zz`],
    ['an escaped line break', `${SITE}/%0d%0aLocation:evil`],
    ['a blank before', ` ${SITE}/`],
    ['a blank after', `${SITE}/ `],
    ['a tab within', 'https://materials\t.example.org/'],
    ['a line break within', `${SITE}/\n`],
    ['a null within', `${SITE}/\0`],
    ['letters beyond ASCII', `${SITE}/账号`],
    ['nothing', ''],
  ])('rejects %s', (_name, typed) => {
    expect(redirectTarget(typed, SITE)).toBeNull();
  });

  it('requires the exact port of the site', () => {
    const site = 'http://127.0.0.1:3000';
    expect(redirectTarget(`${site}/account`, site)?.href).toBe(`${site}/account`);
    for (const typed of [
      'http://127.0.0.1/',
      'http://127.0.0.1:30000/',
      'http://127.1:3000/',
      'http://localhost:3000/',
    ])
      expect(redirectTarget(typed, site)).toBeNull();
  });

  it('accepts no address that a browser would open on another site', () => {
    const pieces = fc.constantFrom(
      SITE,
      'https:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '.',
      '..',
      '%2f',
      '%5c',
      '?',
      '#',
      'evil.example',
      'api',
      'token=x',
      '\t',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        for (const typed of [parts.join(''), SITE + parts.join('')]) {
          const page = redirectTarget(typed, SITE);
          if (page === null) continue;
          // Parsed again, alone and as a link on a page of the site.
          expect(new URL(page.href).origin).toBe(SITE);
          expect(new URL(page.pathname + page.search, `${SITE}/account`).origin).toBe(SITE);
          expect([page.hash, page.username, page.searchParams.get('token')]).toEqual(['', '', null]);
        }
      }),
      { seed: 5, numRuns: 2000 },
    );
  });
});

let server: Server;
let origin: string;
const asked: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const body = request.url === '/long' ? JSON.stringify({ filler: 'x'.repeat(300_000) }) : '{"id": 7}';
    if (request.url === '/moved') response.writeHead(302, { Location: `${origin}/identity` }).end(body);
    else response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

describe('the answer of a sign-in provider', () => {
  it('is read only from the configured address; redirects are not followed', async () => {
    expect(await fetchJson(new URL('/identity', origin))).toEqual({ id: 7 });
    asked.length = 0;
    await expect(fetchJson(new URL('/moved', origin))).rejects.toThrow(/fetch failed/);
    expect(asked).toEqual(['/moved']);
  });

  it('is rejected when it is longer than an identity can be', async () => {
    await expect(fetchJson(new URL('/long', origin))).rejects.toThrow(/response too large/);
  });
});
