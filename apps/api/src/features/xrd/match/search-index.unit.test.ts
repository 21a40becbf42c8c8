import { buildPatternIndex, packPattern } from '@unitcell/diffraction';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { rockSalt } from '../../../testing/material-factory.ts';
import { linesOf, measure } from '../testing/synthetic-pattern.ts';
import type { Match } from './match-queue.ts';
import { type MatchThreads, positionsOf, searchIndex } from './match.service.ts';
import { prepareMatch, searchPart, type SearchRequest } from './search-part.ts';

const rising = (count: number, seed: number): Uint32Array => {
  const random = seededRandom(seed);
  const all = new Set(Array.from({ length: count }, () => Math.floor(random() * 5000)));
  return Uint32Array.from(all).sort();
};

describe('positionsOf', () => {
  it('returns the positions of indexed ids, few or many', () => {
    const indexed = rising(2000, 1);
    for (const count of [0, 1, 5, 60, 400, 3000]) {
      const ids = rising(count, count + 7);
      const expected = [...ids].map((id) => indexed.indexOf(id)).filter((position) => position >= 0);
      expect([...positionsOf(ids, indexed)]).toEqual(expected);
    }
  });

  it('is empty for an empty index', () => {
    expect([...positionsOf(rising(10, 1), new Uint32Array())]).toEqual([]);
  });
});

describe('searchIndex', () => {
  const peaks = linesOf(rockSalt('Na', 'Cl', 5.64));
  const packed = packPattern({
    dSpacings: peaks.map(({ dSpacing }) => dSpacing),
    intensities: peaks.map(({ intensity }) => intensity),
  });
  const { buffer } = buildPatternIndex([{ id: 7, packed }], { shared: true });
  const search = {
    index: buffer as SharedArrayBuffer,
    query: prepareMatch({ ...measure(peaks), hasBackground: true, wavelength: 1.54184 }),
    method: 'DTW' as const,
    top: 1,
    maxStrain: 0.02,
    candidates: null,
  };

  /** A search in this thread; `before` runs directly before it. */
  function searchAfter(before: (cancel: () => void) => void) {
    const cancelling = new AbortController();
    const match: Pick<Match, 'signal' | 'status'> = {
      signal: cancelling.signal,
      status: () => ({ state: 'waiting', progress: 0 }),
    };
    const threads = {
      size: 1,
      async run(_name: string, request: SearchRequest) {
        before(() => cancelling.abort());
        return searchPart(request);
      },
    } as unknown as MatchThreads;
    return { match, hits: searchIndex(threads, match, search) };
  }

  it('finds the nearest material and counts the steps of its threads', async () => {
    const { match, hits } = searchAfter(() => undefined);
    expect((await hits).map(({ id }) => id)).toEqual([7]);
    const { state, progress } = match.status();
    expect(state).toBe('running');
    expect(progress).toBeGreaterThan(0);
  });

  it('stops its threads when the match is cancelled', async () => {
    await expect(searchAfter((cancel) => cancel()).hits).rejects.toThrow(/cancelled/);
  });
});
