import type { RefinementNotice, RefinementResult } from '@unitcell/diffraction';
import { expect, it } from 'vitest';
import { translator } from '../../../messages/messages.ts';
import { verdictOf, verdictOfPhases } from './refine.mapper.ts';

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
  ['phases with the same lines', noticed({ code: 'phases-share-lines', phases: [0, 1] }), 'usable'],
  ['texture that was refined', noticed({ code: 'texture', phase: 0, axis: [0, 0, 1], r: 0.7 }), 'good'],
  ['a time limit', noticed({ code: 'time-limit', cycles: 9 }), 'poor'],
  ['no convergence', { converged: false }, 'poor'],
  ['a model that misses the peaks', { rwpPeaks: 0.6 }, 'poor'],
])('the verdict on %s', (_, changes, verdict) => {
  expect(verdictOf({ ...fine, ...changes })).toBe(verdict);
});

it.each<[string, number, boolean, string, RegExp]>([
  ['all lines explained, at the time limit', 0.95, true, 'identified', /^Found: NaCl \(Fm-3m\)\..* 95 %/],
  ['a rest without a phase', 0.7, false, 'partly', /not in this database/],
  ['a rest that was not searched in time', 0.7, true, 'partly', /time limit, so phases may be missing/],
])('the statement on %s', (_, explained, isCutShort, verdict, statement) => {
  const phases = [{ formula: 'NaCl', space_group: 'Fm-3m' }];
  const answer = verdictOfPhases(phases, explained, { isCutShort, hasHumps: false }, english);
  expect(answer).toEqual({ verdict, statement: expect.stringMatching(statement) });
});

it.each([
  [false, /no material of this database/],
  [true, /within the time limit/],
])('no phase is a "No match"; whether the search was cut short (%s) is said', (isCutShort, statement) => {
  const answer = verdictOfPhases([], 0, { isCutShort, hasHumps: true }, english);
  expect(answer).toEqual({ verdict: 'none', statement: expect.stringMatching(/^No match/) });
  expect(answer.statement).toMatch(statement);
});
