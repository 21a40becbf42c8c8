import { buildPatternIndex, packPattern, RIVAL_DISTANCE } from '@unitcell/diffraction';
import { seededRandom } from '@unitcell/numerics';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rockSalt } from '../../../testing/material-factory.ts';
import { linesOf, measure } from '../testing/synthetic-pattern.ts';
import type { Match } from './match-queue.ts';
import { type Matched, toHits, toPeaks, verdictOf } from './match.service.ts';
import { prepareMatch } from '../xrd.thread.ts';
import { translator } from '../../../messages/messages.ts';
import pino from 'pino';
import {
  changesBetween,
  type IndexState,
  patternIndexRefresher,
  positionsOf,
  type RefreshRequest,
  searchIndex,
  searchPart,
  type SearchRequest,
} from './pattern-index.ts';

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
      async run(_name: 'searchPart', request: SearchRequest) {
        before(() => cancelling.abort());
        return searchPart(request);
      },
    };
    return { match, hits: searchIndex(threads, match, search) };
  }

  it('finds the nearest material, and its progress is complete at the end of the search', async () => {
    const { match, hits } = searchAfter(() => undefined);
    expect((await hits).map(({ id }) => id)).toEqual([7]);
    const { state, progress } = match.status();
    expect(state).toBe('running');
    expect(progress).toBe(0.99);
  });

  it('stops its threads when the match is cancelled', async () => {
    await expect(searchAfter((cancel) => cancel()).hits).rejects.toThrow(/cancelled/);
  });
});

interface Fit {
  readonly explained?: number;
  readonly confirmed?: number;
  readonly spaceGroup?: string;
}

const hit = (
  formula: string,
  structId: number,
  distance: number,
  { explained = 0.956, confirmed = 0.95, spaceGroup = 'Fm-3m' }: Fit = {},
): Matched => ({
  structId,
  formula,
  spaceGroup,
  nSites: 2,
  energyAboveHull: 0,
  distance,
  strain: 0,
  explained,
  confirmed,
  unexplainedPeaks: [],
});
const t = translator('en');

describe('verdictOf', () => {
  it('is confident if only hits of the same phase fit about as well', () => {
    const found = [hit('NaCl', 7, 0.2), hit('NaCl', 8, 0.21), hit('KCl', 9, 0.2 * RIVAL_DISTANCE + 0.01)];
    expect(verdictOf(found, t)).toEqual({
      named: 7,
      confidence: 'confident',
      statement:
        'NaCl (Fm-3m, id 7) explains 95 % of the measured intensity, and nothing else that was compared fits as well.',
    });
  });

  it('chooses the hit that explains all intensity over the hit with the smallest distance', () => {
    const found = [
      hit('LiC12', 1, 0.55, { explained: 0.54, confirmed: 0.9 }),
      hit('Cs3Bi2I9', 2, 0.57, { explained: 1, confirmed: 0.75 }),
    ];
    expect(verdictOf(found, t)).toMatchObject({ named: 2, confidence: 'possible' });
  });

  it('is not confident when an isotypic compound fits about as well, and names this compound', () => {
    const found = [hit('PbTe', 1, 0.2), hit('NaCl', 2, 0.21), hit('CuI', 3, 0.22)];
    const { confidence, statement } = verdictOf(found, t);
    expect(confidence).toBe('possible');
    expect(statement).toContain('PbTe (Fm-3m), NaCl (Fm-3m), CuI (Fm-3m). Name elements');
  });

  it('is not confident when a polymorph fits about as well, and then suggests no element filter', () => {
    const found = [hit('TiO2', 1, 0.2), hit('TiO2', 2, 0.22, { spaceGroup: 'P4_2/mnm' })];
    const { confidence, statement } = verdictOf(found, t);
    expect(confidence).toBe('possible');
    expect(statement).toContain('TiO2 (Fm-3m), TiO2 (P4_2/mnm). Compare their weak lines');
  });

  it('does not count mirror images of one crystal as rivals', () => {
    const found = [
      hit('SiO2', 1, 0.2, { spaceGroup: 'P3_121' }),
      hit('SiO2', 2, 0.2, { spaceGroup: 'P3_221' }),
    ];
    expect(verdictOf(found, t).confidence).toBe('confident');
  });

  it('reports that nothing fits or nothing was compared', () => {
    expect(verdictOf([hit('NaCl', 1, 0.5, { explained: 0.4 })], t)).toMatchObject({
      confidence: 'none',
      statement: expect.stringMatching(/^No match: nothing that was compared fits\. NaCl/),
    });
    expect(verdictOf([hit('NaCl', 1, 1.1)], t).confidence).toBe('none');
    expect(verdictOf([], t)).toMatchObject({ named: null, confidence: 'none' });
    expect(verdictOf([hit('NaCl', 1, 0.5)], t).confidence).toBe('possible');
  });
});

it('a match considers rivals beyond the requested number of rows', () => {
  const found = [hit('Nd', 1, 0.2), hit('Pr', 2, 0.21), hit('La', 3, 0.2, { explained: 0.5 })];
  const hits = toHits(found, 1, [], 1.54);
  expect(hits).toHaveLength(1);
  expect(hits[0]).toMatchObject({ rivals: [2], confidence: 'possible', explained_share: 0.956 });
});

it('the judgement of a hit does not depend on the number of rows that were requested', () => {
  const nearest = [
    hit('NaCl', 1, 0.5, { explained: 0.8, confirmed: 0.8 }),
    ...Array.from({ length: 19 }, (_, k) => hit('KCl', 2 + k, 0.55, { explained: 0.5 })),
  ];
  const farther = [
    hit('KBr', 21, 0.58, { explained: 0.9, confirmed: 0.9 }),
    hit('LiF', 22, 0.59, { explained: 1, confirmed: 1 }),
  ];
  const all = [...nearest, ...farther];
  expect(verdictOf(all, t)).toEqual(verdictOf(nearest, t));
  expect(verdictOf(all, t)).toMatchObject({ named: 1, confidence: 'possible' });
  const hits = toHits(all, 22, [], 1.54);
  expect(hits.slice(0, 20)).toEqual(toHits(nearest, 20, [], 1.54));
  expect(hits[20]).toMatchObject({ confidence: 'possible', rivals: [] });
});

it('a match returns relative areas as intensities, and heights unchanged', () => {
  const peaks = [
    { twoThetaDeg: 30, height: 100, area: 20, widthDeg: 0.2 },
    { twoThetaDeg: 60, height: 50, area: 15, widthDeg: 0.3 },
  ];
  expect(toPeaks(peaks, peaks, 1.54184)[1]).toMatchObject({ intensity: 75, height: 50, fwhm: 0.3 });
});

type Answer = 'fails' | 'nothing new' | IndexState;

const stateOf = (size: number): IndexState => ({
  buffer: new SharedArrayBuffer(size),
  versions: new Uint32Array(2),
  unreadable: 0,
});

/** A refresher with a fake thread that returns these answers in turn. */
function refresherOf(answers: Answer[]) {
  const requests: RefreshRequest[] = [];
  let announce: () => void = () => undefined;
  const refresher = patternIndexRefresher({
    databaseUrl: 'postgresql://nowhere',
    refreshIndex: async (request) => {
      requests.push(request);
      const answer = answers.shift() ?? 'nothing new';
      if (answer === 'fails') throw new Error('the thread died');
      return { state: answer === 'nothing new' ? null : answer, milliseconds: 10 };
    },
    onCatalogueChange: (callback) => {
      announce = callback;
    },
    log: pino({ level: 'silent' }),
  });
  return { refresher, requests, change: () => announce() };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('patternIndexRefresher', () => {
  it('builds the index once for all callers, on the first request', async () => {
    const first = stateOf(1);
    const { refresher, requests, change } = refresherOf([first]);
    change();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.length).toBe(0);
    expect(refresher.buildProgress()).toBe(0);
    expect(await Promise.all([refresher.current(), refresher.current()])).toEqual([
      first.buffer,
      first.buffer,
    ]);
    expect(requests.length).toBe(1);
    expect(refresher.buildProgress()).toBeNull();
  });

  it('batches announcements, and serves the current index until the next one is ready', async () => {
    const [first, second] = [stateOf(1), stateOf(2)];
    const { refresher, requests, change } = refresherOf([first, second]);
    await refresher.current();
    for (let i = 0; i < 100; i++) change();
    expect(await refresher.current()).toBe(first.buffer);
    await vi.advanceTimersByTimeAsync(1000);
    expect(requests.length).toBe(2);
    expect(requests[1]?.state).toBe(first);
    expect(await refresher.current()).toBe(second.buffer);
  });

  it('keeps the old index while a refresh fails, and retries', async () => {
    const [first, second] = [stateOf(1), stateOf(2)];
    const { refresher, change } = refresherOf([first, 'fails', 'fails', second]);
    await refresher.current();
    change();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await refresher.current()).toBe(first.buffer);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await refresher.current()).toBe(second.buffer);
  });

  it('reports busy while the first index cannot be built, and recovers', async () => {
    const first = stateOf(1);
    const { refresher } = refresherOf(['fails', first]);
    await expect(refresher.current()).rejects.toMatchObject({
      code: 'server.busy',
      parameters: { seconds: 5 },
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await refresher.current()).toBe(first.buffer);
  });

  it('stops working once closed', async () => {
    const { refresher, requests, change } = refresherOf([stateOf(1)]);
    await refresher.current();
    change();
    refresher.close();
    change();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests.length).toBe(1);
  });
});

const list = (...pairs: [id: number, version: number][]): Uint32Array => Uint32Array.from(pairs.flat());

describe('changesBetween', () => {
  it('lists added, removed and changed ids', () => {
    const before = list([1, 7], [3, 7], [4, 7], [9, 7]);
    const now = list([1, 7], [2, 8], [4, 9], [9, 7], [12, 8]);
    expect(changesBetween(before, now)).toEqual({ added: [2, 4, 12], removed: [3] });
  });

  it('handles changes of all ids, of no ids and of the last ids', () => {
    expect(changesBetween(list(), list([1, 1], [2, 1]))).toEqual({ added: [1, 2], removed: [] });
    expect(changesBetween(list([1, 1], [2, 1]), list())).toEqual({ added: [], removed: [1, 2] });
    expect(changesBetween(list([1, 1], [5, 1], [6, 1]), list([1, 1]))).toEqual({
      added: [],
      removed: [5, 6],
    });
    expect(changesBetween(list([1, 1]), list([1, 1]))).toEqual({ added: [], removed: [] });
  });
});
