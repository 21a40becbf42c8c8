import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternOf, timesOf } from './backups-panel.tsx';

describe('times of backups', () => {
  it.each([
    [null, { often: 'never' }],
    ['15 2 * * *', { often: 'daily', time: '02:15' }],
    ['0 23 * * 0', { often: 'weekly', time: '23:00', weekday: 0 }],
    // cron has two names for Sunday
    ['5 4 * * 7', { often: 'weekly', time: '04:05', weekday: 0 }],
    ['*/30 * * * *', { often: 'cron', cron: '*/30 * * * *' }],
    ['15 2 1 * *', { often: 'cron', cron: '15 2 1 * *' }],
    ['61 2 * * *', { often: 'cron', cron: '61 2 * * *' }],
    ['15 24 * * *', { often: 'cron', cron: '15 24 * * *' }],
    ['15 2 * * 1-5', { often: 'cron', cron: '15 2 * * 1-5' }],
  ])('%s is read', (pattern, expected) => {
    expect(timesOf(pattern)).toMatchObject(expected);
  });

  it('round-trip', () => {
    fc.assert(
      fc.property(
        fc.nat(59),
        fc.nat(23),
        fc.constantFrom('*', 0, 1, 2, 3, 4, 5, 6),
        (minute, hour, weekday) => {
          const pattern = `${minute} ${hour} * * ${weekday}`;
          expect(patternOf(timesOf(pattern))).toBe(pattern);
        },
      ),
      { seed: 21 },
    );
    expect(patternOf(timesOf(null))).toBeNull();
    expect(patternOf(timesOf('0 */6 * * *'))).toBe('0 */6 * * *');
  });

  it('give an invalid pattern if incomplete', () => {
    expect(patternOf({ ...timesOf('15 2 * * *'), time: '' })).toBe('');
  });
});
