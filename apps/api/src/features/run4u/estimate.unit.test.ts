import { describe, expect, it } from 'vitest';
import { type EstimatorInput, estimator } from './estimate.ts';

const input = (more: Partial<EstimatorInput>): EstimatorInput => ({
  queue: [
    { id: 1, ahead: 0, nSites: 2 },
    { id: 2, ahead: 1, nSites: 2 },
    { id: 3, ahead: 2, nSites: 8 },
  ],
  running: [],
  finished: [],
  preset: 'standard',
  slots: 1,
  ...more,
});

describe('estimator', () => {
  it('starts from measured times: NaCl and Si take about a minute', () => {
    const first = estimator(input({})).ofWaiting(1) ?? 0;
    expect(first).toBeGreaterThan(20);
    expect(first).toBeLessThan(120);
  });

  it('adds waiting and running calculations ahead, divided by the slots', () => {
    const one = estimator(input({}));
    expect(one.ofWaiting(2)).toBeCloseTo(2 * (one.ofWaiting(1) ?? 0), 9);
    const own = estimator(input({})).ofWaiting(1) ?? 0;
    const behind = estimator(input({ running: [{ nSites: 2, seconds: 0 }] })).ofWaiting(1) ?? 0;
    expect(behind).toBeCloseTo(2 * own, 9);
    expect(estimator(input({ slots: 2 })).ofWaiting(2)).toBeCloseTo(1.5 * own, 9);
  });

  it('starts a new submission at once only while a slot is left beside those that run and wait', () => {
    const running = [{ nSites: 2, seconds: 0 }];
    expect(estimator(input({ running, slots: 5 })).untilStart()).toBe(0);
    expect(estimator(input({ running, slots: 4 })).untilStart()).toBeGreaterThan(0);
  });

  it('adapts to the speed of this machine', () => {
    const usual = estimator(input({})).ofWaiting(1) ?? 0;
    const finished = [usual, usual, usual].map((seconds) => ({ nSites: 2, seconds: seconds * 3 }));
    expect(estimator(input({ finished })).ofWaiting(1)).toBeCloseTo(3 * usual, 9);
    expect(estimator(input({ finished: finished.slice(0, 2) })).ofWaiting(1)).toBeCloseTo(usual, 9);
  });

  it('always leaves some time for overdue calculations, and estimates nothing while nothing runs', () => {
    expect(estimator(input({})).ofRunning(2, 1e6)).toBeGreaterThan(0);
    expect(estimator(input({ slots: 0 })).ofWaiting(1)).toBeNull();
    expect(estimator(input({})).ofWaiting(99)).toBeNull();
  });
});
