import { orderedSite, type Structure } from '@unitcell/crystal';
import { act, cleanup, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { recordedMaterial as material, recordedMaterial as rutile } from '../../testing/recorded-material.ts';
import { renderInApp } from '../../testing/render.tsx';
import { CrystalViewer } from '../../viz/crystal-viewer/crystal-viewer.tsx';
import { CompareTable } from './compare/compare-table.tsx';
import { pbeBandsSection } from './sections/bands-section.tsx';
import { cellSection } from './sections/cell-section.tsx';
import { elasticSection } from './sections/elastic-section.tsx';
import { MaterialHeader } from './material-detail-view.tsx';
import type { MaterialSection } from './material-section.ts';
import { Outline } from '../../components/outline.tsx';
import { SectionsBelow } from './sections-below.tsx';

const rowsOf = (name: string): string[] =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent).join(': '));

describe('the energies of a material', () => {
  it('name their scales, the measured enthalpy has its own name, and one line lists the missing values', async () => {
    await renderInApp(<cellSection.Component material={rutile} />);
    expect(rowsOf('Energies')).toEqual([
      'Formation energy PBE (MP 2018): −3.4821 eV/atom',
      'Above hull PBE (MP 2018): 0.0367 eV/atom',
      'Enthalpy of formation experiment, 298 K: −3.2613 eV/atom',
      'Above hull experiment, 298 K: 0 eV/atom',
      'Energy · Energy per atom · vdW energy · vdW energy per atom: not given by this source',
    ]);
  });

  it('against oxygen and in water are on the scale of the page', async () => {
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
      '总能（vdW） · 每原子能量（vdW）: 来源未提供',
    ]);
  });
});

describe('the comparison of polymorphs', () => {
  it.each([
    ['en', 'anatase'],
    ['zh', '锐钛矿'],
  ] as const)('names each one, because their formulas are the same, in %s', async (language, name) => {
    const anatase = { ...rutile, struct_id: 143, names: { en: 'anatase', zh: '锐钛矿' } };
    await renderInApp(
      <CompareTable materials={[rutile, anatase]} scale="PBE (MP 2018)" onRemove={() => undefined} />,
      { language },
    );
    expect(screen.getByRole('columnheader', { name: /143/ }).textContent).toContain(name);
  });
});

it('a saved comparison states the release, and programs can read its numbers', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob);
    return 'blob:';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const other = { ...rutile, struct_id: 143, energy_scales: [] };
  await renderInApp(
    <CompareTable materials={[rutile, other]} scale="PBE (MP 2018)" onRemove={() => undefined} />,
  );
  screen.getByRole('button', { name: 'Table as CSV' }).click();
  vi.restoreAllMocks();
  const lines = (await saved[0]!.text()).split('\r\n');
  expect(lines.find((line) => line.startsWith('Formation energy'))).toMatch(/,eV\/atom,-3\.\d+,$/);
  expect(lines).toContain(`# ${rutile.struct_id} release: ${rutile.release!.id} of ${rutile.release!.date}`);
});

describe('the gaps of a material', () => {
  it('have different names, and the heading names the gap that it shows', async () => {
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

  it('are not repeated beside the bands of the same calculation', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    const works = rutile.sources.find(({ section }) => section === 'bands')?.works ?? [];
    const sources = rutile.sources.map((source) =>
      source.section === 'band_gap' ? { ...source, works } : source,
    );
    const listed = rutile.band_gaps.find((gap) => gap.of === 'listed')!;
    const bands = rutile.band_gaps.find((gap) => gap.of === 'bands')!;
    const band_gaps = [{ ...listed, value: bands.value }, bands];
    await renderInApp(<pbeBandsSection.Component material={rutile} />);
    expect(screen.getByText(/Other gaps of this material/)).toBeDefined();
    cleanup();
    await renderInApp(<pbeBandsSection.Component material={{ ...rutile, sources, band_gaps }} />);
    expect(screen.queryByText(/Other gaps of this material/)).toBeNull();
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

  it('says if a compound is known from computation only', async () => {
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
    // All numbers of a tensor are one tab stop.
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

const section = (id: string): MaterialSection => ({
  id,
  title: { en: id, zh: id },
  Component: () => <p>{`content of ${id}`}</p>,
});

/** An IntersectionObserver that reports nothing as visible. */
class NothingInSight {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

const twoSections = [section('bands'), section('patterns')];

let opened = 0;

async function openBelow(width: number, sections: readonly MaterialSection[] = twoSections): Promise<void> {
  // A new address makes the page count as new, without any interaction so far.
  history.replaceState(null, '', `/below/${++opened}`);
  vi.stubGlobal('IntersectionObserver', NothingInSight);
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('799.98') && width < 800,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  await renderInApp(
    <SectionsBelow material={material} above={[]} sections={sections} answers={new Map()} isAtOnce={false} />,
  );
}
afterEach(() => {
  history.replaceState(null, '', '/');
});

it('a desktop renders the sections of a material without waiting for an interaction', async () => {
  await openBelow(1440);
  expect(await screen.findByText('content of patterns')).toBeDefined();
});

it('a phone renders sections outside the viewport after an interaction, and reserves their space until then', async () => {
  await openBelow(412);
  // A placeholder must not be marked as busy while it waits for the visitor.
  expect(document.getElementById('patterns')?.getAttribute('aria-busy')).toBe('false');
  expect(screen.queryByText(/content of/)).toBeNull();
  act(() => void dispatchEvent(new Event('scroll')));
  await screen.findByText('content of patterns');
  expect(screen.getByText('content of bands')).toBeDefined();
});

it('a section contained in another section is shown only inside it, before and after both render', async () => {
  const bands: MaterialSection = {
    ...section('bands'),
    Component: () => (
      <section id="bands">
        <div id="zone">zone beside its bands</div>
      </section>
    ),
  };
  const zone: MaterialSection = { ...section('zone'), within: () => 'bands' };
  await openBelow(412, [bands, zone]);
  const places = () => [...document.querySelectorAll('#zone')].map((place) => place.parentElement?.id);
  expect(places()).toEqual(['bands']);
  const counts = new Set<number>();
  new MutationObserver(() => counts.add(places().length)).observe(document.body, {
    childList: true,
    subtree: true,
  });
  act(() => void dispatchEvent(new Event('scroll')));
  await screen.findByText('zone beside its bands');
  expect(places()).toEqual(['bands']);
  expect([...counts]).toEqual([1]);
  expect(screen.getByRole('link', { name: 'zone' }).getAttribute('href')).toBe('#zone');
});

/** Tops and heights of the sections of a page, in px from its start. */
const SECTIONS = {
  structure: [0, 800],
  bands: [800, 600],
  // Right of the bands, slightly lower.
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
  location.hash = '';
});

describe('the outline of a page', () => {
  it('marks the section being read, not the next one that is already visible', async () => {
    await openPage();
    expect([0, 300, 730, 1330].map(markedAt)).toEqual(['structure', 'structure', 'bands', 'phases']);
  });

  it('is drawn even if the fragment of the address has an invalid encoding', async () => {
    await openPage('#%');
    expect(markedAt(760)).toBe('bands');
    expect(markedAt(PAGE_HEIGHT - WINDOW_HEIGHT)).toBe('more');
  });

  it('marks the first of two sections side by side, unless the second was the jump target', async () => {
    await openPage();
    expect(markedAt(760)).toBe('bands');
    cleanup();
    await openPage('#zone');
    expect(markedAt(822)).toBe('zone');
  });

  it('marks the jump target if it is at the end of the page, otherwise the last section', async () => {
    await openPage();
    expect(markedAt(PAGE_HEIGHT - WINDOW_HEIGHT)).toBe('more');
    cleanup();
    await openPage('#topology');
    expect(markedAt(PAGE_HEIGHT - WINDOW_HEIGHT)).toBe('topology');
  });
});
