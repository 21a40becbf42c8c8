import { describe, expect, it } from 'vitest';
import { readSearchState, searchBasis, writeSearchState } from './view-model.ts';

describe('the state in the address', () => {
  it('comes back as it was written', () => {
    const state = {
      type: 'formula' as const,
      query: 'Li(CoO2)2',
      filter: 'elements HAS "O" AND band_gap >= 2',
      plot: 'band_gap.density.nsites',
      heat: 'density',
      scale: 'experiment-298K',
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
    expect(state).toEqual({
      type: 'elements',
      query: null,
      filter: null,
      plot: null,
      heat: null,
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
