import type { MaterialRow } from '@unitcell/contract';
import { describe, expect, it } from 'vitest';
import { materialOf, readSearchState, searchBasis, writeSearchState } from './view-model.ts';

describe('materialOf', () => {
  it('names every position of a row', () => {
    const row: MaterialRow = [
      ...([1, 'TiO2', 'P4_2/mnm', -3.26, 0, 1.78, 6, 2.1, 'tetragonal', 'tP'] as const),
      ...([true, false, false, true, false, true] as const),
    ];
    expect(materialOf(row)).toEqual({
      struct_id: 1,
      formula: 'TiO2',
      space_group: 'P4_2/mnm',
      form_energy: -3.26,
      e_above_hull: 0,
      band_gap: 1.78,
      nsites: 6,
      efermi: 2.1,
      crystal_system: 'tetragonal',
      lattice_type: 'tP',
      has_band: true,
      is_hubbard: false,
      has_hse: false,
      has_epsilon: true,
      has_piezo: false,
      has_elastic: true,
    });
  });
});

describe('the state in the address', () => {
  it('comes back as it was written', () => {
    const state = {
      type: 'formula' as const,
      query: 'Li(CoO2)2',
      view: { sort: { id: 'band_gap', desc: true }, page: 3, shown: ['struct_id', 'formula'] },
    };
    expect(readSearchState(writeSearchState(state))).toEqual(state);
  });

  it('is short for the default view', () => {
    const state = readSearchState(new URLSearchParams('q=Ti-O'));
    expect(writeSearchState(state).toString()).toBe('q=Ti-O');
  });

  it('survives nonsense', () => {
    const state = readSearchState(new URLSearchParams('by=magic&page=-3&sort=-&columns='));
    expect(state).toEqual({ type: 'elements', query: null, view: { sort: null, page: 0, shown: null } });
  });
});

describe('searchBasis', () => {
  it('shows hyphens as spaces in element mode only', () => {
    expect(searchBasis('elements', 'Ti-O')).toBe('Ti O');
    expect(searchBasis('formula', 'TiO2')).toBe('TiO2');
  });
});
