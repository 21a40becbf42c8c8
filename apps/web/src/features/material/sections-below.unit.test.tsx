// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { recordedMaterial as material } from '../../testing/recorded-material.ts';
import { renderInApp } from '../../testing/render.tsx';
import type { MaterialSection } from './material-section.ts';
import { SectionsBelow } from './sections-below.tsx';

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
