import { act, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { expect, it, vi } from 'vitest';
import { useNear } from './use-near.ts';

/** A fake IntersectionObserver: the window is 823 px high, and the element is `top` px below its upper edge. */
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
  // An interaction on another page, which another test of this worker may have made, does not count here.
  history.replaceState(null, '', '/without-an-interaction');
  render(<Chart />);
  expect(screen.queryByText('not yet')).not.toBeNull();
  act(() => void dispatchEvent(new Event('scroll')));
  expect(screen.queryByText('drawn')).not.toBeNull();
});
