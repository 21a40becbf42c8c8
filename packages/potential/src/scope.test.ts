import { ELEMENTS } from '@unitcell/elements';
import { orderedSite } from '@unitcell/crystal';
import { IDENTITY3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { openModelInNode } from './open-model-in-node.ts';
import { outOfScope } from './model-file.ts';

const crystalOf = (element: string) => ({
  latticeVectors: IDENTITY3,
  sites: [orderedSite(element, [0, 0, 0])],
});

describe('the scope of the potential', () => {
  it('includes exactly the elements for which the included model has weights', () => {
    const { atomicNumbers } = openModelInNode().manifest;
    const known = ELEMENTS.filter(({ symbol }) => outOfScope(crystalOf(symbol), 1) === null);
    expect(known.map(({ number }) => number)).toEqual(atomicNumbers.toSorted((a, b) => a - b));
  });

  it('refuses a shared site and a crystal that is too large', () => {
    const [site] = crystalOf('Si').sites;
    const shared = { ...site, species: [{ element: 'Si', occupancy: 0.5 }] };
    expect(outOfScope({ latticeVectors: IDENTITY3, sites: [shared] }, 1)).toEqual({ code: 'disordered' });
    expect(outOfScope({ latticeVectors: IDENTITY3, sites: [site, site] }, 1)).toEqual({
      code: 'too-large',
      atoms: 2,
    });
  });
});
