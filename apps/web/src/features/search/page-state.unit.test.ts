import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { materialFilterFields, printFilter } from '@unitcell/filter';
import { randomFilter } from '@unitcell/filter/testing';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { SEARCH_TYPES } from '../../components/search-form/search-input.ts';
import { conditionsOfText, textOfConditions } from '../../components/filter/conditions.ts';
import { NUMBER_PROPERTIES } from '../../components/filter/filter-fields.ts';
import { readSearchState, searchBasis, type SearchState, writeSearchState } from './page-state.ts';

describe('the state in the address', () => {
  it('round-trips', () => {
    const state = {
      type: 'formula' as const,
      query: 'Li(CoO2)2',
      filter: 'elements HAS "O" AND band_gap >= 2',
      plot: 'band_gap.density.nsites',
      heat: 'density',
      calculated: ['[bulk_modulus / density]', '[band_gap ^ 2.5]'],
      ion: 'Na',
      scale: 'experiment-298K',
      view: { sort: { id: 'band_gap', desc: true }, page: 3, shown: ['struct_id', 'formula'] },
    };
    expect(readSearchState(writeSearchState(state))).toEqual(state);
  });

  it('round-trips for any selection, order, plot and page', () => {
    const random = seededRandom(1822);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const maybe = <T>(value: () => T): T | null => (random() < 0.5 ? value() : null);
    const texts = ['Li-O-*', 'Fe2(SO4)3', '"a" & b=c#d+e %41', '钛酸锶', 'PBE (MP 2018)', ' '];
    const fields = materialFilterFields();
    const calculated = ['[bulk_modulus / density]', '[0.5 * (band_gap + 1)]'];
    const numbers = [...NUMBER_PROPERTIES, ...calculated];
    for (let round = 0; round < 1000; round++) {
      const filter = printFilter(randomFilter({ fields, values: new Map() }, random));
      const state: SearchState = {
        type: pick(SEARCH_TYPES),
        query: maybe(() => pick(texts)),
        filter: maybe(() => pick([filter, '', pick(texts)])),
        plot: maybe(() => [0, 1, 2].map(() => pick(numbers)).join('.')),
        heat: maybe(() => pick([...numbers, ''])),
        calculated: calculated.filter(() => random() < 0.5),
        ion: maybe(() => pick(WORKING_IONS)),
        scale: maybe(() => pick(['PBE (MP 2018)', 'r2SCAN'])),
        view: {
          sort: maybe(() => ({ id: pick(numbers), desc: random() < 0.5 })),
          page: Math.floor(5 * random()),
          shown: maybe(() => ['struct_id', pick(numbers)]),
        },
      };
      const address = writeSearchState(state).toString();
      expect([address, readSearchState(new URLSearchParams(address))]).toEqual([address, state]);
      // The controls write the filter back unchanged.
      const conditions = conditionsOfText(filter)!;
      expect(conditionsOfText(textOfConditions(conditions))).toEqual(conditions);
    }
  });

  it('is short for the default view', () => {
    const state = readSearchState(new URLSearchParams('q=Ti-O'));
    expect(writeSearchState(state).toString()).toBe('q=Ti-O');
  });

  it('uses the default for invalid values', () => {
    const state = readSearchState(new URLSearchParams('by=magic&page=-3&sort=-&columns='));
    expect(state).toEqual({
      type: 'elements',
      query: null,
      filter: null,
      plot: null,
      heat: null,
      calculated: [],
      ion: null,
      scale: null,
      view: { sort: null, page: 0, shown: null },
    });
  });
});

describe('searchBasis', () => {
  it('shows hyphens as spaces in element mode only', () => {
    expect(searchBasis('elements', 'Ti-O')).toBe('Ti O');
    expect(searchBasis('formula', 'TiO2')).toBe('TiO2');
  });
});
