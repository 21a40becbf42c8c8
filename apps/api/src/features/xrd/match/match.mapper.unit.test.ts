import type { XrdConfidence } from '@unitcell/contract';
import { describe, expect, it } from 'vitest';
import { translator } from '../../../messages/messages.ts';
import { type Matched, RIVAL_RATIO, toHits, verdictOf } from './match.mapper.ts';

const hit = (
  formula: string,
  distance: number,
  confidence: XrdConfidence = 'confident',
  structId = 7,
): Matched => ({
  material: {
    structId,
    formula,
    spaceGroup: 'Fm-3m',
    nSites: 2,
    energyAboveHull: 0,
    pattern: Buffer.alloc(2),
  },
  distance,
  strain: 0,
  report: { matchedShare: 0.956, unexplainedPeaks: [], confidence },
});
const t = translator('en');

describe('verdictOf', () => {
  it('is confident of a first hit that stands alone, whatever follows of its own formula', () => {
    expect(verdictOf([hit('NaCl', 0.2), hit('NaCl', 0.21), hit('KCl', 0.2 * RIVAL_RATIO + 0.01)], t)).toEqual(
      {
        confidence: 'confident',
        statement: 'NaCl (Fm-3m, id 7) explains 95 % of the measured peaks.',
      },
    );
  });

  it('is not when another formula fits about as well, and names it', () => {
    const { confidence, statement } = verdictOf([hit('PbTe', 0.2), hit('NaCl', 0.21), hit('CuI', 0.22)], t);
    expect(confidence).toBe('possible');
    expect(statement).toContain('PbTe (Fm-3m), NaCl (Fm-3m), CuI (Fm-3m)');
  });

  it('says so when nothing fits or nothing was compared', () => {
    expect(verdictOf([hit('NaCl', 1.1, 'none'), hit('KCl', 1.1, 'none')], t)).toMatchObject({
      confidence: 'none',
      statement: expect.stringMatching(/^No confident match/),
    });
    expect(verdictOf([], t).confidence).toBe('none');
    expect(verdictOf([hit('NaCl', 0.4, 'possible')], t).confidence).toBe('possible');
  });
});

describe('the rivals of a hit', () => {
  it('are the hits of another formula that fit about as well, and are those the statement names', () => {
    const found = [
      hit('Nd', 0.2, 'possible', 1),
      hit('Nd', 0.21, 'possible', 2),
      hit('Pr', 0.2 * RIVAL_RATIO - 0.001, 'possible', 3),
      hit('Cu', 0.2 * RIVAL_RATIO + 0.001, 'possible', 4),
      hit('La', 0.2, 'none', 5),
    ];
    const [first, second, third, , last] = toHits(found, [], 1.54);
    expect(first?.rivals).toEqual([3, 5]);
    expect(second?.rivals).toEqual([3, 4, 5]);
    expect(third?.rivals).toEqual([1, 2, 4, 5]);
    expect(last?.rivals).toEqual([]);
    expect(verdictOf(found, t).statement).toContain('Nd (Fm-3m), Pr (Fm-3m), La (Fm-3m)');
  });
});
