import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

// Loads a new copy of the module, because other test files of this worker may have left requests that never
// end.
vi.resetModules();
const { SLOW_AFTER_MS, reportWaiting, useServerSlow } = await import('./server-status.ts');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

it('a slow answer is announced within two seconds, until the last of several pending requests has ended', () => {
  expect(SLOW_AFTER_MS).toBeLessThan(2000);
  const { result } = renderHook(useServerSlow);
  const [first, second] = [reportWaiting(), reportWaiting()];
  pass(SLOW_AFTER_MS - 1);
  expect(result.current).toBe(false);
  pass(1);
  expect(result.current).toBe(true);
  act(first);
  expect(result.current).toBe(true);
  act(second);
  expect(result.current).toBe(false);
});

it('a timely answer is not announced', () => {
  const { result } = renderHook(useServerSlow);
  const done = reportWaiting();
  pass(SLOW_AFTER_MS / 2);
  done();
  pass(SLOW_AFTER_MS * 2);
  expect(result.current).toBe(false);
});

it('a timely answer does not end the announcement of a slow one', () => {
  const { result } = renderHook(useServerSlow);
  const slow = reportWaiting();
  pass(SLOW_AFTER_MS);
  act(reportWaiting());
  expect(result.current).toBe(true);
  act(slow);
  expect(result.current).toBe(false);
});
