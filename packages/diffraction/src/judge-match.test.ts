import { describe, expect, it } from 'vitest';
import {
  CONFIDENT_AGREEMENT,
  CONFIDENT_DISTANCE,
  judge,
  type MatchCandidate,
  namedCandidate,
  POSSIBLE_DISTANCE,
  RIVAL_AGREEMENT,
  RIVAL_DISTANCE,
} from './judge-match.ts';

const candidate = (change: Partial<MatchCandidate> = {}): MatchCandidate => ({
  formula: 'NaCl',
  spaceGroup: 'Fm-3m',
  distance: 0.2,
  explained: 1,
  confirmed: 1,
  ...change,
});

describe('namedCandidate', () => {
  it('is nobody among none, the only one, and the nearest of equals', () => {
    expect(namedCandidate([])).toBeUndefined();
    expect(namedCandidate([candidate({ explained: 0 })])).toBe(0);
    expect(namedCandidate([candidate(), candidate({ explained: 0.95, distance: 0.19 })])).toBe(1);
  });

  it('is not one with lines everywhere, which explains all and is confirmed by little', () => {
    const dense = candidate({ distance: 0.3, explained: 1, confirmed: 0.4 });
    expect(namedCandidate([dense, candidate({ distance: 0.4, explained: 0.8 })])).toBe(1);
  });
});

describe('judge', () => {
  it('draws its lines where they are stated', () => {
    const of = (change: Partial<MatchCandidate>) => judge([candidate(change)], 0).confidence;
    expect(of({ distance: CONFIDENT_DISTANCE, explained: CONFIDENT_AGREEMENT })).toBe('confident');
    expect(of({ distance: CONFIDENT_DISTANCE + 1e-9 })).toBe('possible');
    expect(of({ explained: CONFIDENT_AGREEMENT - 1e-9 })).toBe('possible');
    expect(of({ distance: POSSIBLE_DISTANCE + 1e-9 })).toBe('none');
    expect(of({ explained: 0.59 })).toBe('none');
  });

  it('rivals are phases, near by distance and by agreement', () => {
    const others = [
      candidate({ formula: 'KCl', distance: 0.2 * RIVAL_DISTANCE }),
      candidate({ formula: 'LiF', distance: 0.2 * RIVAL_DISTANCE + 0.001 }),
      candidate({ formula: 'CsCl', explained: 0.85 }),
      candidate({ formula: 'RbCl', explained: RIVAL_AGREEMENT }),
      candidate({ formula: 'RbBr', explained: RIVAL_AGREEMENT - 1e-9 }),
      candidate({ spaceGroup: 'Pm-3m' }),
      candidate(),
    ];
    expect(judge([candidate(), ...others], 0)).toEqual({ confidence: 'possible', rivals: [1, 4, 6] });
  });

  it.each([
    ['P3_121', 'P3_221'],
    ['P4_32_12', 'P4_12_12'],
    ['P6_122', 'P6_522'],
    ['P6_4', 'P6_2'],
    ['P4_132', 'P4_332'],
  ])('%s and %s are mirror images', (one, other) => {
    expect(judge([candidate({ spaceGroup: one }), candidate({ spaceGroup: other })], 0).rivals).toEqual([]);
  });
});
