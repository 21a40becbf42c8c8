import { expect, it } from 'vitest';
import type { FitState } from './fit-state.ts';
import { unexplainedIntensity } from './unexplained.ts';

/** A flat pattern of 1,000 counts with a Gaussian at 30° that no phase explains; the lines are 0.1° wide. */
function noticesOf(widthDeg: number, share = 1) {
  const x = Float64Array.from({ length: 2001 }, (_, i) => 20 + 0.01 * i);
  const gaussian = (at: number) => 5000 * Math.exp(-4 * Math.LN2 * ((at - 30) / widthDeg) ** 2);
  const state = {
    points: { x, y: x.map((at) => 1000 + share * gaussian(at)), weights: x.map(() => 1e-3) },
    model: { layout: { common: { u: 0, v: 1, w: 2 }, phases: [{ x: 3, y: 4 }] } },
    values: [0, 0, 0.01, 0, 0],
  } as unknown as FitState;
  const flat = x.map(() => 1000);
  return unexplainedIntensity(state, { calculated: flat, background: flat }, 1);
}

it.each([0.1, 0.8])('a peak of %f° that is in no phase is reported with its angle', (widthDeg) => {
  const [notice] = noticesOf(widthDeg);
  expect(notice).toMatchObject({ code: 'unexplained-intensity', share: 1 });
  expect(notice?.code === 'unexplained-intensity' && notice.twoThetaDeg[0]).toBeCloseTo(30, 2);
});

it('a hump of more than ten widths of a line is not reported as a peak', () => {
  expect(noticesOf(1.5)).toEqual([]);
});

it('a peak below ten standard deviations of the mean is not reported', () => {
  expect(noticesOf(0.1, 0.01)).toEqual([]);
});
