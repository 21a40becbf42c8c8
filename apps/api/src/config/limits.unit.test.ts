import { describe, expect, it } from 'vitest';
import { describeLimits, readLimits } from './limits.ts';

describe('readLimits', () => {
  it('reads values from the environment and uses defaults otherwise', () => {
    const usual = readLimits({});
    const changed = readLimits({ LIMIT_TASK_SECONDS: ' 45 ', LIMIT_TASKS_WAITING_PER_OWNER: '0' });
    expect(changed).toEqual({ ...usual, taskSeconds: 45, tasksWaitingPerOwner: 0 });
  });

  it('leaves one thread free for the next visitor on any machine', () => {
    const { threads, tasksPerOwner } = readLimits({});
    expect(threads).toBeGreaterThan(tasksPerOwner);
  });

  it.each(['0', '-1', '1.5', 'many', '1e400'])('refuses %j seconds and names the variable', (text) => {
    const problems: string[] = [];
    readLimits({ LIMIT_TASK_SECONDS: text }, problems);
    expect(problems).toEqual([`LIMIT_TASK_SECONDS is "${text}": expected a whole number of at least 1`]);
  });

  it('shows the limits with their variables', () => {
    expect(describeLimits(readLimits({ LIMIT_REFLECTIONS: '5000' }))).toContain(
      'LIMIT_REFLECTIONS=5000 (reflections in one powder pattern)',
    );
  });
});
