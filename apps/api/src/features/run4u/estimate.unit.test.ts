import type { PredictedTask } from '@unitcell/contract/run4u';
import { describe, expect, it } from 'vitest';
import { type EstimatorInput, estimator } from './estimate.ts';

const input = (more: Partial<EstimatorInput>): EstimatorInput => ({
  queue: [
    { id: 1, ahead: 0, nSites: 2, tasks: [] },
    { id: 2, ahead: 1, nSites: 2, tasks: [] },
    { id: 3, ahead: 2, nSites: 8, tasks: [] },
  ],
  running: [],
  finished: [],
  preset: 'standard',
  slots: 1,
  ...more,
});

describe('estimator', () => {
  it('is based on measured times: NaCl and Si take about a minute', () => {
    const first = estimator(input({})).ofWaiting(1) ?? 0;
    expect(first).toBeGreaterThan(20);
    expect(first).toBeLessThan(120);
  });

  it('adds the time of running and earlier waiting calculations, divided by the slots', () => {
    const one = estimator(input({}));
    expect(one.ofWaiting(2)).toBeCloseTo(2 * (one.ofWaiting(1) ?? 0), 9);
    const own = estimator(input({})).ofWaiting(1) ?? 0;
    const behind = estimator(input({ running: [{ nSites: 2, tasks: [], seconds: 0 }] })).ofWaiting(1) ?? 0;
    expect(behind).toBeCloseTo(2 * own, 9);
    expect(estimator(input({ slots: 2 })).ofWaiting(2)).toBeCloseTo(1.5 * own, 9);
  });

  it('starts a new submission at once only if running and waiting submissions leave a slot free', () => {
    const running = [{ nSites: 2, tasks: [], seconds: 0 }];
    expect(estimator(input({ running, slots: 5 })).untilStart()).toBe(0);
    expect(estimator(input({ running, slots: 4 })).untilStart()).toBeGreaterThan(0);
  });

  it('adapts to the speed of this machine', () => {
    const usual = estimator(input({})).ofWaiting(1) ?? 0;
    const finished = [usual, usual, usual].map((seconds) => ({ nSites: 2, tasks: [], seconds: seconds * 3 }));
    expect(estimator(input({ finished })).ofWaiting(1)).toBeCloseTo(3 * usual, 9);
    expect(estimator(input({ finished: finished.slice(0, 2) })).ofWaiting(1)).toBeCloseTo(usual, 9);
  });

  it('a prediction with phonons and an elastic tensor takes longer than one without, in the queue and running', () => {
    const tasks: readonly PredictedTask[] = ['elastic', 'phonons'];
    const potential = { preset: 'sevennet-0', queue: [] } as const;
    const plain = estimator(input(potential)).ofRun({ nSites: 10, tasks: [] });
    const full = estimator(input(potential)).ofRun({ nSites: 10, tasks });
    expect(full).toBeGreaterThan(1.5 * plain);
    // The relaxation has finished, the phonons have not.
    expect(estimator(input(potential)).ofRunning({ nSites: 10, tasks }, plain)).toBeCloseTo(full - plain, 9);
    const waiting = { id: 4, ahead: 0, nSites: 10, tasks };
    expect(estimator(input({ ...potential, queue: [waiting] })).ofWaiting(4)).toBeCloseTo(full, 9);
  });

  it('earlier predictions with many tasks do not increase the estimate of one without tasks', () => {
    const plain = estimator(input({ preset: 'sevennet-0' })).ofRun({ nSites: 10, tasks: [] });
    const tasks: readonly PredictedTask[] = ['eos', 'elastic', 'phonons'];
    const seconds = estimator(input({ preset: 'sevennet-0' })).ofRun({ nSites: 10, tasks });
    const finished = [1, 2, 3].map(() => ({ nSites: 10, tasks, seconds }));
    const later = estimator(input({ preset: 'sevennet-0', finished }));
    expect(later.ofRun({ nSites: 10, tasks: [] })).toBeCloseTo(plain, 9);
  });

  it('always leaves some time for overdue calculations and gives no estimate without slots', () => {
    expect(estimator(input({})).ofRunning({ nSites: 2, tasks: [] }, 1e6)).toBeGreaterThan(0);
    expect(estimator(input({ slots: 0 })).ofWaiting(1)).toBeNull();
    expect(estimator(input({})).ofWaiting(99)).toBeNull();
  });
});
