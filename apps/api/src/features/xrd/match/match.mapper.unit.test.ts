import { RIVAL_DISTANCE } from '@unitcell/diffraction';
import { describe, expect, it } from 'vitest';
import { translator } from '../../../messages/messages.ts';
import { type Matched, toHits, toPeaks, verdictOf } from './match.mapper.ts';

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
  material: { structId, formula, spaceGroup, nSites: 2, energyAboveHull: 0, pattern: Buffer.alloc(2) },
  distance,
  strain: 0,
  report: { explained, confirmed, unexplainedPeaks: [] },
});
const t = translator('en');

describe('verdictOf', () => {
  it('is confident of a hit without rivals, however many copies of it follow', () => {
    const found = [hit('NaCl', 7, 0.2), hit('NaCl', 8, 0.21), hit('KCl', 9, 0.2 * RIVAL_DISTANCE + 0.01)];
    expect(verdictOf(found, t)).toEqual({
      named: 7,
      confidence: 'confident',
      statement:
        'NaCl (Fm-3m, id 7) explains 95 % of the measured intensity, and nothing else that was compared fits as well.',
    });
  });

  it('chooses the hit that explains everything, not the nearest one', () => {
    const found = [
      hit('LiC12', 1, 0.55, { explained: 0.54, confirmed: 0.9 }),
      hit('Cs3Bi2I9', 2, 0.57, { explained: 1, confirmed: 0.75 }),
    ];
    expect(verdictOf(found, t)).toMatchObject({ named: 2, confidence: 'possible' });
  });

  it('is not confident when an isotype fits about as well, and names it', () => {
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

it('considers rivals beyond the requested number of rows', () => {
  const found = [hit('Nd', 1, 0.2), hit('Pr', 2, 0.21), hit('La', 3, 0.2, { explained: 0.5 })];
  const hits = toHits(found, 1, [], 1.54);
  expect(hits).toHaveLength(1);
  expect(hits[0]).toMatchObject({ rivals: [2], confidence: 'possible', explained_share: 0.956 });
});

it('returns intensities as areas, and heights as heights', () => {
  const peaks = [
    { twoThetaDeg: 30, height: 100, area: 20, widthDeg: 0.2 },
    { twoThetaDeg: 60, height: 50, area: 15, widthDeg: 0.3 },
  ];
  expect(toPeaks(peaks, peaks, 1.54184)[1]).toMatchObject({ intensity: 75, height: 50, fwhm: 0.3 });
});
