// @vitest-environment node
import { readFileSync } from 'node:fs';
import { RADIATION_SOURCES } from '@unitcell/diffraction';
import {
  type MaterialDetail,
  type MaterialRecord,
  type RecordComparison,
  type SectionSource,
} from '@unitcell/contract/matdata';
import { describe, expect, it } from 'vitest';
import { gapLabel } from '../detail-view-model.ts';
import { citationBibtex, citationText } from './cite-section.tsx';
import { functionalOf } from './more-section.tsx';
import { originOf } from '../sources-view-model.ts';
import { largestComponent, statedDecimals } from './tensor-view-model.ts';
import { atomicPositions, dayOf, occupiedPositions } from '../detail-view-model.ts';
import { cellText, columnKey, hasTopology, topologyWord } from './topology-section.tsx';
import { CUSTOMIZED, DEFAULT_SOURCE, sourceNames, wavelengthText } from './xrd-view-model.ts';
import { readNumber } from '../../../lib/format.ts';
import { recordedMaterial as example } from '../../../testing/recorded-material.ts';
import { amountText, comparedRows, differenceText, valueText } from './records-section.tsx';
import { brillouinZoneSection } from './bands-section.tsx';

const record = (id: number, shown: readonly string[]): MaterialRecord => ({
  id,
  own_id: null,
  source: { name: `source ${id}`, id: '', licence: '', url: null },
  imported_at: '2026-11-22T00:00:00Z',
  space_group: 'P4_2/mnm',
  shown: [...shown],
});
const RECORDS = [record(1, ['bandGap']), record(2, ['structure']), record(3, [])];
const row = (fields: Partial<RecordComparison>): RecordComparison => ({
  property: 'band_gap',
  of: '',
  unit: 'eV',
  values: [1.781, null, 3.3],
  spread: 1.519,
  bound: 0.3,
  is_relative: false,
  is_disagreement: true,
  ...fields,
});

it('the difference from the value on the page is stated in the unit of the value or in per cent', () => {
  const gap = row({});
  expect([0, 1, 2].map((at) => differenceText(gap, at, RECORDS))).toEqual(['', '', '+1.52 eV']);
  const volume = row({
    property: 'volume_per_atom',
    unit: 'Å³/atom',
    values: [9.9, 10, 10.4],
    is_relative: true,
  });
  expect([0, 1, 2].map((at) => differenceText(volume, at, RECORDS))).toEqual(['−1.0 %', '', '+4.0 %']);
  expect(differenceText(row({ property: 'k_vrh' }), 2, RECORDS)).toBe('');
});

it('a missing value is a dash, and a spread has a unit or is in per cent', () => {
  expect(valueText(row({}), null)).toBe('-');
  expect(amountText(row({}), 1.519)).toBe('1.5 eV');
  expect(amountText(row({ is_relative: true }), 0.15)).toBe('15 %');
});

it('only values with two sources are compared', () => {
  const alone = row({ values: [1.781, null, null] });
  expect(comparedRows([row({}), alone])).toEqual([row({})]);
});

it.each([
  ['block', 'block', 'bands-pbe'],
  ['block', 'none', 'bands-pbe'],
  ['none', 'block', 'bands-hse'],
  ['none', 'none', null],
] as const)('with PBE bands %s and HSE bands %s the zone is in %s', (pbe, hse, holder) => {
  const elec_diagram = {
    ...example.elec_diagram,
    pbe_elec_diagram_display: pbe,
    hse_elec_diagram_display: hse,
  };
  expect(brillouinZoneSection.within?.({ ...example, elec_diagram })).toBe(holder);
});

describe('the source list', () => {
  it('has 24 sources, neutrons and a user-defined one, Cu Kα first', () => {
    expect(sourceNames(DEFAULT_SOURCE)).toHaveLength(RADIATION_SOURCES.length + 2);
    expect(sourceNames(DEFAULT_SOURCE)[0]).toBe('CuKα');
    expect(sourceNames(DEFAULT_SOURCE).at(-1)).toBe(CUSTOMIZED);
  });

  it('moves the chosen source to the front and keeps the others in order', () => {
    const names = sourceNames('MoKα');
    expect(names.slice(0, 3)).toEqual(['MoKα', 'CuKα', 'CuKα2']);
    expect(new Set(names).size).toBe(names.length);
  });

  it('fills the wavelength box, and leaves it empty for a user-defined wavelength', () => {
    expect(wavelengthText('AgKα')).toBe('0.560885');
    expect(wavelengthText(CUSTOMIZED)).toBe('');
  });
});

describe('readNumber', () => {
  it.each([
    [' 1.54184 ', 1.54184],
    ['1,54', 1.54],
    ['-3', -3],
    ['−0.35', -0.35],
    ['0', 0],
    ['', null],
    ['abc', null],
    ['NaN', null],
    ['1e400', null],
  ])('reads %o as %o', (typed, value) => {
    expect(readNumber(typed)).toBe(value);
  });
});

describe('the topological table', () => {
  it('translates only the known columns', () => {
    expect(columnKey('Class')).toBe('class');
    expect(columnKey('toString')).toBeNull();
  });

  it('shows values of any kind as text', () => {
    expect([null, '', 0, [1, 2], 'TI'].map(cellText)).toEqual(['-', '-', '0', '[1,2]', 'TI']);
  });

  it('is shown if the answer contains it', () => {
    expect(hasTopology({ is_topo_display: true })).toBe(true);
    expect([undefined, null, 'x', { is_topo_display: false }].some(hasTopology)).toBe(false);
  });
});

it('the functional of an entry with Hubbard corrections is PBE+U, whatever the name of its energy scale', () => {
  const energy = { section: 'energy', of: 'PBE (MP 2018)', method: [{ key: 'functional', value: 'PBE' }] };
  const entry = { run_type: 'PBE (MP 2018)', sources: [energy as SectionSource] };
  expect(functionalOf({ ...entry, hubbards: { Fe: 5.3 } })).toBe('PBE+U');
  expect(functionalOf({ ...entry, hubbards: {} })).toBe('PBE');
});

describe('citations', () => {
  const entry = {
    struct_id: 193,
    formula: 'GaAs',
    symmetry_data: { space_group: 'F-43m', space_group_number: 216 } as MaterialDetail['symmetry_data'],
    run_type: 'PBE (MP 2018)',
    release: { id: 2, date: '2026-11-21T05:08:11+00:00' },
    source: { name: 'Materials Project', id: 'mp-2534', licence: 'CC BY 4.0', url: null },
    sources: [] as MaterialDetail['sources'],
  };
  const context = { origin: 'https://cells.example', accessed: '2026-12-01' };

  it('names entry, release, source and address', () => {
    expect(citationText(entry, context)).toBe(
      'Unitcell entry 193: GaAs, space group F-43m (216); release 2 of 2026-11-21; data from Materials Project mp-2534 (CC BY 4.0). https://cells.example/matdatades/193 (accessed 2026-12-01).',
    );
  });

  it('is BibTeX with one key per release and without unescaped special characters', () => {
    const odd = { ...entry, source: { ...entry.source, name: 'A & B_C 100%' } };
    const bibtex = citationBibtex(odd, context);
    expect(bibtex).toMatch(/^@misc\{unitcell-193-r2,\n/);
    expect(bibtex).toContain('A \\& B\\_C 100\\%');
    expect(bibtex).toContain('year = {2026}');
    expect(bibtex.match(/[{]/g)).toHaveLength(bibtex.match(/[}]/g)!.length);
  });

  const article = {
    text: 'Tang et al., Nature 566, 486 (2019)',
    url: 'https://doi.org/10.1038/s41586-019-0937-5',
  };
  const part = (section: SectionSource['section'], change: Partial<SectionSource> = {}): SectionSource => ({
    section,
    of: '',
    kinds: ['calculated'],
    statement: 'as stated',
    is_derived: false,
    method: [],
    licence: 'CC BY 4.0',
    works: [article],
    citation_checked: true,
    ...change,
  });
  const sourced = {
    ...entry,
    sources: [
      part('energy'),
      part('topology', { citation_checked: false }),
      part('xrd', { is_derived: true }),
      part('elastic', {
        works: [{ text: 'Bell & Rupprecht, Phys. Rev. 129, 90 (1963)', url: null }],
        citation_checked: false,
      }),
      part('structure', {
        works: [{ text: 'Materials Project mp-1', url: 'https://materialsproject.org/materials/mp-1' }],
      }),
    ],
  };

  it('cite each source once, with the data it covers and whether it was verified', () => {
    const lines = citationText(sourced, context).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toBe(
      'Tang et al., Nature 566, 486 (2019). https://doi.org/10.1038/s41586-019-0937-5 [energy, topology]',
    );
    expect(lines[2]).toBe('Bell & Rupprecht, Phys. Rev. 129, 90 (1963). [elastic; citation not checked]');
    expect(originOf(sourced.sources)).toContainEqual([
      'source',
      'elastic, calculated: as stated; citation not checked',
    ]);
    expect(originOf(sourced.sources).filter(([label]) => label === 'licence')).toHaveLength(1);
  });

  it('are BibTeX records of the right type: articles with authors, journal, pages and DOI', () => {
    const bibtex = citationBibtex(sourced, context);
    expect(bibtex.match(/^@\w+/gm)).toEqual(['@misc', '@article', '@article', '@misc']);
    expect(bibtex).toContain('author = {Tang and others}');
    expect(bibtex).toContain('author = {Bell and Rupprecht}');
    expect(bibtex).toContain('doi = {10.1038/s41586-019-0937-5}');
    expect(bibtex).toContain('pages = {90}');
    expect(bibtex.match(/[{]/g)).toHaveLength(bibtex.match(/[}]/g)!.length);
    expect(new Set(bibtex.match(/^@\w+\{[^,]+/gm)).size).toBe(4);
  });

  it('omit unverified values and values calculated for this database', () => {
    const quoted = {
      ...entry,
      sources: [
        part('band_gap', {
          kinds: [],
          statement: 'commonly quoted, not looked up',
          works: [],
          citation_checked: false,
        }),
        part('energy', { works: [{ text: 'computed for Unitcell batch run SrTiO3', url: null }] }),
        part('topology'),
      ],
    };
    expect(citationText(quoted, context).split('\n').slice(1)).toEqual([
      'Tang et al., Nature 566, 486 (2019). https://doi.org/10.1038/s41586-019-0937-5 [topology]',
    ]);
    const t = ((key: string) => key) as Parameters<typeof gapLabel>[2];
    const gap = { value: 3.25, functional: '' };
    expect(gapLabel({ of: 'quoted', ...gap }, quoted.sources[0], t)).toBe('gapQuoted');
    expect(gapLabel({ of: 'measured', ...gap }, part('band_gap', { kinds: ['measured'] }), t)).toBe(
      'gapMeasured',
    );
  });

  it('is complete if the entry has no release', () => {
    expect(citationText({ ...entry, release: null }, context)).not.toContain('release');
    expect(citationBibtex({ ...entry, release: null }, context)).toContain('@misc{unitcell-193,');
  });
});

describe('largestComponent', () => {
  it('is the first of the largest magnitude, and null for a zero tensor', () => {
    expect(
      largestComponent([
        [0, 0.2],
        [-0.5, 0.5],
      ]),
    ).toEqual({ row: 1, column: 0, value: -0.5 });
    expect(largestComponent([[0, 0]])).toBeNull();
  });
});

describe('the digits of a tensor', () => {
  it('are as many as in the source, not always three decimals', () => {
    expect(statedDecimals([[300, 0]], 3)).toBe(0);
    expect(statedDecimals([[5.7, 0, 11]], 3)).toBe(1);
    expect(statedDecimals([[12.58, 6.92, 7]], 3)).toBe(2);
    expect(statedDecimals([[59.5, 26.12, 21.805]], 1)).toBe(1);
  });

  it('do not increase when the tensor is rotated, and are at most as many as the page allows', () => {
    // SrTiO3 rotated by 60° and back: rounding errors must not add digits.
    expect(statedDecimals([[299.99999999999994, 1.2e-14]], 3)).toBe(0);
    expect(statedDecimals([[1 / 3]], 3)).toBe(3);
    expect(statedDecimals([], 3)).toBe(0);
  });
});

describe('the atoms of the conventional cell', () => {
  const symmetry = (wyckoffs: string[]) => ({ wyckoffs }) as MaterialDetail['symmetry_data'];
  const structures = {
    conventional: {
      lattice: { matrix: [] },
      sites: [
        { species: [{ element: 'Ga', occu: 1 }], abc: [0, 0, 0] },
        { species: [{ element: 'Ga', occu: 1 }], abc: [0, 0.5, 0.5] },
        {
          species: [
            { element: 'As', occu: 0.75 },
            { element: 'P', occu: 0.25 },
          ],
          abc: [0.25, 0.25, 0.25],
        },
      ],
    },
  } as unknown as MaterialDetail['structures'];

  it('are listed with element, Wyckoff letter and coordinates', () => {
    const material = { structures, symmetry_data: symmetry(['a', 'a', 'c']) };
    expect(atomicPositions(material)[2]).toEqual({
      number: 3,
      content: 'As 0.75, P 0.25',
      wyckoff: 'c',
      x: 0.25,
      y: 0.25,
      z: 0.25,
    });
    expect(occupiedPositions(material)).toBe('Ga a, As 0.75, P 0.25 c');
  });

  it('have no Wyckoff letters if the letters of the answer are for another cell', () => {
    const material = { structures, symmetry_data: symmetry(['a', 'c']) };
    expect(atomicPositions(material).map(({ wyckoff }) => wyckoff)).toEqual([null, null, null]);
    expect(occupiedPositions(material)).toBe('');
  });
});

describe('topological terms from the server', () => {
  it('are translated if known, and unchanged otherwise', () => {
    expect(topologyWord('Z2 = (1; 111)', 'zh')).toBe('Z2 = (1; 111)');
    expect(topologyWord('trivial', 'en')).toBe('trivial');
    expect(dayOf('2026-11-21T05:32:17.508+00:00')).toBe('2026-11-21');
  });

  it('have a Chinese form for all topological terms of the seed data', () => {
    const lines = readFileSync(
      new URL('../../../../../../seed-data/generated/materials.jsonl', import.meta.url),
      'utf8',
    );
    const rows = lines.split('\n').flatMap((line) => {
      if (!line.includes('"topology"')) return [];
      const { topology } = JSON.parse(line) as {
        topology?: { rows: Record<string, string>[]; labels: string[] };
      };
      return topology ? [topology] : [];
    });
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.flatMap(({ labels }) => labels).filter((label) => columnKey(label) === null)).toEqual([]);
    const values = [...new Set(rows.flatMap(({ rows: all }) => all.flatMap((one) => Object.values(one))))];
    const english = values.map((value) => topologyWord(value, 'zh')).filter((word) => /[a-z]{4}/.test(word));
    // `Rashba` is a name and stays untranslated.
    expect(english).toEqual(['巨大的 Rashba 劈裂；加压后为拓扑相']);
  });
});
