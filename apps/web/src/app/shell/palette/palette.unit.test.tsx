import { searchByFormula } from '@unitcell/contract/matdata';
import { act, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import answers from '../../../testing/answers.json';
import { useLocation } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Language } from '../../../i18n/i18n.ts';
import { queryClient } from '../../../lib/api-client.ts';
import { closeLogin, storeToken, takeLoginTarget, useLoginOpen } from '../../../lib/session.ts';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { PaletteHost } from './palette-host.tsx';
import { pages } from '../../pages.ts';
import { elementList, materialQuery, pagesNamed } from './palette.tsx';

beforeEach(() => {
  // happy-dom has no layout.
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  act(() => {
    storeToken(null);
    closeLogin();
  });
  // Closes the palette if the test left it open.
  if (screen.queryByRole('combobox')) fireEvent.keyDown(document, { key: 'k', ctrlKey: true });
  localStorage.clear();
});

const Place = () => {
  const { pathname, search } = useLocation();
  const isAsked = useLoginOpen();
  return (
    <p data-testid="place">
      {pathname}
      {search}
      {isAsked && ' login'}
    </p>
  );
};
const place = () => screen.getByTestId('place').textContent;

async function open({
  language = 'en',
  isSignedIn = false,
  path = '/',
}: {
  language?: Language;
  isSignedIn?: boolean;
  path?: string;
} = {}) {
  if (isSignedIn) storeToken('eyJ');
  const view = await renderInApp(
    <>
      <Place />
      <PaletteHost />
    </>,
    { language, path },
  );
  const user = userEvent.setup();
  await user.keyboard('{Control>}k{/Control}');
  const box = await screen.findByRole<HTMLInputElement>('combobox');
  box.focus();
  return { ...view, user, box };
}

const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
/** The choice that Enter would open, as announced to screen readers. */
const active = (box: HTMLElement) => {
  const named = document.getElementById(box.getAttribute('aria-activedescendant') ?? '');
  expect(named?.getAttribute('aria-selected')).toBe('true');
  expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
  return named?.textContent;
};

describe('the palette', () => {
  it.each(['{Control>}k{/Control}', '{Meta>}k{/Meta}', '/'])(
    'opens and closes with the keys %s',
    async (keys) => {
      await renderInApp(<PaletteHost />);
      const user = userEvent.setup();
      await user.keyboard(keys);
      await screen.findByRole('combobox');
      await user.keyboard('{Escape}');
      await expect.poll(() => screen.queryByRole('combobox')).toBeNull();
    },
  );

  it('does not open by / if the page has its own search box', async () => {
    await renderInApp(
      <>
        <input aria-label="search" aria-keyshortcuts="/" />
        <PaletteHost />
      </>,
    );
    await userEvent.setup().keyboard('/');
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('starts at the first choice, also for new text; arrows wrap around, Home and End go to the ends', async () => {
    const { user, box } = await open();
    const all = names();
    expect(all.length).toBeGreaterThan(5);
    expect(active(box)).toBe(all[0]);
    await user.keyboard('{ArrowDown}');
    expect(active(box)).toBe(all[1]);
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(active(box)).toBe(all.at(-1));
    await user.keyboard('{ArrowDown}');
    expect(active(box)).toBe(all[0]);
    await user.keyboard('{End}');
    expect(active(box)).toBe(all.at(-1));
    await user.type(box, 'p');
    expect(active(box)).toBe(names()[0]);
  });

  it('opens the choice selected by Enter, and closes', async () => {
    const { user, box } = await open({ isSignedIn: true });
    await user.type(box, 'phasedi');
    await user.keyboard('{Enter}');
    expect(place()).toBe('/phase');
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('ignores the Enter that confirms input-method composition', async () => {
    const { box } = await open({ language: 'zh' });
    fireEvent.change(box, { target: { value: '相图' } });
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
    expect(place()).toBe('/');
  });

  it('asks a signed-out visitor to sign in, and remembers the page', async () => {
    const { user, box } = await open();
    await user.type(box, 'phasedi{Enter}');
    expect(place()).toBe('/ login');
    expect(takeLoginTarget()).toBe('/phase');
  });

  it('offers the search and the phase diagram of listed elements', async () => {
    const { user, box } = await open({ isSignedIn: true });
    await user.type(box, 'ti o');
    expect(names().slice(0, 2)).toEqual(['Materials of exactly Ti–O', 'Phase diagram Ti–O']);
    await user.click(screen.getByText('Phase diagram Ti–O'));
    expect(place()).toBe('/phase?q=Ti+O');
  });

  it('finds materials by their formula, at most eight', async () => {
    const answer = searchByFormula.answer.parse(answers.searchByFormula);
    const rows = Array.from({ length: 12 }, (_, index) => [index + 1, ...(answer.results[0] ?? []).slice(1)]);
    const sent = serve({ [searchByFormula.path]: { ...answer, results: rows } });
    const { box } = await open({ isSignedIn: true });
    fireEvent.change(box, { target: { value: 'TiO2' } });
    await expect.poll(() => screen.getAllByRole('option')).toHaveLength(8);
    expect(sent).toEqual([{ include: 'TiO2' }]);
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(place()).toBe('/matdatades/1');
  });

  it('searches no materials for a signed-out visitor', async () => {
    const sent = serve({});
    const { user, box } = await open();
    await user.type(box, 'TiO2');
    expect([sent, names()]).toEqual([[], []]);
    expect(screen.getByRole('status').textContent).toContain('No results for “TiO2”.');
  });

  it('shows why materials cannot be searched, and keeps the other choices', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    const { box } = await open({ isSignedIn: true });
    fireEvent.change(box, { target: { value: 'C' } });
    await screen.findByText(/Material search is unavailable: The server cannot be reached/);
    expect(names().length).toBeGreaterThan(0);
  });

  it('changes the language, and requests the texts of the server again in the new language', async () => {
    queryClient.setQueryData(['news'], 'in English');
    const { user, box } = await open({ path: '/about' });
    await user.type(box, '中文{Enter}');
    await expect.poll(() => localStorage.getItem('languageSet')).toBe('zh');
    await expect.poll(() => queryClient.getQueryState(['news'])?.isInvalidated).toBe(true);
  });

  it('offers the light theme if the page is dark because the system is', async () => {
    localStorage.setItem('mantine-color-scheme-value', 'auto');
    vi.stubGlobal('matchMedia', (media: string) => ({
      matches: media === '(prefers-color-scheme: dark)',
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    await open();
    expect(names()).toContain('Light theme');
    expect(names()).not.toContain('Dark theme');
  });
});

describe('the text typed in the palette', () => {
  it('recognises numbers and formulas as materials', () => {
    expect(materialQuery('142')).toEqual({ type: 'struct_id', query: '142' });
    expect(materialQuery('#0000000142')).toEqual({ type: 'struct_id', query: '0000000142' });
    expect(materialQuery('LiFePO4')).toEqual({ type: 'formula', query: 'LiFePO4' });
    expect(materialQuery('Li(CoO2)2')).toEqual({ type: 'formula', query: 'Li(CoO2)2' });
    for (const text of ['', 'phase', 'Ti-O', 'TiXx2', '12345678901']) expect(materialQuery(text)).toBeNull();
  });

  it('recognises lists of elements with any separator', () => {
    for (const text of ['Ti-O', 'ti o', 'Ti, O', 'Ti、O', 'Ti O Ti'])
      expect(elementList(text)).toEqual(['Ti', 'O']);
    for (const text of ['Ti', 'Ti Xx', 'phase diagram', '']) expect(elementList(text)).toEqual([]);
  });

  it('finds pages by name in either language, each once, and only those that need no parameter', () => {
    const paths = (text: string) => pagesNamed(pages, text).map(({ path }) => path);
    expect(paths('phase')).toContain('/phase');
    expect(paths('相图')).toEqual(['/phase']);
    expect(paths('about')).not.toContain('*');
    const all = pagesNamed(pages, '');
    expect(new Set(all.map(({ title }) => title.en)).size).toBe(all.length);
    expect(all.some(({ path }) => path.includes(':') || path === '*')).toBe(false);
  });
});
