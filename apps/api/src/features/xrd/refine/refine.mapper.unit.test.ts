import type { RefinementNotice, RefinementResult } from '@unitcell/diffraction';
import { expect, it } from 'vitest';
import { translator } from '../../../messages/messages.ts';
import { doubtOf, verdictOf, verdictOfPhases } from './refine.mapper.ts';

const english = translator('en');

type Judged = Parameters<typeof verdictOf>[0];
const phase = (rBragg: number, share = 0.5) =>
  ({ rBragg, weightFraction: { value: share } }) as RefinementResult['phases'][number];
const fine: Judged = {
  notices: [{ code: 'amorphous-not-seen' }],
  phases: [phase(0.03), phase(0.05)],
  rwp: 0.08,
  rwpPeaks: 0.12,
  chiSquared: 2,
  converged: true,
};
const noticed = (notice: RefinementNotice): Partial<Judged> => ({ notices: [notice] });

it.each<[string, Partial<Judged>, string]>([
  ['a converged fit near the noise', {}, 'good'],
  ['a fit whose counts are so high that χ² is large but Rwp small', { chiSquared: 30 }, 'good'],
  ['a large χ² and a large Rwp', { chiSquared: 30, rwp: 0.2 }, 'usable'],
  ['wrong intensities of a phase', { phases: [phase(0.03), phase(0.2)] }, 'usable'],
  ['wrong intensities of a phase of 2 % by weight', { phases: [phase(0.03), phase(0.2, 0.02)] }, 'good'],
  ['a phase that was not found', noticed({ code: 'phase-not-found', phase: 1 }), 'usable'],
  [
    'peaks that are in none of the phases',
    noticed({ code: 'unexplained-intensity', share: 0.05, twoThetaDeg: [28.3, 47] }),
    'usable',
  ],
  ['phases with the same lines', noticed({ code: 'phases-share-lines', phases: [0, 1] }), 'usable'],
  ['texture that was refined', noticed({ code: 'texture', phase: 0, axis: [0, 0, 1], r: 0.7 }), 'good'],
  ['a time limit', noticed({ code: 'time-limit', cycles: 9 }), 'poor'],
  ['no convergence', { converged: false }, 'poor'],
  ['a model that misses the peaks', { rwpPeaks: 0.6 }, 'poor'],
])('verdictOf gives the expected verdict on %s', (_, changes, verdict) => {
  expect(verdictOf({ ...fine, ...changes })).toBe(verdict);
});

it.each<[string, number, Partial<Parameters<typeof verdictOfPhases>[2]>, string, RegExp]>([
  [
    'all lines explained, at the time limit',
    0.95,
    { isCutShort: true },
    'identified',
    /^Found: NaCl \(Fm-3m\)\..* 95 %/,
  ],
  ['a rest without a phase', 0.7, {}, 'partly', /; the rest comes from phases that are not in this database/],
  ['a rest beside named elements', 0.7, { isLimited: true }, 'partly', /other elements than the named ones/],
  ['a rest that was not searched in time', 0.7, { isCutShort: true }, 'partly', /so phases may be missing/],
])('verdictOfPhases states the expected verdict on %s', (_, explained, course, verdict, statement) => {
  const phases = [{ formula: 'NaCl', space_group: 'Fm-3m', doubt: null }];
  const answer = verdictOfPhases(
    phases,
    explained,
    { isNoneCompared: false, isLimited: false, isCutShort: false, hasHumps: false, ...course },
    english,
  );
  expect(answer).toEqual({ verdict, statement: expect.stringMatching(statement) });
});

it.each([
  [false, /no material of this database/],
  [true, /within the time limit/],
])('the statement without a phase is "No match" with a reason (cut short: %s)', (isCutShort, statement) => {
  const answer = verdictOfPhases(
    [],
    0,
    { isNoneCompared: false, isLimited: false, isCutShort, hasHumps: true },
    english,
  );
  expect(answer).toEqual({ verdict: 'none', statement: expect.stringMatching(/^No match/) });
  expect(answer.statement).toMatch(statement);
});

// Values from measured patterns of silver, halite and chalcopyrite, identified in the seed data with and
// without materials of their formulas (27 November 2026).
it.each<[string, Partial<Parameters<typeof doubtOf>[0]>, string | null]>([
  ['whose cell and intensities agree', {}, null],
  [
    'for which gold fits in a cell within 1.5 %',
    { rivals: [{ formula: 'Au', strain: 0.0012 }] },
    ': Au would',
  ],
  ['for which ZrO2 fits in a cell 3 % off', { rivals: [{ formula: 'ZrO2', strain: 0.03 }] }, null],
  ['with a second entry of its formula', { rivals: [{ formula: 'Ag', strain: 0 }] }, null],
  ['in a cell 3 % off', { refined: { cellChange: 0.03, rBragg: 0.05 } }, 'cell differs by 3.0 %'],
  // GeO2 for MnO2 in a measured pattern, with a catalogue that lacks MnO2.
  ['in a cell 0.5 % off', { refined: { cellChange: 0.00499, rBragg: 0.17 } }, 'cell differs by 0.5 %'],
  ['in a cell 0.4 % off', { refined: { cellChange: 0.004, rBragg: 0.05 } }, null],
  ['with wrong intensities', { refined: { cellChange: 0.004, rBragg: 0.317 } }, 'intensities differ by 32 %'],
  ['with wrong intensities below others', { share: 0.05, refined: { cellChange: 0, rBragg: 0.3 } }, null],
])('doubtOf decides whether the elements are in doubt for a phase %s', (_, changes, doubt) => {
  const fitted = { formula: 'Ag', share: 1, refined: { cellChange: 0.0008, rBragg: 0.01 }, rivals: [] };
  const found = doubtOf({ ...fitted, ...changes }, english);
  expect(found === null).toBe(doubt === null);
  expect(found ?? '').toContain(doubt ?? '');
});

it('a phase whose elements are in doubt is not called identified, and the statement names the phase', () => {
  const phases = [
    { formula: 'Au', space_group: 'Fm-3m', doubt: 'Elements not certain: Ag would fit about as well.' },
    { formula: 'SiO2', space_group: 'P3_221', doubt: null },
  ];
  for (const isLimited of [false, true]) {
    const course = { isNoneCompared: false, isLimited, isCutShort: false, hasHumps: false };
    const { verdict, statement } = verdictOfPhases(phases, 0.99, course, english);
    expect(verdict).toBe('partly');
    expect(statement).toContain('does not prove the elements of Au (Fm-3m).');
    // If the search is limited, the elements were named already.
    expect(statement.includes('Name the elements that you know.')).toBe(!isLimited);
  }
});
