// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useScrollToResults } from './tool-page.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** Scroll positions after an answer, for results that start at a given px below the top of the window. */
function scrolledFor(top: number): readonly unknown[] {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.stubGlobal('innerHeight', 900);
  const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const element = document.body.appendChild(document.createElement('section'));
  vi.spyOn(element, 'getBoundingClientRect').mockReturnValue({ top } as DOMRect);
  const idle = { isFetching: false, data: undefined as unknown };
  const { result, rerender } = renderHook((search: typeof idle) => useScrollToResults(search), {
    initialProps: idle,
  });
  result.current.results.current = element;
  result.current.startWaiting();
  rerender({ isFetching: true, data: undefined });
  rerender({ isFetching: false, data: [] });
  return scrollTo.mock.calls;
}

it('the page does not scroll if the results are already in view, so that the query stays visible', () => {
  expect(scrolledFor(300)).toEqual([]);
});

it('the page scrolls to results below the fold', () => {
  expect(scrolledFor(1400)).toHaveLength(1);
});
