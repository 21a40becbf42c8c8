import { act, render } from '@testing-library/react';
import { type ReactNode, use } from 'react';
import { createMemoryRouter, RouterProvider, useSearchParams } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AddressState, useAddressState } from './use-address-state.ts';

/** Time in ms that the guard of the page takes for a change of address. */
const GUARD_MS = 80;
const REST_MS = 300;

interface Opened {
  readonly page: () => AddressState<number>;
  readonly address: () => string;
  readonly goBack: () => void;
  readonly leave: () => void;
}

/** A page that keeps a number in its address as `?n=`, behind a guard that is slow like those of the site. */
async function openPage(start: string, restMs?: number, slowPart?: ReactNode): Promise<Opened> {
  let page: AddressState<number> | undefined;
  function Page() {
    page = useAddressState({
      read: (parameters) => Number(parameters.get('n') ?? 0),
      write: (n) => new URLSearchParams({ n: String(n) }),
      ...(restMs === undefined ? {} : { restMs }),
    });
    return (
      <>
        <output>{page.state}</output>
        {slowPart}
      </>
    );
  }
  const router = createMemoryRouter(
    [
      {
        path: '/',
        Component: Page,
        HydrateFallback: () => null,
        loader: () => new Promise((answer) => setTimeout(() => answer(null), GUARD_MS)),
      },
      { path: '/next', Component: () => null },
    ],
    { initialEntries: [start] },
  );
  render(<RouterProvider router={router} />);
  await pass(GUARD_MS);
  return {
    page: () => page!,
    address: () => router.state.location.search,
    goBack: () => void router.navigate(-1),
    leave: () => void router.navigate('/next?m=1'),
  };
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
});

describe('useAddressState', () => {
  it('continues a drag after a pause: its setter still works once the address was updated', async () => {
    const { page, address } = await openPage('/?n=0', REST_MS);
    // A drag keeps the callback of the rendering in which the thumb was pressed.
    const { change } = page();
    act(() => change(() => 1));
    await pass(REST_MS + GUARD_MS);
    expect(address()).toBe('?n=1');
    for (const n of [2, 3, 4]) {
      act(() => change(() => n));
      expect(page().state).toBe(n);
      await pass(40);
    }
    await pass(REST_MS + GUARD_MS);
    expect(address()).toBe('?n=4');
  });

  it.each([40, 300, 330, 360, 700])('loses none of eight steps %d ms apart', async (rhythm) => {
    const { page, address } = await openPage('/?n=0', REST_MS);
    for (let step = 0; step < 8; step++) {
      act(() => page().change((n) => n + 1));
      await pass(rhythm);
    }
    expect(page().state).toBe(8);
    await pass(REST_MS + GUARD_MS);
    expect([page().state, address()]).toEqual([8, '?n=8']);
  });

  it('applies three changes in quick succession, before the address is updated', async () => {
    const { page, address } = await openPage('/?n=0');
    act(() => {
      for (let click = 0; click < 3; click++) page().change((n) => n + 1);
    });
    expect([page().state, address()]).toEqual([3, '?n=0']);
    await pass(GUARD_MS);
    expect([page().state, address()]).toEqual([3, '?n=3']);
  });

  it('keeps a change made while a slow part still delays the page of the previous change', async () => {
    const never = new Promise<never>(() => undefined);
    function SlowPart() {
      const [parameters] = useSearchParams();
      return parameters.get('n') === '1' ? use(never) : null;
    }
    const { page, address } = await openPage('/?n=0', undefined, <SlowPart />);
    act(() => page().change(() => 1));
    await pass(GUARD_MS);
    expect(address()).toBe('?n=1');
    await act(async () => {
      page().change(() => 2);
      await Promise.resolve();
    });
    expect(document.querySelector('output')?.textContent).toBe('2');
    await pass(GUARD_MS);
    expect([document.querySelector('output')?.textContent, address()]).toEqual(['2', '?n=2']);
  });

  it('follows the address when other code changes it', async () => {
    const { page, goBack } = await openPage('/?n=5');
    act(() => page().change(() => 6));
    await pass(GUARD_MS);
    goBack();
    await pass(GUARD_MS);
    expect(page().state).toBe(5);
    act(() => page().go(new URLSearchParams({ n: '9' })));
    await pass(GUARD_MS);
    expect(page().state).toBe(9);
  });

  it('goes to an address even if a change waits to be written and the guard of the page is slow', async () => {
    const { page, address } = await openPage('/?n=0', GUARD_MS / 2);
    act(() => page().change(() => 1));
    act(() => page().go(new URLSearchParams({ n: '9' })));
    await pass(3 * GUARD_MS);
    expect([page().state, address()]).toEqual([9, '?n=9']);
  });

  it('a change that is quickly reverted ends at the start value', async () => {
    const { page, address, goBack } = await openPage('/?n=5');
    act(() => page().change(() => 6));
    await pass(GUARD_MS / 2);
    act(() => page().change(() => 5));
    await pass(2 * GUARD_MS);
    expect([page().state, address()]).toEqual([5, '?n=5']);
    act(() => page().change(() => 6));
    await pass(GUARD_MS);
    goBack();
    await pass(GUARD_MS);
    expect(page().state).toBe(5);
  });

  it('writes the last step of a drag before the browser follows a plain link', async () => {
    vi.spyOn(history, 'replaceState');
    const { page } = await openPage('/?n=0', REST_MS);
    render(<a href="/next">Next</a>);
    act(() => page().change(() => 1));
    const link = document.querySelector('a')!;
    link.addEventListener('click', (event) => event.preventDefault());
    act(() => link.click());
    expect(history.replaceState).toHaveBeenCalledExactlyOnceWith(history.state, '', '?n=1');
    await pass(REST_MS + GUARD_MS);
    act(() => link.click());
    expect(history.replaceState).toHaveBeenCalledOnce();
  });

  it('does not change the address after the visitor has left the page', async () => {
    const { page, address, leave } = await openPage('/?n=5');
    const { change, go } = page();
    leave();
    await pass(GUARD_MS);
    act(() => change(() => 6));
    act(() => go(new URLSearchParams({ n: '7' })));
    await pass(GUARD_MS);
    expect(address()).toBe('?m=1');
  });
});
