import type { RefinementNotice, RefinementResult } from '@unitcell/diffraction';
import { expect, it } from 'vitest';
import { verdictOf } from './refine.mapper.ts';

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
