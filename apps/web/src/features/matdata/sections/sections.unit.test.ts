import { RADIATION_SOURCES } from '@unitcell/diffraction';
import { describe, expect, it } from 'vitest';
import { cellText, columnKey, hasTopology } from './topology-view-model.ts';
import { CUSTOMIZED, DEFAULT_SOURCE, readNumber, sourceNames, wavelengthText } from './xrd-view-model.ts';

describe('the source list', () => {
  it('holds the 24 sources and one for the user, Cu Kα first', () => {
    expect(sourceNames(DEFAULT_SOURCE)).toHaveLength(RADIATION_SOURCES.length + 1);
    expect(sourceNames(DEFAULT_SOURCE)[0]).toBe('CuKα');
    expect(sourceNames(DEFAULT_SOURCE).at(-1)).toBe(CUSTOMIZED);
  });

  it('moves the chosen source to the front and keeps the others in order', () => {
    const names = sourceNames('MoKα');
    expect(names.slice(0, 3)).toEqual(['MoKα', 'CuKα', 'CuKα2']);
    expect(new Set(names).size).toBe(names.length);
  });

  it('fills the wavelength box, and leaves it empty for one of the user’s own', () => {
    expect(wavelengthText('AgKα')).toBe('0.560885');
    expect(wavelengthText(CUSTOMIZED)).toBe('');
  });
});

describe('readNumber', () => {
  it.each([
    [' 1.54184 ', 1.54184],
    ['1,54', 1.54],
    ['-3', -3],
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
  it('translates the columns it knows only', () => {
    expect(columnKey('Class')).toBe('class');
    expect(columnKey('toString')).toBeNull();
  });

  it('shows values of any kind as text', () => {
    expect([null, '', 0, [1, 2], 'TI'].map(cellText)).toEqual(['-', '-', '0', '[1,2]', 'TI']);
  });

  it('is present when the answer says so', () => {
    expect(hasTopology({ is_topo_display: true })).toBe(true);
    expect([undefined, null, 'x', { is_topo_display: false }].some(hasTopology)).toBe(false);
  });
});
