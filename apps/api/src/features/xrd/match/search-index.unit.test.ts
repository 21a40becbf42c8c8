import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { positionsOf } from './search-index.ts';

const rising = (count: number, seed: number): Uint32Array => {
  const random = seededRandom(seed);
  const all = new Set(Array.from({ length: count }, () => Math.floor(random() * 5000)));
  return Uint32Array.from(all).sort();
};

describe('positionsOf', () => {
  it('answers the positions of the ids that are indexed, few or many', () => {
    const indexed = rising(2000, 1);
    for (const count of [0, 1, 5, 60, 400, 3000]) {
      const ids = rising(count, count + 7);
      const expected = [...ids].map((id) => indexed.indexOf(id)).filter((position) => position >= 0);
      expect([...positionsOf(ids, indexed)]).toEqual(expected);
    }
  });

  it('has none in an empty index', () => {
    expect([...positionsOf(rising(10, 1), new Uint32Array())]).toEqual([]);
  });
});
