import { expect, it } from 'vitest';
import { draftFromOptimade } from './draft-from-optimade.ts';

const saltOf = (symbol: string) => ({
  id: 'one',
  attributes: {
    lattice_vectors: [
      [0, 2.82, 2.82],
      [2.82, 0, 2.82],
      [2.82, 2.82, 0],
    ],
    cartesian_site_positions: [
      [0, 0, 0],
      [2.82, 2.82, 2.82],
    ],
    species_at_sites: ['Na', 'other'],
    species: [
      { name: 'Na', chemical_symbols: ['Na'], concentration: [1] },
      { name: 'other', chemical_symbols: [symbol], concentration: [1] },
    ],
  },
});

// OPTIMADE 1.2, `species`: "X" is a non-chemical element, "vacancy" an empty site.
it('an OPTIMADE structure is refused if one of its atoms is not a chemical element', () => {
  expect(draftFromOptimade(saltOf('Cl')).structure.sites).toHaveLength(2);
  expect(draftFromOptimade(saltOf('vacancy')).structure.sites).toHaveLength(1);
  expect(() => draftFromOptimade(saltOf('X'))).toThrow('species "other": X is no chemical element');
});
