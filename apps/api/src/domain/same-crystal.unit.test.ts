import { orderedSite, type Structure, toCompactCell } from '@unitcell/crystal';
import { expect, it } from 'vitest';
import { mostSimilar } from './same-crystal.ts';

/** Rutile; `u` is the coordinate of the oxygen. */
const rutile = (u: number): Structure => ({
  latticeVectors: [
    [4.6, 0, 0],
    [0, 4.6, 0],
    [0, 0, 2.96],
  ],
  sites: [
    orderedSite('Ti', [0, 0, 0]),
    orderedSite('Ti', [0.5, 0.5, 0.5]),
    orderedSite('O', [u, u, 0]),
    orderedSite('O', [1 - u, 1 - u, 0]),
    orderedSite('O', [0.5 + u, 0.5 - u, 0.5]),
    orderedSite('O', [0.5 - u, 0.5 + u, 0.5]),
  ],
});
const stored = (structId: number, u: number) => ({ structId, cell: toCompactCell(rutile(u)) });

it('mostSimilar finds the most similar of several stored crystals that match, whichever comes first', () => {
  const [near, far] = [stored(1, 0.306), stored(2, 0.33)];
  for (const candidates of [
    [near, far],
    [far, near],
  ]) {
    const found = mostSimilar(rutile(0.305), candidates);
    expect(found?.structId).toBe(1);
    expect(found?.rms).toBeLessThan(0.01);
  }
});

it('mostSimilar finds no match if only a different crystal of the same formula is stored', () => {
  expect(mostSimilar(rutile(0.305), [stored(1, 0.45)])).toBeNull();
});
