// @vitest-environment happy-dom
import { getStructDetail, materialDetail, type MaterialDetail } from '@unitcell/contract';
import { orderedSite, type Structure } from '@unitcell/crystal';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { cellSection } from '../sections/cell-section.tsx';
import { MaterialHeader } from './material-header.tsx';

afterEach(cleanup);

/** Rutile as the contract shows it. */
const rutile: MaterialDetail = materialDetail.parse(getStructDetail.example?.response);

const rowsOf = (name: string): string[] =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(': '));

describe('the energies of a material', () => {
  it('of which a source gives only the formation energy: that, and one line for what it does not give', async () => {
    await renderInApp(<cellSection.Component material={rutile} />);
    const rows = rowsOf('Energies');
    expect(rows.slice(0, 2).map((row) => row.split(':')[0])).toEqual(['Formation energy', 'Above hull']);
    expect(rows.slice(2)).toEqual([
      'energy, energy per atom, vdW energy, vdW per atom: not given by this source',
    ]);
  });

  it('are all there when they are known', async () => {
    const energies = { ...rutile.energies, energy: -53.1, energy_per_atom: -8.85 };
    await renderInApp(<cellSection.Component material={{ ...rutile, energies }} />, { language: 'zh' });
    const rows = rowsOf('能量');
    expect(rows.slice(2)).toEqual([
      '总能: −53.1000 eV',
      '每原子能量: −8.8500 eV',
      'vdW 总能, vdW 每原子能量: 来源未提供',
    ]);
  });
});

describe('the headline of a material', () => {
  it.each([
    ['en', 'metal'],
    ['zh', '金属'],
  ] as const)('calls a gap of zero by its name (%s)', async (language, word) => {
    await renderInApp(<MaterialHeader material={{ ...rutile, band_gap: 0 }} />, { language });
    expect(screen.getByText(word)).toBeDefined();
  });
});

const silicon: Structure = {
  latticeVectors: [
    [0, 2.7155, 2.7155],
    [2.7155, 0, 2.7155],
    [2.7155, 2.7155, 0],
  ],
  sites: [orderedSite('Si', [0, 0, 0]), orderedSite('Si', [0.25, 0.25, 0.25])],
};

it('the viewer of a structure of one element has its Polyhedra button too, without a use', async () => {
  await renderInApp(<CrystalViewer structure={silicon} formula="Si" />);
  expect(screen.getByRole('button', { name: 'Polyhedra' }).matches(':disabled')).toBe(true);
});
