import { orderedSite } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { prototypeKey } from './analyze-symmetry.ts';

const sites = (...elements: readonly string[]) => ({
  sites: elements.map((element) => orderedSite(element, [0, 0, 0])),
});

describe('prototypeKey', () => {
  it('is the same for rock salt of any elements, whichever stands at the origin', () => {
    expect(prototypeKey(sites('Na', 'Na', 'Cl', 'Cl'), ['a', 'a', 'b', 'b'], 225)).toBe('225:a2 b2');
    expect(prototypeKey(sites('O', 'O', 'Mg', 'Mg'), ['a', 'a', 'b', 'b'], 225)).toBe('225:a2 b2');
    expect(prototypeKey(sites('O', 'O', 'Mg', 'Mg'), ['b', 'b', 'a', 'a'], 225)).toBe('225:a2 b2');
  });

  it('tells apart who shares positions with whom', () => {
    const letters = ['a', 'b', 'b'];
    expect(prototypeKey(sites('Fe', 'Fe', 'O'), letters, 1)).not.toBe(
      prototypeKey(sites('Fe', 'O', 'O'), letters, 1),
    );
    expect(prototypeKey(sites('Fe', 'O', 'O'), letters, 1)).not.toBe(
      prototypeKey(sites('Fe', 'O', 'O'), letters, 2),
    );
  });
});
