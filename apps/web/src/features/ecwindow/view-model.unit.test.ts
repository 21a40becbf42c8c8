import type { WindowDetail } from '@unitcell/contract/ecwindow';
import { describe, expect, it } from 'vitest';
import { PAPER_COLORS } from '../../viz/plot/figure-sizes.ts';
import {
  coupleOf,
  detailPath,
  filterCount,
  isNarrowing,
  NO_FILTERS,
  readSearchState,
  requestOf,
  windowMapPath,
  windowOf,
  windowsFilter,
  withRange,
  writeSearchState,
} from './view-model.ts';
import { windowFigure } from './window-figure.ts';

describe('filters', () => {
  const moved = withRange(NO_FILTERS, 'collapse_ehull', [0, 0.05]);

  it('are sent as ranges, and omitted for unmoved sliders', () => {
    expect(requestOf({ ...moved, included: 'Ti-O-' })).toEqual({
      collapse_work_ion: 'Li',
      collapse_included_elements: 'Ti-O',
      collapse_excluded_elements: '',
      collapse_Reduction: '',
      collapse_Oxidation: '',
      collapse_ehull: [0, 0.05],
      collapse_bandgap: '',
    });
  });

  it('are removed when a slider is back at its ends', () => {
    expect(withRange(moved, 'collapse_ehull', [0, 0.5])).toEqual(NO_FILTERS);
    expect(filterCount(moved)).toBe(1);
    expect(filterCount({ ...moved, ion: 'Mg', excluded: 'O' })).toBe(3);
    expect(isNarrowing({ ...NO_FILTERS, ion: 'Mg' })).toBe(false);
    expect(isNarrowing(moved)).toBe(true);
  });
});

describe('the address of a search', () => {
  it('contains everything that can be shared', () => {
    const state = {
      type: 'formula' as const,
      query: 'LiFePO4',
      filters: { ...withRange(NO_FILTERS, 'collapse_Oxidation', [3.5, 7]), ion: 'Na', excluded: 'O-S' },
      scale: 'experiment-298K',
      view: { sort: { id: 'ehull', desc: true }, page: 2, shown: ['struct_id', 'hall'] },
      pageSize: 10,
    };
    expect(readSearchState(writeSearchState(state))).toEqual(state);
  });

  it('uses the default for invalid values', () => {
    const state = readSearchState(new URLSearchParams('by=smell&ion=Xx&red=a~b&ox=5~1&page=-3&rows=999'));
    expect(state).toMatchObject({ type: 'elements', filters: NO_FILTERS, pageSize: 20, view: { page: 0 } });
  });
});

it('a row gets named fields and a link to its page', () => {
  const row = windowOf([7, 'Li2O', 0, 3, 'Li', 0, null, 3, 'Fm-3m', 'cubic', 'm-3m', '-F 4 2 3']);
  expect(row).toMatchObject({ struct_id: 7, oxidation_onset: 3, bandgap: null, hall: '-F 4 2 3' });
  expect(detailPath(row, null)).toBe('/Ec_windowDetail/7/Li');
  expect(detailPath(row, 'r2SCAN')).toBe('/Ec_windowDetail/7/Li?scale=r2SCAN');
});

it('the element table and the plot use valid filters for windows', () => {
  expect(windowsFilter('Na', [], [])).toBe('reduction_onset_na IS KNOWN');
  expect(windowsFilter('Li', ['P', 'S'], ['O'])).toBe(
    'reduction_onset_li IS KNOWN AND elements HAS ALL "P", "S" AND NOT elements HAS ANY "O"',
  );
  const map = new URL(windowMapPath('Mg', null), 'http://127.0.0.1');
  expect(map.searchParams.get('filter')).toBe('window_width_mg IS KNOWN');
  expect(map.searchParams.get('plot')).toBe('reduction_onset_mg.oxidation_onset_mg.band_gap');
});

it('the reference couple of the voltages has a name', () => {
  expect(['Li', 'Mg', 'Al'].map(coupleOf)).toEqual(['Li/Li⁺', 'Mg/Mg²⁺', 'Al/Al³⁺']);
});

describe('the labels of the onsets', () => {
  const detail = {
    voltage: [0, 0.689, 4.21, 5],
    rxn_energy: [-1, 0, 0, -1],
    hovertext: [],
    reduction_onset: 0.689,
    oxidation_onset: 4.21,
    d_e_reduction_onset: 0,
    d_e_oxidation_onset: 0,
    decomposition_table_data: [],
  } as unknown as WindowDetail;
  const texts = {
    voltageAxis: '',
    energyAxis: '',
    reductionOnset: 'low',
    oxidationOnset: 'high',
    provenance: '',
  };
  const heights = (isCompact: boolean) =>
    windowFigure(detail, null, texts, PAPER_COLORS, isCompact)
      .layout.annotations?.slice(0, 2)
      .map(({ yshift }) => yshift);

  it('are on one line on a wide page, and on two lines on a phone', () => {
    expect(new Set(heights(false)).size).toBe(1);
    expect(new Set(heights(true)).size).toBe(2);
  });
});
