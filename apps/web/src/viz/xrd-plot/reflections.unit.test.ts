import type { MaterialXrd } from '@unitcell/contract/matdata';
import { describe, expect, it } from 'vitest';
import { barred } from '../plot/rich-text.tsx';
import { indicesText, namedReflections, reflectionsOf } from './reflections.ts';

const pattern: MaterialXrd = {
  x: [0, 10, 20, 30, 40],
  y: [0, 100, 2, 60, 55],
  data: [
    {
      name: 'TiO2',
      x: [10.2, 20, 30, 30.4],
      y: [100, 1, 70, 40],
      text: [
        '(1 1 0) ×4, d = 3.2484 Å',
        '(1 0 1) ×8, d = 2.4874 Å',
        '(1 1 -2 0) ×6, (2 0 0) ×2, d = 2.2970 Å',
        '(10 1 1) ×8, d = 1.6874 Å',
      ],
    },
  ],
  wavelength: 1.54184,
  crystal_size: 200,
};

describe('reflectionsOf', () => {
  it('reads indices and spacing from the text, and the height from the profile', () => {
    expect(reflectionsOf(pattern)[0]).toEqual({
      twoThetaDeg: 10.2,
      intensity: 100,
      forms: '(1 1 0) ×4',
      dSpacing: 3.2484,
      height: 100,
    });
    expect(reflectionsOf(pattern)[2]?.forms).toBe('(1 1 -2 0) ×6, (2 0 0) ×2');
  });

  it('is empty for a pattern without peaks', () => {
    expect(reflectionsOf({ ...pattern, data: [] })).toEqual([]);
  });
});

describe('namedReflections', () => {
  it('labels strong peaks in the range, and only the stronger of two neighbours', () => {
    const names = namedReflections(reflectionsOf(pattern), [5, 40]).map(({ name }) => name);
    expect(names).toEqual(['110', `11${barred('2')}0`]);
  });
});

describe('indicesText', () => {
  it.each([
    ['(1 1 0) ×4', '110'],
    ['(1 -1 0) ×2', '11\u03040'],
    ['(10 0 2) ×2', '10 0 2'],
    ['', ''],
  ])('writes %s', (forms, text) => {
    expect(indicesText(forms)).toBe(text);
  });
});
