import { describe, expect, it } from 'vitest';
import { pages, robotsTxt } from './pages.ts';

const closed = [...robotsTxt().matchAll(/^Disallow: (\S+)$/gm)].map(([, prefix]) => prefix ?? '');
const isClosed = (path: string): boolean => closed.some((prefix) => path.startsWith(prefix));
const examples = pages.filter(({ path }) => path !== '*');

describe('robots.txt', () => {
  it('keeps robots away from the API and all pages behind the login', () => {
    const open = examples.filter(({ access }) => access === 'user').map(({ path }) => path);
    expect(open.filter((path) => !isClosed(path))).toEqual([]);
    expect(['/api/matdata/search_by_elements/', '/matdatades/142'].filter((path) => !isClosed(path))).toEqual(
      [],
    );
  });

  it('allows the public pages', () => {
    const shut = examples.filter(({ access }) => access === 'public').map(({ path }) => path);
    expect(shut.filter(isClosed)).toEqual([]);
  });
});
