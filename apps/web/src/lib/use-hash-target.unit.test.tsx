import { render } from '@testing-library/react';
import { useRef } from 'react';
import { expect, it, vi } from 'vitest';
import { idInHash, useHashTarget } from './use-hash-target.ts';

function Page() {
  const content = useRef<HTMLDivElement>(null);
  useHashTarget('#below', content);
  return (
    <div ref={content}>
      <p id="below" />
    </div>
  );
}

it('the element named in the address stays in view while the page grows, until the visitor scrolls', () => {
  const observers: { grow: () => void; isConnected: boolean }[] = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly own;
      constructor(grow: () => void) {
        this.own = { grow, isConnected: true };
      }
      observe(): void {
        observers.push(this.own);
      }
      disconnect(): void {
        this.own.isConnected = false;
      }
    },
  );
  const shown: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function show(this: Element) {
    shown.push(this.id);
  });
  render(<Page />);
  expect(shown).toEqual(['below']);
  observers[0]?.grow();
  expect(shown).toEqual(['below', 'below']);
  dispatchEvent(new Event('wheel'));
  expect(observers.map(({ isConnected }) => isConnected)).toEqual([false]);
});

it('the id in an address is decoded, or used unchanged if its encoding is invalid', () => {
  expect(['#below', '#%E6%9D%90', '#%', '#a%E6', ''].map(idInHash)).toEqual(['below', '材', '%', 'a%E6', '']);
});
