import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pages } from './pages.ts';

const robots = readFileSync(new URL('../../public/robots.txt', import.meta.url), 'utf8');
const closed = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map(([, prefix]) => prefix ?? '');
const isClosed = (path: string): boolean => closed.some((prefix) => path.startsWith(prefix));
const examples = pages.filter(({ path }) => path !== '*');

describe('robots.txt', () => {
  it('keeps robots out of the API and of every page behind the login, as the terms say', () => {
    const open = examples.filter(({ access }) => access === 'user').map(({ path }) => path);
    expect(open.filter((path) => !isClosed(path))).toEqual([]);
    expect(isClosed('/api/matdata/search_by_elements/')).toBe(true);
  });

  it('names all tools of the product, also those of a page to come', () => {
    const tools = [
      '/matdata',
      '/run4u',
      '/phase',
      '/xrd',
      '/Ec_window',
      '/Interface_reaction',
      '/Tight_Binding',
    ];
    expect(
      [...tools, '/matdatades/142', '/Ec_windowDetail/142/Li'].filter((path) => !isClosed(path)),
    ).toEqual([]);
  });

  it('lets them read the public pages', () => {
    const shut = examples.filter(({ access }) => access === 'public').map(({ path }) => path);
    expect(shut.filter(isClosed)).toEqual([]);
  });
});
