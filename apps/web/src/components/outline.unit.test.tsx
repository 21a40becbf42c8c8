// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { Outline } from './outline.tsx';

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
