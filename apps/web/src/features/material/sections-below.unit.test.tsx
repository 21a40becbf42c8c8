// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { recordedMaterial as material } from '../../testing/recorded-material.ts';
import { renderInApp } from '../../testing/render.tsx';
import type { MaterialSection } from './material-section.ts';
import { Outline, SectionsBelow } from './sections-below.tsx';

const section = (id: string): MaterialSection => ({
  id,
  title: { en: id, zh: id },
  Component: () => <p>{`content of ${id}`}</p>,
});

/** An IntersectionObserver that reports nothing as visible. */
class NothingInSight {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

const twoSections = [section('bands'), section('patterns')];

let opened = 0;

async function openBelow(width: number, sections: readonly MaterialSection[] = twoSections): Promise<void> {
  // A new address counts as a new page without any interaction so far.
  history.replaceState(null, '', `/below/${++opened}`);
  vi.stubGlobal('IntersectionObserver', NothingInSight);
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('799.98') && width < 800,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  await renderInApp(
    <SectionsBelow material={material} above={[]} sections={sections} answers={new Map()} isAtOnce={false} />,
  );
}
afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
});

it('a desktop renders the sections of a material without interaction', async () => {
  await openBelow(1440);
  expect(await screen.findByText('content of patterns')).toBeDefined();
});

it('a phone renders sections outside the viewport after an interaction, and reserves their space until then', async () => {
  await openBelow(412);
  // A placeholder that waits for the visitor is not busy.
  expect(document.getElementById('patterns')?.getAttribute('aria-busy')).toBe('false');
  expect(screen.queryByText(/content of/)).toBeNull();
  act(() => void dispatchEvent(new Event('scroll')));
  await screen.findByText('content of patterns');
  expect(screen.getByText('content of bands')).toBeDefined();
});

it('a section contained in another appears once, in that one, before and after both render', async () => {
  const bands: MaterialSection = {
    ...section('bands'),
    Component: () => (
      <section id="bands">
        <div id="zone">zone beside its bands</div>
      </section>
    ),
  };
  const zone: MaterialSection = { ...section('zone'), within: () => 'bands' };
  await openBelow(412, [bands, zone]);
  const places = () => [...document.querySelectorAll('#zone')].map((place) => place.parentElement?.id);
  expect(places()).toEqual(['bands']);
  const counts = new Set<number>();
  new MutationObserver(() => counts.add(places().length)).observe(document.body, {
    childList: true,
    subtree: true,
  });
  act(() => void dispatchEvent(new Event('scroll')));
  await screen.findByText('zone beside its bands');
  expect(places()).toEqual(['bands']);
  expect([...counts]).toEqual([1]);
  expect(screen.getByRole('link', { name: 'zone' }).getAttribute('href')).toBe('#zone');
});

/** Tops and heights of the sections of a page, in px from its start. */
const SECTIONS = {
  structure: [0, 800],
  bands: [800, 600],
  // Beside the bands, slightly lower.
  zone: [894, 500],
  phases: [1400, 900],
  topology: [2300, 200],
  more: [2500, 100],
} as const;
const entries = Object.keys(SECTIONS).map((id) => ({ id, title: id }));
const PAGE_HEIGHT = 2600;
const WINDOW_HEIGHT = 700;

let place = 0;

async function openPage(hash = '') {
  vi.stubGlobal('innerHeight', WINDOW_HEIGHT);
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(PAGE_HEIGHT);
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => place);
  location.hash = hash;
  await renderInApp(
    <>
      <Outline label="On this page" entries={entries} />
      {entries.map(({ id }) => (
        <section key={id} id={id} />
      ))}
    </>,
  );
  for (const [id, [top, height]] of Object.entries(SECTIONS))
    vi.spyOn(document.getElementById(id)!, 'getBoundingClientRect').mockImplementation(
      () => new DOMRect(0, top - place, 900, height),
    );
}

const markedAt = (scrolled: number): string | null => {
  place = scrolled;
  act(() => void dispatchEvent(new Event('scroll')));
  return (
    screen.getAllByRole('link').find((link) => link.ariaCurrent ?? link.getAttribute('aria-current'))
      ?.textContent ?? null
  );
};

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  location.hash = '';
});

describe('the outline of a page', () => {
  it('marks the section being read, not the next one that is already visible', async () => {
    await openPage();
    expect([0, 300, 730, 1330].map(markedAt)).toEqual(['structure', 'structure', 'bands', 'phases']);
  });

  it('marks the first of two side by side, unless the other was the jump target', async () => {
    await openPage();
    expect(markedAt(760)).toBe('bands');
    cleanup();
    await openPage('#zone');
    expect(markedAt(822)).toBe('zone');
  });

  it('marks the jump target at the end of the page, else the last section', async () => {
    await openPage();
    expect(markedAt(PAGE_HEIGHT - WINDOW_HEIGHT)).toBe('more');
    cleanup();
    await openPage('#topology');
    expect(markedAt(PAGE_HEIGHT - WINDOW_HEIGHT)).toBe('topology');
  });
});
