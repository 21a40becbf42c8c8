import { describe, expect, it } from 'vitest';
import type { LoaderFunctionArgs } from 'react-router-dom';
import { openLogin, takeLoginTarget } from '../lib/session.ts';
import { decideAccess, guardOf } from './guard.ts';
import { pages, robotsTxt } from './pages.ts';

const page = (path: string) => {
  const found = pages.find((entry) => entry.path === path);
  if (!found) throw new Error(`no page ${path}`);
  return found;
};

describe('the navigation guard', () => {
  it('redirects a signed-out visitor from a page behind the login to / and remembers the page', () => {
    expect(decideAccess(page('/matdata'), false, '/matdata?q=Ti-O')).toEqual({
      redirectTo: '/',
      askLoginFor: '/matdata?q=Ti-O',
    });
  });

  it('also redirects from addresses that do not exist', () => {
    expect(decideAccess(page('*'), false, '/secret').redirectTo).toBe('/');
    expect(decideAccess(page('*'), true, '/secret').redirectTo).toBeNull();
  });

  it('redirects a signed-in visitor from / to the search', () => {
    expect(decideAccess(page('/'), true, '/').redirectTo).toBe('/matdata');
    expect(decideAccess(page('/'), false, '/').redirectTo).toBeNull();
  });

  it('keeps the public pages of the specification open', () => {
    const open = ['/', '/about', '/unitcell', '/team', '/milestone', '/advisory', '/publication'];
    const closed = [...open, '/protocal/user', '/protocal/private'].filter((path) => !page(path).isPublic);
    expect(closed).toEqual([]);
  });

  it('every page has a title in both languages and its own path', () => {
    expect(new Set(pages.map((entry) => entry.path)).size).toBe(pages.length);
    for (const { title } of pages) expect(title.en !== '' && title.zh !== '').toBe(true);
  });
});

const closed = [...robotsTxt().matchAll(/^Disallow: (\S+)$/gm)].map(([, prefix]) => prefix ?? '');
const isClosed = (path: string): boolean => closed.some((prefix) => path.startsWith(prefix));
const examples = pages.filter(({ path }) => path !== '*');

it('a page that requires the login is opened at its section after the login', async () => {
  window.history.replaceState(null, '', '/matdatades/142?scale=PBE#related');
  const request = new Request(new URL('/matdatades/142?scale=PBE', window.location.href));
  await guardOf(page('/matdatades/:id'))({ request } as LoaderFunctionArgs);
  expect(takeLoginTarget()).toBe('/matdatades/142?scale=PBE#related');
});

it.each(['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)'])(
  'the login never leads to another site: %s',
  (target) => {
    openLogin(target);
    expect(takeLoginTarget()).toBeNull();
  },
);

describe('robots.txt', () => {
  it('keeps robots away from the API and all pages behind the login', () => {
    const open = examples.filter(({ isPublic }) => !isPublic).map(({ path }) => path);
    expect(open.filter((path) => !isClosed(path))).toEqual([]);
    expect(['/api/matdata/search_by_elements/', '/matdatades/142'].filter((path) => !isClosed(path))).toEqual(
      [],
    );
  });

  it('allows the public pages', () => {
    const shut = examples.filter(({ isPublic }) => isPublic).map(({ path }) => path);
    expect(shut.filter(isClosed)).toEqual([]);
  });
});
