// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { Suspense, useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PanelBoundary } from '../components/failure.tsx';
import { renderInApp } from '../testing/render.tsx';
import { lazyPart } from './lazy-part.tsx';
import { useNear } from './use-near.ts';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('a part that could not be fetched shows an error, and is fetched again on demand', async () => {
  let isDown = true;
  const Part = lazyPart(async () => {
    if (isDown) throw new TypeError('Failed to fetch dynamically imported module');
    return ({ name }: { readonly name: string }) => <p>Hello {name}</p>;
  });
  await renderInApp(
    <PanelBoundary>
      <Suspense>
        <Part name="Ada" />
      </Suspense>
    </PanelBoundary>,
  );
  await screen.findByText(/The server cannot be reached/);
  isDown = false;
  screen.getByRole('button', { name: 'Try again' }).click();
  expect(await screen.findByText('Hello Ada')).toBeTruthy();
});

it('an interrupted fetch is retried before an error is shown', async () => {
  let fetches = 0;
  const Part = lazyPart(async () => {
    fetches++;
    if (fetches === 1) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <p>Hello Ada</p>;
  });
  await renderInApp(
    <PanelBoundary>
      <Suspense>
        <Part />
      </Suspense>
    </PanelBoundary>,
  );
  expect(await screen.findByText('Hello Ada')).toBeTruthy();
  expect(fetches).toBe(2);
});

/** The window as reported by the browser: 823 px tall, with the element `top` px below its upper edge. */
let top = 0;
class Window implements Pick<IntersectionObserver, 'observe' | 'disconnect'> {
  readonly #tell: IntersectionObserverCallback;
  readonly #margin: number;
  constructor(tell: IntersectionObserverCallback, { rootMargin = '0px' }: IntersectionObserverInit = {}) {
    this.#tell = tell;
    this.#margin = Number.parseFloat(rootMargin);
  }
  observe(): void {
    const isIntersecting = top < 823 + this.#margin;
    this.#tell([{ isIntersecting } as IntersectionObserverEntry], this as unknown as IntersectionObserver);
  }
  disconnect(): void {}
}

function Chart() {
  const place = useRef<HTMLDivElement>(null);
  return <div ref={place}>{useNear(place) ? 'drawn' : 'not yet'}</div>;
}

const openWindow = (width: number): void => {
  vi.stubGlobal('IntersectionObserver', Window);
  vi.stubGlobal('matchMedia', () => ({ matches: width < 800 }));
};
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([412, 1440])('content in the first screen is rendered at once, %d px wide', (width) => {
  openWindow(width);
  top = 580;
  render(<Chart />);
  expect(screen.queryByText('drawn')).not.toBeNull();
});

it('a desktop also renders content near the viewport', () => {
  openWindow(1440);
  top = 1034;
  render(<Chart />);
  expect(screen.queryByText('drawn')).not.toBeNull();
});

it("a phone renders content below its screen after the visitor's first interaction", () => {
  openWindow(412);
  top = 1034;
  render(<Chart />);
  expect(screen.queryByText('not yet')).not.toBeNull();
  act(() => void dispatchEvent(new Event('scroll')));
  expect(screen.queryByText('drawn')).not.toBeNull();
});
