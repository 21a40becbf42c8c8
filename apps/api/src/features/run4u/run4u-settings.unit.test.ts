import { expect, it } from 'vitest';
import { readRun4uSettings } from './run4u-settings.ts';

it.each(['-1', 'many', '32768', '1e9'])('readRun4uSettings rejects a daily limit of %s', (daily_limit) => {
  expect(() => readRun4uSettings({ home: '/tmp', run4u: { daily_limit } })).toThrow(
    `RUN4U_DAILY_LIMIT is "${daily_limit}": expected a number of at least 0 and at most 32767`,
  );
});

it('readRun4uSettings accepts the largest daily limit that the database column holds', () => {
  expect(readRun4uSettings({ home: '/tmp', run4u: { daily_limit: '32767' } }).dailyLimit).toBe(32_767);
});
