// @vitest-environment happy-dom
import { listNets, netById } from '@unitcell/tight-binding';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import {
  degreesOf,
  filterNets,
  LatticePicker,
  NO_FILTER,
  planeGroupsOf,
  SITE_CLASSES,
} from './lattice-picker.tsx';

afterEach(cleanup);

async function open() {
  const pick = vi.fn<(net: { readonly id: string }) => void>();
  await renderInApp(<LatticePicker net={netById('kgm')} onPick={pick} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /kgm/ }));
  const dialog = within(await screen.findByRole('dialog'));
  const box = await dialog.findByRole('combobox', { name: 'Search lattices' });
  box.focus();
  // The filter selects have options too.
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

it('Enter uses the typed text, and an exact name comes first', async () => {
  const { pick, user } = await open();
  await user.keyboard('honeycomb{Enter}');
  expect(pick.mock.calls.map(([net]) => net.id)).toEqual(['hcb']);
});

it('arrows move by one lattice and stop at the first; with text they move the caret', async () => {
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

it('the picker says that nothing is found; Enter then selects nothing', async () => {
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

  it('assigns every net to one class of sites', () => {
    const counts = Object.keys(SITE_CLASSES).map((sites) => ids({ sites }).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(nets.length);
    expect(degreesOf(nets)).toContain('3');
    expect(planeGroupsOf(nets)).toContain('p4gm');
  });
});
