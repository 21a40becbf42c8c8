import { expect, it } from 'vitest';
import { ApiError } from './api-client.ts';
import { queryClient } from './query-client.ts';

it('only a lost connection is retried, twice', () => {
  const { retry } = queryClient.getDefaultOptions().queries ?? {};
  const tries = (error: Error) =>
    [0, 1, 2].map((failures) => typeof retry === 'function' && retry(failures, error));
  expect(tries(new ApiError(0, ''))).toEqual([true, true, false]);
  expect(tries(new ApiError(500, ''))).toEqual([false, false, false]);
  expect(tries(new Error('a fault of the page'))).toEqual([false, false, false]);
});
