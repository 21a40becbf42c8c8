import { describe, expect, it } from 'vitest';
import { describeLimits, readLimits } from './limits.ts';

describe('readLimits', () => {
  it('takes what the environment says, and the usual figure where it says nothing', () => {
    const usual = readLimits({});
    const changed = readLimits({ LIMIT_TASK_SECONDS: ' 45 ', LIMIT_TASKS_WAITING_PER_OWNER: '0' });
    expect(changed).toEqual({ ...usual, taskSeconds: 45, tasksWaitingPerOwner: 0 });
  });

  it('leaves one thread to the next visitor, whatever the machine', () => {
    const { threads, tasksPerOwner } = readLimits({});
    expect(threads).toBeGreaterThan(tasksPerOwner);
  });

  it.each(['0', '-1', '1.5', 'many', '1e400'])('refuses %j seconds by name', (text) => {
    const problems: string[] = [];
    readLimits({ LIMIT_TASK_SECONDS: text }, problems);
    expect(problems).toEqual([`LIMIT_TASK_SECONDS is "${text}": expected a whole number of at least 1`]);
  });

  it('are shown by their variables', () => {
    expect(describeLimits(readLimits({ LIMIT_REFLECTIONS: '5000' }))).toContain(
      'LIMIT_REFLECTIONS=5000 (reflections in one powder pattern)',
    );
  });
});
