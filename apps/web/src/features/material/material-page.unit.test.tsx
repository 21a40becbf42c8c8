// @vitest-environment happy-dom
import { orderedSite, type Structure } from '@unitcell/crystal';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { recordedMaterial as rutile } from '../../testing/recorded-material.ts';
import { renderInApp } from '../../testing/render.tsx';
import { CrystalViewer } from '../../viz/crystal-viewer/crystal-viewer.tsx';
import { cellSection } from './sections/cell-section.tsx';
import { elasticSection } from './sections/elastic-section.tsx';
import { MaterialHeader } from './material-header.tsx';

afterEach(cleanup);

const rowsOf = (name: string): string[] =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(': '));

describe('the energies of a material', () => {
  it('are on their scales, the measured enthalpy has its own name, and one line lists the missing values', async () => {
    await renderInApp(<cellSection.Component material={rutile} />);
    expect(rowsOf('Energies')).toEqual([
      'Formation energy PBE (MP 2018): −3.4821 eV/atom',
      'Above hull PBE (MP 2018): 0.0367 eV/atom',
      'Enthalpy of formation experiment, 298 K: −3.2613 eV/atom',
      'Above hull experiment, 298 K: 0 eV/atom',
      'energy, energy per atom, vdW energy, vdW energy per atom: not given by this source',
    ]);
  });

  it('against oxygen and in water are those of the scale of the page', async () => {
    await renderInApp(<cellSection.Component material={rutile} />);
    expect(rowsOf('In air and water')).toEqual([
      'Lowest oxygen potential PBE (MP 2018): −4.481 eV',
      'Highest oxygen potential PBE (MP 2018): 0 eV',
      'Decomposition energy in water PBE (MP 2018): 0.0367 eV/atom',
    ]);
  });

  it('are all shown if they are known', async () => {
    const energies = { ...rutile.energies, energy: -53.1, energy_per_atom: -8.85 };
    await renderInApp(<cellSection.Component material={{ ...rutile, energies }} />, { language: 'zh' });
    const rows = rowsOf('能量');
    expect(rows[2]).toMatch(/^生成焓 实验，298 K/);
    expect(rows.slice(-3)).toEqual([
      '总能 PBE (MP 2018): −53.1000 eV',
      '每原子能量 PBE (MP 2018): −8.8500 eV',
      '总能（vdW）、每原子能量（vdW）: 来源未提供',
    ]);
  });
});

describe('the gaps of a material', () => {
  it('each have their own name, and the heading states which one it shows', async () => {
    await renderInApp(
      <>
        <MaterialHeader material={rutile} />
        <cellSection.Component material={rutile} />
      </>,
    );
    expect(rowsOf('Band gaps')).toEqual([
      'PBE, Materials Project: 1.781 eV',
      'PBE, along the band path on this page: 1.847 eV',
      'measured: 3.03 eV',
    ]);
    const heading = screen.getAllByText('PBE, Materials Project')[0]!.closest('div')!;
    expect(heading.textContent).toBe('Band gap1.781 eVPBE, Materials Project');
  });
});

describe('the headline of a material', () => {
  it.each([
    ['en', 'metal'],
    ['zh', '金属'],
  ] as const)('calls a gap of zero by its name (%s)', async (language, word) => {
    const band_gaps = [{ of: 'listed' as const, functional: 'PBE', value: 0 }];
    await renderInApp(<MaterialHeader material={{ ...rutile, band_gaps }} />, { language });
    expect(screen.getByText(word)).toBeDefined();
  });

  it('says that a compound is known from computation only', async () => {
    const observed = { status: 'computed only', evidence: 'no report known' } as const;
    await renderInApp(<MaterialHeader material={{ ...rutile, observed }} />);
    expect(screen.getByText(/calculated only/).title).toBe('no report known');
  });
});

describe('the provenance of a section', () => {
  it('measured elastic constants are labelled as such, with temperature and unverified parts', async () => {
    const sources = rutile.sources.map((source) => ({ ...source, citation_checked: false }));
    await renderInApp(<elasticSection.Component material={{ ...rutile, sources }} />);
    const line = screen.getByRole('list').textContent;
    expect(line).toMatch(/^measured/);
    expect(line).toContain('near 300 K');
    expect(line).toContain('citation not verified');
    expect(line).not.toContain('PBE');
  });

  it('every number opens its provenance, closes again, and restores the focus', async () => {
    await renderInApp(<elasticSection.Component material={rutile} />);
    const [first, second] = screen.getAllByRole('button', { name: '269' });
    // A tensor is one tab stop.
    expect([first!.tabIndex, second!.tabIndex]).toEqual([0, -1]);
    first!.click();
    const dialog = await screen.findByRole('dialog', { name: 'C xx, xx' });
    const method = await within(dialog).findByRole('link', { name: /method/i });
    expect(method.getAttribute('href')).toBe('/methods#elastic');
    expect(dialog.textContent).toContain('measured');
    expect(dialog.textContent).toContain('Voigt and Reuss');
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

it('the viewer of a structure of one element has a disabled Polyhedra button', async () => {
  await renderInApp(<CrystalViewer structure={silicon} formula="Si" />);
  expect(screen.getByRole('button', { name: 'Polyhedra' }).matches(':disabled')).toBe(true);
});
