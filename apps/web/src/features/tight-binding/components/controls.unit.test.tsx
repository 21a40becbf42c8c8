import { listNets, netById } from '@unitcell/tight-binding';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import {
  degreesOf,
  filterNets,
  LatticePicker,
  NO_FILTER,
  planeGroupsOf,
  SITE_CLASSES,
} from './lattice-picker.tsx';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { usePlayground } from '../use-playground.ts';
import { Controller } from './controller.tsx';

async function open() {
  const pick = vi.fn<(net: { readonly id: string }) => void>();
  await renderInApp(<LatticePicker net={netById('kgm')} onPick={pick} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /kgm/ }));
  const dialog = within(await screen.findByRole('dialog'));
  const box = await dialog.findByRole('combobox', { name: 'Search lattices' });
  box.focus();
  // Only the options of the listbox, because the selects of the filters have options too.
  const lattices = () => within(dialog.getByRole('listbox')).queryAllByRole('option');
  return { pick, user, lattices, box };
}
const activeId = (box: HTMLElement) => box.getAttribute('aria-activedescendant')?.split('-').at(-1);

it('the picker opens at the current lattice, so that Enter keeps it', async () => {
  const { pick, user, box } = await open();
  expect(activeId(box)).toBe('kgm');
  await user.keyboard('{Enter}');
  expect(pick.mock.calls.map(([net]) => net.id)).toEqual(['kgm']);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('in the picker, Enter uses the typed text, and an exact name comes first', async () => {
  const { pick, user } = await open();
  await user.keyboard('honeycomb{Enter}');
  expect(pick.mock.calls.map(([net]) => net.id)).toEqual(['hcb']);
});

it('in the picker, arrows move by one lattice and stop at the first; if text is typed, they move the caret', async () => {
  const { user, box, lattices } = await open();
  const before = activeId(box);
  await user.keyboard('{ArrowRight}');
  expect(activeId(box)).not.toBe(before);
  await user.keyboard('{ArrowLeft}');
  expect(activeId(box)).toBe(before);
  await user.keyboard('square');
  await waitFor(() => expect(lattices().length).toBeLessThan(90));
  const first = activeId(box);
  await user.keyboard('{ArrowRight}');
  expect(activeId(box)).toBe(first);
});

it('the picker says if nothing is found, and Enter then selects nothing', async () => {
  const { pick, user, lattices } = await open();
  await user.keyboard('nosuchlattice{Enter}');
  await waitFor(() => expect(lattices()).toHaveLength(0));
  expect(pick).not.toHaveBeenCalled();
});

const nets = listNets();
const ids = (filter: object) => filterNets(nets, { ...NO_FILTER, ...filter }).map(({ id }) => id);

describe('filterNets', () => {
  it('initially shows everything, at least the 270 lattices of the original', () => {
    expect(ids({}).length).toBe(nets.length);
    expect(nets.length).toBeGreaterThanOrEqual(270);
  });

  it('finds aliases, ignoring case and hyphens', () => {
    expect(ids({ text: 'Kagome' })[0]).toBe('kgm');
    expect(ids({ text: 'KAGOME LINE' })[0]).toBe('kagome-line');
    expect(ids({ text: 'dice' })[0]).toBe('kgd');
    expect(ids({ text: 'star' })[0]).toBe('hca');
  });

  it.each([
    ['3.12.12', 'hca'],
    ['3.12^2', 'hca'],
    ['4.8.8', 'fes'],
    ['6.6.6', 'hcb'],
    ['3.3.4.3.4', 'tts'],
    ['3.3.3.4^2', 'cem'],
  ])('finds the vertex symbol %s with and without powers', (text, id) => {
    expect(ids({ text })[0]).toBe(id);
  });

  it('puts an exact name first', () => {
    expect(ids({ text: 'lieb' })[0]).toBe('lieb');
    expect(ids({ text: 'lieb' })).toContain('lieb-5');
    expect(ids({ text: 'no such net' })).toEqual([]);
  });

  it('combines several properties', () => {
    const found = filterNets(nets, {
      ...NO_FILTER,
      isFlat: true,
      isDirac: true,
      planeGroup: 'p6mm',
      degree: '4',
    });
    expect(found.map(({ id }) => id)).toContain('kgm');
    for (const net of found) {
      expect(net.flatBands).not.toEqual([]);
      expect(net.diracPoints).not.toEqual([]);
    }
  });

  it('assigns every net to exactly one class by number of sites', () => {
    const counts = Object.keys(SITE_CLASSES).map((sites) => ids({ sites }).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(nets.length);
    expect(degreesOf(nets)).toContain('3');
    expect(planeGroupsOf(nets)).toContain('p4gm');
  });
});

describe('the controller', () => {
  /** Time in ms that the navigation guard of the page takes. */
  const GUARD_MS = 60;

  function Page() {
    const { net, controls, change } = usePlayground();
    return (
      <Controller
        net={net}
        controls={controls}
        onChange={change}
        onGenerate={() => undefined}
        onDefaults={() => undefined}
        isGenerating={false}
        remark=""
      />
    );
  }

  async function openPage(language: 'zh' | 'en', path = '/') {
    const router = createMemoryRouter(
      [
        {
          path: '/',
          Component: Page,
          HydrateFallback: () => null,
          loader: () => new Promise((answer) => setTimeout(() => answer(null), GUARD_MS)),
        },
      ],
      { initialEntries: [path] },
    );
    await renderInApp(<RouterProvider router={router} />, { language, isRouted: true });
    await pass(GUARD_MS);
    return router;
  }
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  const valueOf = (name: string) =>
    Number(screen.getByRole('slider', { name }).getAttribute('aria-valuenow'));

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  describe.each([
    ['en', 't2 ratio', [120, 310, 330, 350, 380]],
    ['zh', 't2 比值', [330]],
  ] as const)('the sliders in %s', (language, t2, rhythms) => {
    it.each(rhythms)('lose none of eight key presses %d ms apart', async (rhythm) => {
      const router = await openPage(language);
      for (let press = 0; press < 8; press++) {
        fireEvent.keyDown(screen.getByRole('slider', { name: t2 }), { key: 'ArrowRight' });
        await pass(rhythm);
      }
      expect(valueOf(t2)).toBeCloseTo(-0.2, 9);
      await pass(1000);
      expect(router.state.location.search).toContain('t2=-0.2');
    });
  });

  it('each slider keeps its value when the next ones move', async () => {
    await openPage('en');
    const onsite = `Onsite energy ${netById('kgm').orbits[0]?.symbol ?? ''}`;
    const names = screen.getAllByRole('slider').map((slider) => slider.getAttribute('aria-label') ?? '');
    const third = names.find((name) => name.includes(onsite)) ?? names[2] ?? '';
    for (const name of ['t1 ratio', 't2 ratio', third]) {
      fireEvent.keyDown(screen.getByRole('slider', { name }), { key: 'ArrowRight' });
      await pass(300);
    }
    await pass(1000);
    expect([valueOf('t1 ratio'), valueOf('t2 ratio'), valueOf(third)]).toEqual([1, -0.9, 0.5]);
  });
});
